// SPDX-License-Identifier: MIT
#include "ElectionRoutes.h"

#include "ElectionAnswers.h"
#include "LockAnswers.h"

#include <octostore/base/Base64.h>

#include <functional>
#include <utility>

namespace octostore::coordination_api
{

namespace
{

using coordination::Reply;
using http::ExchangePtr;

constexpr std::size_t roomIdBytes = 24;

/// Submits what was asked; `answer(request, reply, now)` makes the response.
template <class Answer>
void submitOrRefuse(const Engine& engine, const ExchangePtr& exchange,
                    Result<ElectionRequest> asked, Answer answer)
{
    if (!asked)
        return exchange->respond(asked.error());
    coordination::Request request = std::move(asked->request);
    submit(engine, exchange, std::move(request),
           [asked = *std::move(asked), answer](const Reply& reply, BootTime now)
           { return answer(asked, reply, now); });
}

} // namespace

std::vector<http::Route> ElectionRoutes::routes() const
{
    using http::Access;
    using http::Body;
    using http::Method;
    return {
        {Method::Post, "/elections", Access::Public, Body::Ignored, true,
         std::bind_front(&ElectionRoutes::create, this)},
        {Method::Post, "/elections/{id}/campaign", Access::Public, Body::Json, true,
         std::bind_front(&ElectionRoutes::campaign, this)},
        {Method::Post, "/elections/{id}/renew", Access::Public, Body::Json, false,
         std::bind_front(&ElectionRoutes::renew, this)},
        {Method::Post, "/elections/{id}/resign", Access::Public, Body::Json, false,
         std::bind_front(&ElectionRoutes::resign, this)},
        {Method::Get, "/elections/{id}/fence", Access::Public, Body::Ignored, false,
         std::bind_front(&ElectionRoutes::fence, this)},
        {Method::Get, "/elections/{id}", Access::Public, Body::Ignored, false,
         std::bind_front(&ElectionRoutes::status, this)},
    };
}

void ElectionRoutes::create(const ExchangePtr& exchange) const
{
    if (const auto served = checkServed(_elections); !served)
        return exchange->respond(served.error());
    std::string room = toBase64Url(_random.bytes<roomIdBytes>());
    // Commands take what begins with a dash for an option.
    if (room.front() == '-')
        room.front() = '_';
    exchange->respond(roomAnswer(room));
}

void ElectionRoutes::campaign(const ExchangePtr& exchange) const
{
    submitOrRefuse(_engine, exchange, campaignRequest(*exchange, _elections, _random),
                   campaignAnswer);
}

void ElectionRoutes::renew(const ExchangePtr& exchange) const
{
    submitOrRefuse(_engine, exchange, renewRoomRequest(*exchange, _elections), renewRoomAnswer);
}

void ElectionRoutes::resign(const ExchangePtr& exchange) const
{
    submitOrRefuse(_engine, exchange, resignRequest(*exchange, _elections),
                   [](const ElectionRequest& request, const Reply& reply, BootTime)
                   { return resignAnswer(request, reply); });
}

void ElectionRoutes::status(const ExchangePtr& exchange) const
{
    submitOrRefuse(_engine, exchange, roomStatusRequest(*exchange, _elections), roomStatusAnswer);
}

void ElectionRoutes::fence(const ExchangePtr& exchange) const
{
    submitOrRefuse(_engine, exchange, roomFenceRequest(*exchange, _elections),
                   [](const ElectionRequest& request, const Reply& reply, BootTime)
                   { return fenceAnswer(reply, "election_id", request.room, request.term); });
}

} // namespace octostore::coordination_api
