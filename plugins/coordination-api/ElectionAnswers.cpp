// SPDX-License-Identifier: MIT
#include "ElectionAnswers.h"

#include "Submission.h"

#include <octostore/base/Base64.h>
#include <octostore/base/Json.h>

namespace octostore::coordination_api
{

namespace
{

using coordination::LeaseView;

std::uint64_t count(Milliseconds duration)
{
    return static_cast<std::uint64_t>(duration.count());
}

void writeLeader(JsonWriter& json, const LeaseView& lease)
{
    json.key("leader").beginObject().field("candidate_id", lease.label);
    if (lease.metadata)
        json.field("metadata", lease.metadata);
    json.field("term", lease.term.value())
        .field("expires_at", toRfc3339(lease.expiresAt))
        .endObject();
}

/// The answer to the leader itself.
http::Response leader(const ElectionRequest& request, const LeaseView& lease,
                      std::string_view token, Milliseconds waited, BootTime now)
{
    JsonWriter json;
    json.beginObject().field("status", "leader").field("election_id", request.room);
    writeLeader(json, lease);
    json.field("leader_token", token)
        .field("renew_after_ms", count(request.ttl) / 2)
        .field("authority_ms", authorityMs(lease, now))
        .field("waited_ms", count(waited))
        .endObject();
    return http::jsonResponse(json.take());
}

http::Response follower(const ElectionRequest& request, const coordination::Held& held,
                        BootTime now)
{
    JsonWriter json;
    json.beginObject().field("status", "follower").field("election_id", request.room);
    writeLeader(json, held.lease);
    json.field("retry_after_ms", wholeMilliseconds(held.lease.deadline - now));
    if (held.queuePosition)
        json.field("queue_position", static_cast<std::uint64_t>(*held.queuePosition));
    json.endObject();
    return http::jsonResponse(json.take());
}

} // namespace

http::Response roomAnswer(std::string_view room)
{
    constexpr int created = 201;
    const std::string path = "/elections/" + std::string(room);
    JsonWriter json;
    json.beginObject()
        .field("election_id", room)
        .field("campaign_path", path + "/campaign")
        .field("status_path", path)
        .field("watch_path", path + "/watch")
        .endObject();
    return http::jsonResponse(json.take(), created);
}

std::optional<http::Response> campaignAnswer(const ElectionRequest& request,
                                             const coordination::Reply& reply, BootTime now)
{
    if (const auto* granted = std::get_if<coordination::Granted>(&reply); granted && granted->token)
        return leader(request, granted->lease, toBase64Url(*granted->token), granted->waited, now);
    if (const auto* held = std::get_if<coordination::Held>(&reply))
        return follower(request, *held, now);
    return std::nullopt;
}

std::optional<http::Response> renewRoomAnswer(const ElectionRequest& request,
                                              const coordination::Reply& reply, BootTime now)
{
    const auto* renewed = std::get_if<coordination::Renewed>(&reply);
    if (renewed == nullptr)
        return std::nullopt;
    return leader(request, renewed->lease, request.leaderToken, Milliseconds(0), now);
}

std::optional<http::Response> resignAnswer(const ElectionRequest& request,
                                           const coordination::Reply& reply)
{
    const auto* ended = std::get_if<coordination::Ended>(&reply);
    if (ended == nullptr)
        return std::nullopt;
    JsonWriter json;
    json.beginObject()
        .field("election_id", request.room)
        .field("status", "vacant")
        .field("previous_term", ended->term.value())
        .endObject();
    return http::jsonResponse(json.take());
}

std::optional<http::Response> roomStatusAnswer(const ElectionRequest& request,
                                               const coordination::Reply& reply, BootTime now)
{
    const auto* status = std::get_if<coordination::Status>(&reply);
    if (status == nullptr)
        return std::nullopt;
    JsonWriter json;
    json.beginObject().field("election_id", request.room);
    if (status->lease)
    {
        json.field("status", "leader");
        writeLeader(json, *status->lease);
        json.field("retry_after_ms", wholeMilliseconds(status->lease->deadline - now));
    }
    else
        json.field("status", "vacant").field("retry_after_ms", 0);
    json.endObject();
    return http::jsonResponse(json.take());
}

} // namespace octostore::coordination_api
