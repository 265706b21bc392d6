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

template <class Command, class Fits>
bool SessionJudge::somebodyAsks(const std::string& name, Fits fits) const
{
    return std::any_of(_asking.begin(), _asking.end(),
                       [&](const auto& entry)
                       {
                           const auto* command =
                               std::get_if<coordination::Command>(&entry.second.operation);
                           const auto* asked = command ? std::get_if<Command>(command) : nullptr;
                           return asked && entry.second.name == name && fits(*asked, entry.second);
                       });
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

void SessionJudge::judgeLease(const backend::Transaction& transaction, const std::string& name,
                              const LeaseRecord& after, const Transactions& others, Now now) const
{
    const LeaseRecord* before = _store.lease(name);
    const bool wasHeld = before && before->state == LeaseState::Held;
    if (after.state != LeaseState::Held)
    {
        ASSERT_TRUE(wasHeld) << name;
        judgeEnd(name, *before, after.cause, now.boot);
    }
    else if (after.term == Term(0))
        judgeGrant(transaction, name, before, after, others, now);
    else
    {
        ASSERT_TRUE(wasHeld && before->term == after.term) << name;
        judgeExtension(name, *before, after, now);
    }
}

void SessionJudge::judgeGrant(const backend::Transaction& transaction, const std::string& name,
                              const LeaseRecord* before, const LeaseRecord& after,
                              const Transactions& others, Now now) const
{
    bool replaced = false;
    if (before && before->state == LeaseState::Held)
    {
        const Cause cause = transaction.event->cause;
        judgeEnd(name, *before, cause, now.boot);
        const bool alive = live(before, now.boot); // released or given back in this instant
        if (cause != Cause::Undelivered)
        {
            EXPECT_LE((alive ? now.boot : endOf(*before)) + before->lockDelay, now.boot)
                << "within the lock delay: " << name;
        }
        replaced = before->principal == after.principal;
    }
    else if (before && before->state == LeaseState::Cooling)
    {
        EXPECT_LE(at(before->deadline, before->ttl), now.boot) << "still cooling: " << name;
    }

    const Names* stored = acl(name);
    const bool asked = somebodyAsks<Acquire>(
        name,
        [&](const Acquire& acquire, const Asked&)
        {
            const Names* sent = acquire.acl ? &*acquire.acl : nullptr;
            return acquire.freshLease == after.lease && acquire.holder == after.holder &&
                   acquire.principal == after.principal && acquire.session == after.session &&
                   acquire.ephemeral == after.ephemeral && acquire.lockDelay == after.lockDelay &&
                   after.deadline.boot == now.boot + acquire.ttl &&
                   (!stored || !sent || *stored == *sent) &&
                   admits(stored ? stored : sent, acquire);
        });
    EXPECT_TRUE(asked) << "nobody asked so, or may not have it: " << name;
    if (!after.session.isNil())
    {
        EXPECT_TRUE(sessionLive(after.session, now.boot)) << name;
        EXPECT_TRUE(session(after.session) && session(after.session)->principal == after.principal);
    }
    EXPECT_LT(leasesOf(after.principal, others) - replaced, _limits.leasesPerPrincipalMax);
}

void SessionJudge::judgeExtension(const std::string& name, const LeaseRecord& before,
                                  const LeaseRecord& after, Now now) const
{
    EXPECT_TRUE(live(&before, now.boot)) << name;
    const bool renewed =
        somebodyAsks<Renew>(name,
                            [&](const Renew& renew, const Asked&)
                            {
                                const auto& shown = std::get<LockCredential>(renew.credential);
                                return shown.lease == before.lease &&
                                       shown.holder.uuid == before.principal.uuid &&
                                       after.deadline.boot == now.boot + renew.ttl;
                            });
    const bool again = at(after.deadline, after.ttl) >= at(before.deadline, before.ttl) &&
                       somebodyAsks<Acquire>(name,
                                             [&](const Acquire& acquire, const Asked&)
                                             {
                                                 const Names* stored = acl(name);
                                                 const Names* sent =
                                                     acquire.acl ? &*acquire.acl : nullptr;
                                                 return acquire.holder == before.holder &&
                                                        admits(stored ? stored : sent, acquire);
                                             });
    EXPECT_TRUE(renewed || again) << "nobody extends " << name;
}

void SessionJudge::judgeEnd(const std::string& name, const LeaseRecord& before, Cause cause,
                            BootTime now) const
{
    switch (cause)
    {
    case Cause::Ttl:
        EXPECT_LE(at(before.deadline, before.ttl), now) << "G4: " << name;
        break;
    case Cause::SessionClosed:
    case Cause::SessionExpired:
    case Cause::ForceReleased:
        EXPECT_TRUE(before.ephemeral) << name;
        EXPECT_FALSE(session(before.session)) << "its session is there: " << name;
        EXPECT_EQ(causeOf(before.session).value_or(cause), cause);
        break;
    case Cause::Released:
        EXPECT_TRUE(live(&before, now)) << name;
        EXPECT_TRUE(somebodyAsks<Release>(name,
                                          [&](const Release& release, const Asked&)
                                          {
                                              return release.credential.lease == before.lease &&
                                                     release.credential.holder.uuid ==
                                                         before.principal.uuid;
                                          }));
        break;
    case Cause::Undelivered:
        EXPECT_TRUE(somebodyAsks<Acquire>(
            name, [&](const Acquire& acquire, const Asked& asked)
            { return acquire.freshLease == before.lease && asked.abandoned; }));
        break;
    case Cause::None:
    case Cause::Resigned:
        ADD_FAILURE() << "not a cause for the end of a lock: " << name;
    }
}

void SessionJudge::judgeAcl(const std::string& name, const Names* after, BootTime now) const
{
    const LeaseRecord* lease = _store.lease(name);
    EXPECT_TRUE(somebodyAsks<ChangeAcl>(name,
                                        [&](const ChangeAcl& change, const Asked&)
                                        {
                                            const bool may = change.admin ||
                                                             (live(lease, now) &&
                                                              lease->principal == change.principal);
                                            return may &&
                                                   change.acl.has_value() == (after != nullptr) &&
                                                   (!after || *change.acl == *after);
                                        }))
        << "nobody may change the list of " << name;
}

void SessionJudge::judgeSession(SessionId id, const backend::SessionRecord& after,
                                const Transactions& others, BootTime now) const
{
    EXPECT_EQ(after.deadline.boot, now + after.ttl);
    const backend::SessionRecord* before = session(id);
    if (!before)
    {
        EXPECT_LT(sessionsOf(after.principal, others), _limits.sessionsPerPrincipalMax);
        return;
    }
    EXPECT_TRUE(sessionLive(id, now)) << "kept alive behind its deadline";
    EXPECT_EQ(before->principal, after.principal);
    EXPECT_EQ(before->ttl, after.ttl);
}

void SessionJudge::judgeSessionEnd(SessionId id, Cause cause, BootTime now) const
{
    ASSERT_TRUE(session(id)) << "ended twice";
    EXPECT_EQ(cause, sessionLive(id, now) ? Cause::SessionClosed : Cause::SessionExpired);
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
