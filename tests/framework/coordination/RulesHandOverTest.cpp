// SPDX-License-Identifier: MIT
/// @file
/// What the journal says about locks, and an end and a grant in one transaction.
#include "RulesFixture.h"

#include <optional>
#include <vector>

namespace octostore::coordination::test
{

using event::Cause;
using event::Type;

class RulesHandOverTest : public RulesFixture
{
protected:
    using Facts = std::vector<Type>;

    Write handOverTo(const Command& end, const Command& grant)
    {
        Write ended = writeOf(state, end);
        Write granted = writeOf(ended.after, grant);
        return handOver(std::move(ended), std::move(granted));
    }
};

TEST_F(RulesHandOverTest, AnEventNamesResourceActorRequestAndTime)
{
    run(acquireBy(1, 60s));
    const event::Draft acquired = eventOfWrite();
    EXPECT_EQ(acquired.type, Type::LockAcquired);
    EXPECT_EQ(acquired.facts, Facts{Type::LockAcquired});
    EXPECT_EQ(acquired.kind, event::ResourceKind::Lock);
    EXPECT_EQ(acquired.name, name);
    EXPECT_EQ(acquired.time, now.wall);
    EXPECT_EQ(acquired.cause, Cause::None);
    EXPECT_EQ(acquired.actor, actor);
    EXPECT_EQ(acquired.request, request);
    EXPECT_FALSE(acquired.previous);
    ASSERT_TRUE(acquired.current);
    EXPECT_EQ(acquired.current->holder, "user1");
    EXPECT_EQ(acquired.current->term, Term(0));
    EXPECT_EQ(acquired.current->expiresAt, now.wall + 60s);
    EXPECT_FALSE(acquired.vacantMs) << "nothing is known of a former holder";
}

TEST_F(RulesHandOverTest, AnEndNamesItsCauseAndWhoHeldIt)
{
    const Granted first = as<Granted>(run(acquireBy(1, 60s)));
    run(Release{credentialOf(first.lease)});
    const event::Draft released = eventOfWrite();
    EXPECT_EQ(released.type, Type::LockReleased);
    EXPECT_EQ(released.facts, Facts{Type::LockReleased});
    EXPECT_EQ(released.cause, Cause::Released);
    ASSERT_TRUE(released.previous);
    EXPECT_EQ(released.previous->holder, "user1");
    EXPECT_EQ(released.previous->term, first.lease.term);
    EXPECT_FALSE(released.current);
}

TEST_F(RulesHandOverTest, EveryEndHasItsTypeAndCause)
{
    const auto endBy = [this](const Command& command)
    {
        run(command);
        EXPECT_EQ(eventOfWrite().facts, Facts{eventOfWrite().type});
        EXPECT_FALSE(eventOfWrite().current);
        return std::pair(eventOfWrite().type, eventOfWrite().cause);
    };
    Granted granted = as<Granted>(run(acquireBy(1, 60s)));
    EXPECT_EQ(endBy(ForceEnd{granted.lease.term, "stuck"}),
              std::pair(Type::LockForceReleased, Cause::ForceReleased));
    EXPECT_EQ(eventOfWrite().reason, "stuck");
    granted = as<Granted>(run(acquireBy(1, 60s)));
    EXPECT_EQ(endBy(EndOfLease{Cause::Undelivered, granted.receipt}),
              std::pair(Type::LockReleased, Cause::Undelivered));
    run(acquireBy(1, 60s));
    pass(60s);
    EXPECT_EQ(endBy(EndOfLease{}), std::pair(Type::LockExpired, Cause::Ttl));
}

TEST_F(RulesHandOverTest, TheNextGrantTellsWhoHeldItLastAndHowLongNobodyDid)
{
    const Granted first = as<Granted>(run(acquireBy(1, 60s)));
    run(Release{credentialOf(first.lease)});
    pass(2500ms);
    run(acquireBy(2, 60s));
    const event::Draft acquired = eventOfWrite();
    EXPECT_EQ(acquired.type, Type::LockAcquired);
    ASSERT_TRUE(acquired.previous);
    EXPECT_EQ(acquired.previous->holder, "user1");
    EXPECT_EQ(acquired.previous->term, first.lease.term);
    EXPECT_EQ(acquired.vacantMs, 2500U);
}

TEST_F(RulesHandOverTest, TakingAnExpiredLockIsOneEventWithTwoFacts)
{
    const Granted first = as<Granted>(run(acquireBy(1, 60s)));
    pass(61s);
    run(acquireBy(2, 30s));
    ASSERT_EQ(written->puts.size(), 1U);
    const event::Draft changed = eventOfWrite();
    EXPECT_EQ(changed.type, Type::LockHandedOver);
    EXPECT_EQ(changed.facts, (Facts{Type::LockExpired, Type::LockAcquired}));
    EXPECT_EQ(changed.cause, Cause::Ttl);
    ASSERT_TRUE(changed.previous && changed.current);
    EXPECT_EQ(changed.previous->holder, "user1");
    EXPECT_EQ(changed.previous->term, first.lease.term);
    EXPECT_EQ(changed.current->holder, "user2");
    EXPECT_EQ(changed.vacantMs, 1000U);
}

TEST_F(RulesHandOverTest, AReleaseAndAGrantAreOneTransactionAndOneEvent)
{
    const Granted first = as<Granted>(run(acquireBy(1, 60s)));
    const Revision before = state.version;
    pass(5s);
    const Granted second =
        as<Granted>(commit(handOverTo(Release{credentialOf(first.lease)}, acquireBy(2, 30s))));

    EXPECT_EQ(conditionOf(*written).kind, backend::Condition::Kind::AtVersion);
    EXPECT_EQ(conditionOf(*written).version, before);
    ASSERT_EQ(written->puts.size(), 1U);
    EXPECT_TRUE(written->erasures.empty());
    const auto& record = std::get<backend::LeaseRecord>(written->puts[0].value);
    EXPECT_EQ(record.state, backend::LeaseState::Held);
    EXPECT_EQ(record.term, Term(0));

    EXPECT_TRUE(second.fresh);
    EXPECT_EQ(second.lease.term, Term(revision.value()));
    EXPECT_EQ(second.lease.deadline, now.boot + 30s);
    EXPECT_EQ(second.receipt.revision, revision);
    EXPECT_EQ(state.lease->label, "user2");
    EXPECT_EQ(state.version, revision);
}

TEST_F(RulesHandOverTest, TheEventOfAHandOverHasBothSides)
{
    const Granted first = as<Granted>(run(acquireBy(1, 60s)));
    commit(handOverTo(Release{credentialOf(first.lease)}, acquireBy(2, 30s)));
    const event::Draft changed = eventOfWrite();
    EXPECT_EQ(changed.type, Type::LockHandedOver);
    EXPECT_EQ(changed.facts, (Facts{Type::LockReleased, Type::LockAcquired}));
    EXPECT_EQ(changed.cause, Cause::Released);
    EXPECT_EQ(changed.name, name);
    ASSERT_TRUE(changed.previous && changed.current);
    EXPECT_EQ(changed.previous->holder, "user1");
    EXPECT_EQ(changed.previous->term, first.lease.term);
    EXPECT_EQ(changed.current->holder, "user2");
    EXPECT_EQ(changed.current->term, Term(0));
    EXPECT_EQ(changed.current->expiresAt, now.wall + 30s);
    EXPECT_EQ(changed.vacantMs.value_or(0), 0U);
}

TEST_F(RulesHandOverTest, AResignationAndAnElectionAreAChangeOfLeader)
{
    name = leaseNameOfRoom("room-0001");
    const Granted first = as<Granted>(run(campaignBy("alpha", 30s, 1)));
    const Granted second =
        as<Granted>(commit(handOverTo(Resign{first.token.value()}, campaignBy("beta", 30s, 2))));
    EXPECT_EQ(second.token, bytesOf<32>(2));
    EXPECT_GT(second.lease.term, first.lease.term);
    const event::Draft changed = eventOfWrite();
    EXPECT_EQ(changed.type, Type::LeaderChanged);
    EXPECT_EQ(changed.facts, (Facts{Type::LeaderResigned, Type::LeaderElected}));
    EXPECT_EQ(changed.cause, Cause::Resigned);
    EXPECT_EQ(changed.name, "room-0001");
    EXPECT_EQ(changed.previous->holder, "alpha");
    EXPECT_EQ(changed.current->holder, "beta");
}

TEST_F(RulesHandOverTest, AnExpiryAndAGrantAreOneEventToo)
{
    run(acquireBy(1, 60s));
    pass(60s);
    commit(handOverTo(EndOfLease{Cause::Ttl, std::nullopt}, acquireBy(2, 30s)));
    EXPECT_EQ(eventOfWrite().type, Type::LockHandedOver);
    EXPECT_EQ(eventOfWrite().facts, (Facts{Type::LockExpired, Type::LockAcquired}));
    EXPECT_EQ(eventOfWrite().cause, Cause::Ttl);
}

/// Reading a store: the deadline of a record on this machine's clock.
class RulesAdoptTest : public RulesFixture
{
protected:
    RulesAdoptTest()
    {
        run(acquireBy(1, 60s));
        record = state.lease.value();
    }

