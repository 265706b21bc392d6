// SPDX-License-Identifier: MIT
#include "LockAnswers.h"

#include "AccessList.h"
#include "Submission.h"

#include <octostore/base/Json.h>
#include <octostore/coordination/HolderPseudonym.h>

namespace octostore::coordination_api
{

namespace
{

using coordination::LeaseView;

constexpr int conflictStatus = 409;

std::uint64_t count(Milliseconds duration)
{
    return static_cast<std::uint64_t>(duration.count());
}

/// Half of what is left of the lease itself; its session is kept alive beside it.
std::uint64_t renewAfterMs(const LeaseView& lease, BootTime now)
{
    return wholeMilliseconds(lease.deadline - now) / 2;
}

void writeQueuePosition(JsonWriter& json, const std::optional<std::size_t>& position)
{
    if (position)
        json.field("queue_position", static_cast<std::uint64_t>(*position));
}

std::string acquired(const coordination::Granted& granted, BootTime now)
{
    const LeaseView& lease = granted.lease;
    JsonWriter json;
    json.beginObject()
        .field("status", "acquired")
        .field("lease_id", lease.lease.toString())
        .field("fencing_token", lease.term.value())
        .field("expires_at", toRfc3339(lease.expiresAt))
        .field("renew_after_ms", renewAfterMs(lease, now))
        .field("metadata", lease.metadata)
        .field("authority_ms", authorityMs(lease, now))
        .field("waited_ms", count(granted.waited))
        .endObject();
    return json.take();
}

std::string held(const coordination::Held& held, BootTime now)
{
    JsonWriter json;
    json.beginObject()
        .field("status", "held")
        .field("holder_id", coordination::pseudonymOf(held.lease.holder).toString())
        .field("expires_at", toRfc3339(held.lease.expiresAt))
        .field("retry_after_ms", wholeMilliseconds(held.lease.deadline - now))
        .field("metadata", held.lease.metadata);
    writeQueuePosition(json, held.queuePosition);
    json.endObject();
    return json.take();
}

std::string delayed(const coordination::Delayed& delayed, BootTime now)
{
    JsonWriter json;
    json.beginObject()
        .field("status", "delayed")
        .field("available_at", toRfc3339(delayed.availableAtWall))
        .field("lock_delay_seconds", count(delayed.lockDelay) / 1000)
        .field("retry_after_ms", wholeMilliseconds(delayed.availableAt - now));
    writeQueuePosition(json, delayed.queuePosition);
    json.endObject();
    return json.take();
}

/// Without its access list.
void beginStatus(JsonWriter& json, const coordination::Status& status)
{
    json.beginObject().field("name", status.name).field("status", status.lease ? "held" : "free");
    if (status.lease)
        json.field("holder_id", coordination::pseudonymOf(status.lease->holder).toString())
            .field("fencing_token", status.lease->term.value())
            .field("expires_at", toRfc3339(status.lease->expiresAt))
            .field("metadata", status.lease->metadata);
    else
        json.null("holder_id")
            .field("fencing_token", status.lastTerm.value())
            .null("expires_at")
            .null("metadata");
    if (status.availableAt)
        json.field("available_at", toRfc3339(*status.availableAt));
}

} // namespace

std::optional<http::Response> acquireAnswer(const coordination::Reply& reply, BootTime now)
{
    if (const auto* granted = std::get_if<coordination::Granted>(&reply))
        return http::jsonResponse(acquired(*granted, now));
    if (const auto* other = std::get_if<coordination::Held>(&reply))
        return http::jsonResponse(held(*other, now));
    if (const auto* cooling = std::get_if<coordination::Delayed>(&reply))
        return http::jsonResponse(delayed(*cooling, now), conflictStatus);
    return std::nullopt;
}

std::optional<http::Response> renewLockAnswer(const coordination::Reply& reply, BootTime now)
{
    const auto* renewed = std::get_if<coordination::Renewed>(&reply);
    if (renewed == nullptr)
        return std::nullopt;
    JsonWriter json;
    json.beginObject()
        .field("lease_id", renewed->lease.lease.toString())
        .field("expires_at", toRfc3339(renewed->lease.expiresAt))
        .field("renew_after_ms", renewAfterMs(renewed->lease, now))
        .field("authority_ms", authorityMs(renewed->lease, now))
        .field("waited_ms", 0) // a renewal never waits
        .endObject();
    return http::jsonResponse(json.take());
}

std::optional<http::Response> releaseAnswer(const coordination::Reply& reply)
{
    if (!std::holds_alternative<coordination::Ended>(reply))
        return std::nullopt;
    return http::jsonResponse("null");
}

std::optional<http::Response> lockStatusAnswer(const coordination::Reply& reply)
{
    const auto* status = std::get_if<coordination::Status>(&reply);
    if (status == nullptr)
        return std::nullopt;
    JsonWriter json;
    beginStatus(json, *status);
    if (status->acl)
        writeAccessList(json.key("acl"), status->acl->acquire);
    json.endObject();
    return http::jsonResponse(json.take());
}

std::optional<http::Response> listAnswer(const coordination::Reply& reply,
                                         const std::optional<std::string>& prefix)
{
    const auto* listing = std::get_if<coordination::Listing>(&reply);
    if (listing == nullptr)
        return std::nullopt;
    JsonWriter json;
    json.beginObject().key("locks").beginArray();
    for (const coordination::Status& status : listing->locks)
    {
        beginStatus(json, status);
        json.endObject();
    }
    json.endArray()
        .field("total", static_cast<std::uint64_t>(listing->total))
        .field("prefix", prefix);
    if (listing->more && !listing->locks.empty())
        json.field("next", listing->locks.back().name);
    json.endObject();
    return http::jsonResponse(json.take());
}

std::optional<http::Response> fenceAnswer(const coordination::Reply& reply, std::string_view key,
                                          std::string_view name, Term term)
{
    const auto* fence = std::get_if<coordination::Fence>(&reply);
    if (fence == nullptr)
        return std::nullopt;
    JsonWriter json;
    json.beginObject()
        .field(key, name)
        .field("term", term.value())
        .field("current", fence->current);
    if (fence->live)
        json.field("live_term", fence->live->value());
    else
        json.null("live_term");
    json.endObject();
    return http::jsonResponse(json.take());
}

} // namespace octostore::coordination_api
