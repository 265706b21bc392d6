// SPDX-License-Identifier: MIT
#include "ElectionRequests.h"

#include "FenceTerm.h"
#include "LeaderTokenText.h"
#include "RequestFields.h"

#include <octostore/coordination/Name.h>

#include <utility>

namespace octostore::coordination_api
{

namespace
{

constexpr std::uint64_t roomSecondsMin = 5;
constexpr std::uint64_t roomSecondsMax = 300;
constexpr std::uint64_t roomSecondsDefault = 30;
constexpr std::uint64_t waitSecondsMax = 300;

using Seconds = std::chrono::seconds;

Result<void> checkRoom(const http::Exchange& exchange, Elections elections)
{
    return firstFailure(
        {checkServed(elections), coordination::checkRoomId(exchange.parameter("id"))});
}

Result<void> checkTtl(std::optional<std::uint64_t> seconds)
{
    return checkRange(ErrorCode::InvalidTtl, "ttl_seconds", seconds, roomSecondsMin,
                      roomSecondsMax);
}

/// `candidate` is empty where the request does not name one: the token alone is the authority.
ElectionRequest requestFor(const http::Exchange& exchange, std::string candidate)
{
    ElectionRequest result;
    result.room = exchange.parameter("id");
    result.request.name = coordination::leaseNameOfRoom(result.room);
    result.request.actor = {event::ActorKind::Candidate, std::move(candidate)};
    return result;
}

struct CampaignBody
{
    explicit CampaignBody(RequestFields& fields)
        : candidate(fields.string("candidate_id")),
          ttl(fields.integer("ttl_seconds")),
          metadata(fields.optionalString("metadata")),
          candidateKey(fields.optionalString("candidate_key")),
          wait(fields.integer("wait_seconds"))
    {
    }

    /// In the order in which the client is told.
    Result<void> check() const
    {
        return firstFailure(
            {coordination::checkCandidateId(candidate),
             coordination::checkMetadata(metadata.value_or("")), checkTtl(ttl),
             candidateKey ? coordination::checkCandidateKey(*candidateKey) : Result<void>(),
             checkRange(ErrorCode::InvalidInput, "wait_seconds", wait, 0, waitSecondsMax)});
    }

    std::string candidate;
    std::optional<std::uint64_t> ttl;
    std::optional<std::string> metadata;
    std::optional<std::string> candidateKey;
    std::optional<std::uint64_t> wait;
};

} // namespace

Result<void> checkServed(Elections elections)
{
    if (elections == Elections::Served)
        return {};
    return Error{ErrorCode::Forbidden, "This server serves no elections."};
}

Result<ElectionRequest> campaignRequest(const http::Exchange& exchange, Elections elections,
                                        Random& random)
{
    RequestFields fields(exchange.json());
    const CampaignBody body(fields);
    if (fields.fault())
        return *fields.fault();
    if (const auto checked = firstFailure({checkRoom(exchange, elections), body.check()}); !checked)
        return checked.error();

    ElectionRequest result = requestFor(exchange, body.candidate);
    result.ttl = Seconds(body.ttl.value_or(roomSecondsDefault));
    coordination::Campaign campaign;
    campaign.candidate = body.candidate;
    campaign.ttl = result.ttl;
    campaign.metadata = body.metadata;
    campaign.candidateKey = body.candidateKey.value_or("");
    campaign.freshHolder = HolderId{random.uuid()};
    campaign.freshNonce = random.bytes<sizeof(coordination::TokenNonce)>();
    campaign.freshToken = random.bytes<sizeof(coordination::LeaderToken)>();
    result.request.operation = coordination::Command(std::move(campaign));
    result.request.wait = Seconds(body.wait.value_or(0));
    return result;
}

Result<ElectionRequest> renewRoomRequest(const http::Exchange& exchange, Elections elections)
{
    RequestFields fields(exchange.json());
    const std::string text = fields.string("leader_token");
    const std::optional<std::uint64_t> ttl = fields.integer("ttl_seconds");
    if (fields.fault())
        return *fields.fault();
    if (const auto checked = firstFailure({checkRoom(exchange, elections), checkTtl(ttl)});
        !checked)
        return checked.error();
    const Result<coordination::LeaderToken> token = parseLeaderToken(text);
    if (!token)
        return token.error();

    ElectionRequest result = requestFor(exchange, {});
    result.ttl = Seconds(ttl.value_or(roomSecondsDefault));
    result.leaderToken = text;
    result.request.operation = coordination::Command(coordination::Renew{*token, result.ttl});
    return result;
}

Result<ElectionRequest> resignRequest(const http::Exchange& exchange, Elections elections)
{
    RequestFields fields(exchange.json());
    const std::string text = fields.string("leader_token");
    fields.integer("ttl_seconds"); // must be a number; which one does not matter
    if (fields.fault())
        return *fields.fault();
    if (const auto checked = checkRoom(exchange, elections); !checked)
        return checked.error();
    const Result<coordination::LeaderToken> token = parseLeaderToken(text);
    if (!token)
        return token.error();

    ElectionRequest result = requestFor(exchange, {});
    result.request.operation = coordination::Command(coordination::Resign{*token});
    return result;
}

Result<ElectionRequest> roomStatusRequest(const http::Exchange& exchange, Elections elections)
{
    if (const auto checked = checkRoom(exchange, elections); !checked)
        return checked.error();
    ElectionRequest result = requestFor(exchange, {});
    result.request.operation = coordination::Query(coordination::GetStatus{});
    return result;
}

Result<ElectionRequest> roomFenceRequest(const http::Exchange& exchange, Elections elections)
{
    if (const auto checked = checkRoom(exchange, elections); !checked)
        return checked.error();
    const Result<Term> term = fenceTermOf(exchange.request().query());
    if (!term)
        return term.error();
    ElectionRequest result = requestFor(exchange, {});
    result.term = *term;
    result.request.operation = coordination::Query(coordination::CheckFence{*term});
    return result;
}

} // namespace octostore::coordination_api
