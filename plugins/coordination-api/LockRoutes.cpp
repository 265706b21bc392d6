// SPDX-License-Identifier: MIT
#include "LockRoutes.h"

#include "LockAnswers.h"
#include "LockRequests.h"

#include <functional>
#include <utility>

namespace octostore::coordination_api
{

using coordination::Reply;
using http::ExchangePtr;

std::vector<http::Route> LockRoutes::routes() const
{
    using http::Access;
    using http::Body;
    using http::Method;
    return {
        {Method::Post, "/locks/{name...}/acquire", Access::User, Body::Json, false,
         std::bind_front(&LockRoutes::acquire, this)},
        {Method::Post, "/locks/{name...}/renew", Access::User, Body::Json, false,
         std::bind_front(&LockRoutes::renew, this)},
        {Method::Post, "/locks/{name...}/release", Access::User, Body::Json, false,
         std::bind_front(&LockRoutes::release, this)},
        {Method::Get, "/locks/{name...}/fence", Access::User, Body::Ignored, false,
         std::bind_front(&LockRoutes::fence, this)},
        {Method::Get, "/locks/{name...}", Access::User, Body::Ignored, false,
         std::bind_front(&LockRoutes::status, this)},
        {Method::Get, "/locks", Access::User, Body::Ignored, false,
         std::bind_front(&LockRoutes::list, this)},
    };
}

void LockRoutes::acquire(const ExchangePtr& exchange) const
{
    Result<coordination::Request> request = acquireRequest(*exchange, _random);
    if (!request)
        return exchange->respond(request.error());
    submit(_engine, exchange, *std::move(request), acquireAnswer);
}

void LockRoutes::renew(const ExchangePtr& exchange) const
{
    Result<coordination::Request> request = renewLockRequest(*exchange);
    if (!request)
        return exchange->respond(request.error());
    submit(_engine, exchange, *std::move(request), renewLockAnswer);
}

void LockRoutes::release(const ExchangePtr& exchange) const
{
    Result<coordination::Request> request = releaseRequest(*exchange);
    if (!request)
        return exchange->respond(request.error());
    submit(_engine, exchange, *std::move(request),
           [](const Reply& reply, BootTime) { return releaseAnswer(reply); });
}

void LockRoutes::status(const ExchangePtr& exchange) const
{
    Result<coordination::Request> request = lockStatusRequest(*exchange);
    if (!request)
        return exchange->respond(request.error());
    submit(_engine, exchange, *std::move(request),
           [](const Reply& reply, BootTime) { return lockStatusAnswer(reply); });
}

void LockRoutes::fence(const ExchangePtr& exchange) const
{
    Result<FenceRequest> fence = lockFenceRequest(*exchange);
    if (!fence)
        return exchange->respond(fence.error());
    submit(_engine, exchange, std::move(fence->request),
           [name = exchange->parameter("name"), term = fence->term](const Reply& reply, BootTime)
           { return fenceAnswer(reply, "name", name, term); });
}

void LockRoutes::list(const ExchangePtr& exchange) const
{
    Result<ListRequest> list = listRequest(*exchange);
    if (!list)
        return exchange->respond(list.error());
    submit(_engine, exchange, std::move(list->request),
           [prefix = std::move(list->prefix)](const Reply& reply, BootTime)
           { return listAnswer(reply, prefix); });
}

} // namespace octostore::coordination_api
