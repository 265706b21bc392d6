// SPDX-License-Identifier: MIT
/// @file
/// What may be written about one name or session.
#include "SessionJudge.h"

#include <algorithm>

namespace octostore::coordination::test
{

using backend::Collection;
using backend::LeaseRecord;
using backend::LeaseState;
using event::Cause;

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

} // namespace octostore::coordination::test
