// SPDX-License-Identifier: MIT
#include "StatusDocument.h"

#include <octostore/base/Calendar.h>
#include <octostore/base/Json.h>
#include <octostore/coordination/Name.h>

#include <algorithm>

namespace octostore::admin_api
{

namespace
{

/// More are not listed: readers of this document take no longer lists.
constexpr std::size_t entriesMax = 10'000;

/// What the candidate said, together with its name.
std::string roomMetadata(const coordination::LeaseView& leader)
{
    JsonWriter json;
    json.beginObject().field("candidate_id", leader.label).field("metadata", leader.metadata);
    return json.endObject().take();
}

void writeLock(JsonWriter& json, const coordination::SurveyedName& lock, BootTime now)
{
    const coordination::LeaseView& lease = *lock.lease;
    const bool room = !coordination::roomOfLeaseName(lock.name).empty();
    const std::uint64_t left = wholeMilliseconds(lease.authority - now) / 1000;
    json.beginObject()
        .field("expires_at", toRfc3339WithOffset(lease.expiresAt))
        .field("fencing_token", lease.term.value())
        .field("holder_username", room || lock.ephemeral ? "unknown" : lease.label)
        .field("metadata", room ? std::optional(roomMetadata(lease)) : lease.metadata)
        .field("name", lock.name)
        .field("ttl_remaining_seconds", left)
        .endObject();
}

} // namespace

std::string StatusDocument::json() const
{
    const auto live = static_cast<std::uint64_t>(std::count_if(
        survey.names.begin(), survey.names.end(), [](const auto& name) { return !!name.lease; }));
    JsonWriter json;
    json.beginObject().field("active_locks", live).field("healthy", true).key("locks").beginArray();
    std::size_t listed = 0;
    for (const coordination::SurveyedName& name : survey.names)
        if (name.lease && ++listed <= entriesMax)
            writeLock(json, name, now);
    json.endArray()
        .field("total_acquires", counts.acquired)
        .field("total_releases", counts.released)
        .field("total_users", std::uint64_t{accounts.size()})
        .field("uptime_seconds", uptimeSeconds)
        .key("users")
        .beginArray();
    for (std::size_t i = 0; i < std::min(accounts.size(), entriesMax); ++i)
        json.beginObject()
            .field("created_at", toRfc3339WithOffset(accounts[i].createdAt.value_or(started)))
            .field("github_username", accounts[i].name)
            .field("id", accounts[i].principal.toString())
            .endObject();
    return json.endArray().endObject().take();
}

} // namespace octostore::admin_api
