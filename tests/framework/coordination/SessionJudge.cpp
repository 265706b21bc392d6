// SPDX-License-Identifier: MIT
/// @file
/// The naive rules, and what may be written.
#include "SessionJudge.h"

#include <algorithm>

namespace octostore::coordination::test
{

using backend::Collection;
using backend::LeaseRecord;
using backend::LeaseState;
using event::Cause;

namespace
{

SessionId sessionIdOf(const std::string& key)
{
    return SessionId{Uuid::parse(key).value_or(Uuid{})};
}

bool isFreshGrant(const backend::Put& put)
{
    const auto* lease = std::get_if<LeaseRecord>(&put.value);
    return lease && lease->state == LeaseState::Held && lease->term == Term(0);
}

} // namespace

void SessionJudge::restarted(const std::string& clock, Now now)
{
    if (clock != _clock)
        _recoveredAt = now.boot;
    _clock = clock;
    _startedAt = now.boot;
    _ending.clear();
    _ended.clear();
}

void SessionJudge::trouble(BootTime now)
{
    ++_troubles;
    _lastTrouble = now;
}

BootTime SessionJudge::at(const backend::Deadline& deadline, Milliseconds ttl) const
{
    return deadline.clock == _clock ? deadline.boot : _recoveredAt + ttl;
}

const backend::SessionRecord* SessionJudge::session(SessionId id) const
{
    const auto found = _store.records().find({Collection::Session, id.toString()});
    return found == _store.records().end()
               ? nullptr
               : std::get_if<backend::SessionRecord>(&found->second.value);
}

bool SessionJudge::sessionLive(SessionId id, BootTime now) const
{
    const backend::SessionRecord* record = session(id);
    return record && now < at(record->deadline, record->ttl);
}

bool SessionJudge::live(const LeaseRecord* lease, BootTime now) const
{
    return lease && lease->state == LeaseState::Held && now < at(lease->deadline, lease->ttl) &&
           (!lease->ephemeral || sessionLive(lease->session, now));
}

/// Of a lease that is not live.
BootTime SessionJudge::endOf(const LeaseRecord& lease) const
{
    const BootTime own = at(lease.deadline, lease.ttl);
    if (!lease.ephemeral)
        return own;
    if (const backend::SessionRecord* record = session(lease.session))
        return std::min(own, at(record->deadline, record->ttl));
    const auto ended = _ended.find(lease.session);
    return std::min(own, ended == _ended.end() ? _startedAt : ended->second.at);
}

const SessionJudge::Names* SessionJudge::acl(const std::string& name) const
{
    const auto found = _store.records().find({Collection::Acl, name});
    return found == _store.records().end()
               ? nullptr
               : &std::get<backend::AclRecord>(found->second.value).acquire;
}

bool SessionJudge::admits(const Names* list, const Acquire& acquire)
{
    return !list || acquire.admin ||
           std::any_of(acquire.callerNames.begin(), acquire.callerNames.end(),
                       [list](const std::string& name)
                       { return std::find(list->begin(), list->end(), name) != list->end(); });
}

std::size_t SessionJudge::leasesOf(PrincipalId principal, const Transactions& inFlight) const
{
    std::size_t count = 0;
    for (const auto& [key, record] : _store.records())
    {
        const auto* lease = std::get_if<LeaseRecord>(&record.value);
        count += lease && lease->state == LeaseState::Held && lease->principal == principal;
    }
    for (const backend::Transaction* transaction : inFlight)
        for (const backend::Put& put : transaction->puts)
            count += isFreshGrant(put) && std::get<LeaseRecord>(put.value).principal == principal;
    return count;
}

std::size_t SessionJudge::sessionsOf(PrincipalId principal, const Transactions& inFlight) const
{
    std::size_t count = 0;
    for (const auto& [key, record] : _store.records())
    {
        const auto* open = std::get_if<backend::SessionRecord>(&record.value);
        count += open && open->principal == principal;
    }
    for (const backend::Transaction* transaction : inFlight)
        for (const backend::Put& put : transaction->puts)
        {
            const auto* open = std::get_if<backend::SessionRecord>(&put.value);
            count += open && open->principal == principal && !session(sessionIdOf(put.key.name));
        }
    return count;
}

std::optional<Cause> SessionJudge::causeOf(SessionId id) const
{
    const auto ended = _ended.find(id);
    if (ended == _ended.end())
        return std::nullopt;
    return ended->second.cause;
}

void SessionJudge::decided(const backend::Transaction& transaction, const Transactions& others,
                           Now now)
{
    const Names* list = nullptr;
    bool aclChanges = false;
    std::string aclOf;
    bool lease = false;
    for (const backend::Put& put : transaction.puts)
    {
        if (const auto* record = std::get_if<LeaseRecord>(&put.value))
        {
            judgeLease(transaction, put.key.name, *record, others, now);
            lease = true;
        }
        else if (const auto* acl = std::get_if<backend::AclRecord>(&put.value))
        {
            list = &acl->acquire;
            aclChanges = true;
            aclOf = put.key.name;
        }
        else if (const auto* opened = std::get_if<backend::SessionRecord>(&put.value))
            judgeSession(sessionIdOf(put.key.name), *opened, others, now.boot);
    }
    for (const backend::Key& key : transaction.erasures)
    {
        if (key.collection == Collection::Acl)
        {
            aclChanges = true;
            aclOf = key.name;
        }
        else if (key.collection == Collection::Session)
        {
            const Cause cause = transaction.event->cause;
            const SessionId id = sessionIdOf(key.name);
            judgeSessionEnd(id, cause, now.boot);
            const backend::SessionRecord* record = session(id);
            _ending[id] = {cause == Cause::SessionExpired ? at(record->deadline, record->ttl)
                                                          : now.boot,
                           cause};
        }
        else
        {
            EXPECT_TRUE(_store.lease(key.name) &&
                        _store.lease(key.name)->state != LeaseState::Held);
        }
    }
    if (aclChanges && !lease)
        judgeAcl(aclOf, list, now.boot);
}

void SessionJudge::committing(const backend::Transaction& transaction) const
{
    for (const backend::Put& put : transaction.puts)
    {
        const auto* lease = std::get_if<LeaseRecord>(&put.value);
        if (!lease || lease->state != LeaseState::Held)
            continue;
        if (lease->ephemeral || (isFreshGrant(put) && !lease->session.isNil()))
        {
            EXPECT_TRUE(session(lease->session)) << "a lease behind the end of its session";
        }
    }
}

void SessionJudge::committed(const backend::Transaction& transaction)
{
    for (const backend::Key& key : transaction.erasures)
        if (key.collection == Collection::Session)
        {
            const auto ending = _ending.extract(sessionIdOf(key.name));
            _ended.insert_or_assign(ending.key(), ending.mapped());
        }
    // The engine remembers at least so many.
    while (_ended.size() > 5'000)
        _ended.erase(_ended.begin());
}

void SessionJudge::settled(BootTime now) const
{
    for (const auto& [key, record] : _store.records())
    {
        if (const auto* lease = std::get_if<LeaseRecord>(&record.value))
        {
            EXPECT_TRUE(lease->state != LeaseState::Held || live(lease, now))
                << "over and not recorded: " << key.name;
        }
        if (std::holds_alternative<backend::SessionRecord>(record.value))
        {
            EXPECT_TRUE(sessionLive(sessionIdOf(key.name), now)) << "a session is over";
        }
    }
    for (const auto& [ticket, asked] : _asking)
    {
        if (asked.abandoned)
            continue;
        const LeaseRecord* lease = _store.lease(asked.name);
        EXPECT_LT(now, asked.at + asked.wait) << "not answered: " << asked.name;
        const bool cools =
            lease && lease->state == LeaseState::Cooling && now < at(lease->deadline, lease->ttl);
        EXPECT_TRUE(live(lease, now) || cools) << "waits for a free name: " << asked.name;
    }
}

} // namespace octostore::coordination::test