    void adoptNow() { adopt(record.deadline, record.ttl, limits.clock, recoveredAt, now); }

    backend::LeaseRecord record;
    BootTime recoveredAt{5000s};
};

TEST_F(RulesAdoptTest, OnTheSameClockTheRemainingTimeIsExact)
{
    const BootTime deadline = record.deadline.boot;
    pass(20s);
    recoveredAt = now.boot;
    adoptNow();
    EXPECT_EQ(record.deadline.boot, deadline);
    EXPECT_EQ(record.deadline.clock, "this-boot");
}

TEST_F(RulesAdoptTest, ADeadlineThatPassedWhileTheServerWasDownStaysPassed)
{
    const BootTime deadline = record.deadline.boot;
    pass(600s);
    adoptNow();
    EXPECT_EQ(record.deadline.boot, deadline);
}

TEST_F(RulesAdoptTest, RemainingTimeIsNeverMoreThanTheTtl)
{
    record.deadline.boot += 1h;
    pass(20s);
    adoptNow();
    EXPECT_EQ(record.deadline.boot, now.boot + 60s);
}

TEST_F(RulesAdoptTest, OnAnotherClockTheLeaseHasItsFullTtlSinceTheRecovery)
{
    record.deadline.clock = "another-boot";
    now.boot = recoveredAt + 25s;
    adoptNow();
    EXPECT_EQ(record.deadline.boot, recoveredAt + 60s);
    EXPECT_EQ(record.deadline.clock, "this-boot");
    EXPECT_EQ(record.deadline.wall, now.wall + 35s) << "people are told the same instant";
}

TEST_F(RulesAdoptTest, OnAnotherClockADelayStartsAgainToo)
{
    Acquire acquire = acquireBy(1, 60s);
    acquire.lockDelay = 10s;
    state = {};
    const Granted granted = as<Granted>(run(acquire));
    run(Release{credentialOf(granted.lease)});
    record = state.lease.value();
    ASSERT_EQ(record.ttl, 10s);
    record.deadline.clock = "another-boot";
    now.boot = recoveredAt + 1s;
    adoptNow();
    EXPECT_EQ(record.deadline.boot, recoveredAt + 10s);
}

TEST_F(RulesAdoptTest, WhatIsOnlyRememberedIsNotCutToTheTtl)
{
    run(Release{{record.holder, record.lease}});
    record = state.lease.value();
    const BootTime until = record.deadline.boot;
    pass(1h);
    adoptNow();
    EXPECT_EQ(record.deadline.boot, until);

    record.deadline.clock = "another-boot";
    now.boot = recoveredAt;
    adoptNow();
    EXPECT_GT(record.deadline.boot, now.boot + 1h);
    EXPECT_LE(record.deadline.boot, recoveredAt + rememberedFor);
}

} // namespace octostore::coordination::test
