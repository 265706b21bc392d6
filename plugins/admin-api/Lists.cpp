// SPDX-License-Identifier: MIT
#include "Lists.h"

#include "Page.h"

#include <octostore/base/Text.h>
#include <octostore/coordination/HolderPseudonym.h>
#include <octostore/coordination/Name.h>

namespace octostore::admin_api
{

namespace
{

using coordination::LeaseView;
using coordination::SurveyedName;
using coordination::SurveyedSession;
using std::uint64_t;

std::string roomOf(const SurveyedName& room)
{
    return std::string(coordination::roomOfLeaseName(room.name));
}

void addLock(Page& page, const SurveyedName& lock, const ListQuery& query, std::size_t index)
{
    if (!lock.lease)
        return;
    const LeaseView& lease = *lock.lease;
    if (!query.matches(lock.name) && !query.matches(lease.label))
        return;
    if (query.sort == "holder")
        page.add(lease.label, lock.name, index);
    else if (query.sort == "expires_at")
        page.add(lease.expiresAt, lock.name, index);
    else if (query.sort == "acquired_at")
        page.add(lock.acquiredAt, lock.name, index);
    else if (query.sort == "waiters")
        page.add(uint64_t{lock.waiters}, lock.name, index);
    else if (query.sort == "fencing_token")
        page.add(lease.term.value(), lock.name, index);
    else
        page.add(lock.name, lock.name, index);
}

void writeLock(JsonWriter& json, const SurveyedName& lock, std::optional<BootTime> now)
{
    const LeaseView& lease = *lock.lease;
    json.beginObject()
        .field("name", lock.name)
        .field("holder", lease.label)
        .field("holder_id", coordination::pseudonymOf(lease.holder).toString());
    optionalField(json, "session_id", lock.session.isNil() ? "" : lock.session.toString());
    json.field("ephemeral", lock.ephemeral)
        .field("fencing_token", lease.term.value())
        .field("acquired_at", toRfc3339(lock.acquiredAt))
        .field("expires_at", toRfc3339(lease.expiresAt));
    remainingField(json, lease.authority, now);
    json.field("waiters", uint64_t{lock.waiters})
        .field("metadata", lease.metadata)
        .field("acl", lock.hasAcl)
        .endObject();
}

void addRoom(Page& page, const SurveyedName& room, const ListQuery& query, std::size_t index)
{
    const std::string id = roomOf(room);
    const std::string leader = room.lease ? room.lease->label : "";
    if (!query.matches(id) && !query.matches(leader))
        return;
    if (query.sort == "candidate_id")
        page.add(leader, id, index);
    else if (query.sort == "expires_at")
        page.add(room.lease ? std::optional(room.lease->expiresAt) : std::nullopt, id, index);
    else if (query.sort == "since")
        page.add(room.lease ? std::optional(room.acquiredAt) : std::nullopt, id, index);
    else if (query.sort == "candidates")
        page.add(uint64_t{room.waiters}, id, index);
    else if (query.sort == "term")
        page.add(room.lease ? room.lease->term.value() : 0, id, index);
    else
        page.add(id, id, index);
}

void writeRoom(JsonWriter& json, const SurveyedName& room, std::optional<BootTime> now)
{
    json.beginObject().field("election_id", roomOf(room));
    if (room.lease)
    {
        json.field("candidate_id", room.lease->label)
            .field("metadata", room.lease->metadata)
            .field("term", room.lease->term.value())
            .field("since", toRfc3339(room.acquiredAt))
            .field("expires_at", toRfc3339(room.lease->expiresAt));
        remainingField(json, room.lease->deadline, now);
    }
    else
        for (const char* key :
             {"candidate_id", "metadata", "term", "since", "expires_at", "ttl_remaining_ms"})
            json.null(key);
    json.field("candidates", uint64_t{room.waiters}).endObject();
}

void addSession(Page& page, const SurveyedSession& open, const ListQuery& query, std::size_t index)
{
    const std::string id = open.session.session.toString();
    if (!query.matches(id) && !query.matches(open.label))
        return;
    if (query.sort == "account")
        page.add(open.label, id, index);
    else if (query.sort == "expires_at")
        page.add(open.session.expiresAt, id, index);
    else if (query.sort == "lock_count")
        page.add(uint64_t{open.session.locks}, id, index);
    else
        page.add(id, id, index);
}

void writeSession(JsonWriter& json, const SurveyedSession& open, std::optional<BootTime> now)
{
    json.beginObject()
        .field("id", open.session.session.toString())
        .field("account", open.label)
        .field("ttl_ms", static_cast<uint64_t>(open.session.ttl.count()))
        .field("expires_at", toRfc3339(open.session.expiresAt));
    remainingField(json, open.session.deadline, now);
    json.field("lock_count", uint64_t{open.session.locks}).endObject();
}

void addAccount(Page& page, const http::Account& account, const ListQuery& query, std::size_t index)
{
    const std::string name = toLower(account.name);
    if (!query.matches(name) && !query.matches(account.space))
        return;
    if (query.sort == "created_at")
        page.add(account.createdAt, name, index); // those of the configuration: the oldest
    else
        page.add(name, name, index);
}

void writeAccount(JsonWriter& json, const http::Account& account, std::optional<BootTime>)
{
    json.beginObject()
        .field("id", account.principal.toString())
        .field("name", account.name)
        .field("identity_class", account.identityClass)
        .field("role", http::roleName(account.role));
    optionalField(json, "namespace", account.space);
    optionalField(json, "created_at", account.createdAt);
    json.endObject();
}

/// A page of `items`: `add` takes one into it if the query lets it through, `write` writes it.
template <class Items, class Item = typename Items::value_type>
http::Response pageOf(const Items& items, const ListQuery& query, const Reader& reader,
                      void (*add)(Page&, const Item&, const ListQuery&, std::size_t),
                      void (*write)(JsonWriter&, const Item&, std::optional<BootTime>))
{
    Page page(query);
    for (std::size_t i = 0; i < items.size(); ++i)
        add(page, items[i], query, i);
    return page.answer([&](JsonWriter& json, std::size_t i, std::optional<BootTime> now)
                       { write(json, items[i], now); },
                       reader.now, reader.known);
}

} // namespace

http::Response lockPage(const coordination::NameSurvey& survey, const ListQuery& query,
                        const Reader& reader)
{
    return pageOf(survey.names, query, reader, addLock, writeLock);
}

http::Response electionPage(const coordination::NameSurvey& survey, const ListQuery& query,
                            const Reader& reader)
{
    return pageOf(survey.names, query, reader, addRoom, writeRoom);
}

http::Response sessionPage(const coordination::SessionSurvey& survey, const ListQuery& query,
                           const Reader& reader)
{
    return pageOf(survey.sessions, query, reader, addSession, writeSession);
}

http::Response accountPage(const std::vector<http::Account>& accounts, const ListQuery& query,
                           const Reader& reader)
{
    return pageOf(accounts, query, reader, addAccount, writeAccount);
}

} // namespace octostore::admin_api
