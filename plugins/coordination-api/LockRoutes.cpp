// SPDX-License-Identifier: MIT
#include "LockRoutes.h"

#include "LockAnswers.h"
#include "LockRequests.h"

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
    const auto handledBy = [this](void (LockRoutes::*handler)(const ExchangePtr&) const)
    { return [this, handler](const ExchangePtr& exchange) { (this->*handler)(exchange); }; };

    return {
        {Method::Post, "/locks/{name...}/acquire", Access::User, Body::Json, false,
         handledBy(&LockRoutes::acquire)},
        {Method::Post, "/locks/{name...}/renew", Access::User, Body::Json, false,
         handledBy(&LockRoutes::renew)},
        {Method::Post, "/locks/{name...}/release", Access::User, Body::Json, false,
         handledBy(&LockRoutes::release)},
        {Method::Get, "/locks/{name...}/fence", Access::User, Body::Ignored, false,
         handledBy(&LockRoutes::fence)},
        {Method::Get, "/locks/{name...}", Access::User, Body::Ignored, false,
         handledBy(&LockRoutes::status)},
        {Method::Get, "/locks", Access::User, Body::Ignored, false, handledBy(&LockRoutes::list)},
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
