// SPDX-License-Identifier: MIT
/// @file
/// The rules that refuse a free lock for a while: the lock delay and the limit per account.
#include "RulesFixture.h"

namespace octostore::coordination::test
{

class RulesLimitTest : public RulesFixture
{
protected:
    Granted holdWithDelay(Milliseconds delay)
    {
        Acquire acquire = acquireBy(1, 60s);
        acquire.lockDelay = delay;
        return as<Granted>(run(acquire));
    }
};

TEST_F(RulesLimitTest, AfterAReleaseEverybodyWaitsForTheLockDelay)
{
    const Granted granted = holdWithDelay(10s);
    pass(20s);
    run(Release{credentialOf(granted.lease)});
    const BootTime released = now.boot;
    EXPECT_EQ(state.lease->state, backend::LeaseState::Cooling);
    pass(10s - 1ns);
    for (const std::uint64_t who : {1, 2})
    {
        const Delayed delayed = as<Delayed>(run(acquireBy(who, 60s, 9)));
        EXPECT_TRUE(mayWait);
        EXPECT_EQ(delayed.availableAt, released + 10s);
        EXPECT_EQ(delayed.availableAtWall, now.wall + 1ns);
        EXPECT_EQ(delayed.lockDelay, 10s);
    }
    pass(1ns);
    EXPECT_TRUE(is<Granted>(run(acquireBy(2, 60s))));
}

TEST_F(RulesLimitTest, ACoolingNameIsFreeAndSaysWhenItCanBeHad)
{
    const Granted granted = holdWithDelay(10s);
    run(Release{credentialOf(granted.lease)});
    EXPECT_FALSE(status().lease);
    EXPECT_EQ(status().lastTerm, granted.lease.term);
    EXPECT_EQ(status().availableAt, now.wall + 10s);
    EXPECT_EQ(coolingUntil(state, now.boot), now.boot + 10s);
    pass(10s);
    EXPECT_FALSE(status().availableAt);
    EXPECT_FALSE(coolingUntil(state, now.boot));
    EXPECT_EQ(status().lastTerm, granted.lease.term);
}

TEST_F(RulesLimitTest, AfterAnExpiryTheDelayCountsFromTheDeadline)
{
    const Granted granted = holdWithDelay(10s);
    pass(63s);
    EXPECT_EQ(as<Delayed>(run(acquireBy(2, 60s))).availableAt, granted.lease.deadline + 10s);
    EXPECT_EQ(coolingUntil(state, now.boot), granted.lease.deadline + 10s);
    EXPECT_EQ(status().availableAt, granted.lease.expiresAt + 10s);

    run(EndOfLease{event::Cause::Ttl, std::nullopt});
    EXPECT_EQ(state.lease->state, backend::LeaseState::Cooling);
    EXPECT_EQ(as<Delayed>(run(acquireBy(2, 60s))).availableAt, granted.lease.deadline + 10s);
    EXPECT_EQ(status().availableAt, granted.lease.expiresAt + 10s);
}

TEST_F(RulesLimitTest, ADelayThatHasPassedBeforeTheEndWasRecordedDelaysNobody)
{
    holdWithDelay(10s);
    pass(70s);
    EXPECT_FALSE(coolingUntil(state, now.boot));
    EXPECT_TRUE(std::holds_alternative<Write>(decideOn(state, acquireBy(2, 60s))));
    run(EndOfLease{event::Cause::Ttl, std::nullopt});
    EXPECT_FALSE(status().availableAt);
    EXPECT_TRUE(is<Granted>(run(acquireBy(2, 60s))));
}

TEST_F(RulesLimitTest, ARepeatedReleaseWhileCoolingIsToldHowTheLeaseEnded)
{
    const Granted granted = holdWithDelay(10s);
    run(Release{credentialOf(granted.lease)});
    const Refused refused = as<Refused>(run(Release{credentialOf(granted.lease)}));
    EXPECT_EQ(refused.error.code, ErrorCode::LeaseGone);
    ASSERT_TRUE(refused.ended);
    EXPECT_EQ(refused.ended->cause, event::Cause::Released);
}

TEST_F(RulesLimitTest, AnAccountAtItsLimitIsRefusedAFreeLock)
{
    scope.leasesOfPrincipal = limits.leasesPerPrincipalMax - 1;
    EXPECT_TRUE(std::holds_alternative<Write>(decideOn(state, acquireBy(1, 60s))));
    scope.leasesOfPrincipal = limits.leasesPerPrincipalMax;
    EXPECT_EQ(codeOf(run(acquireBy(1, 60s))), ErrorCode::LockLimitExceeded);
    EXPECT_FALSE(mayWait);
    EXPECT_FALSE(written);
}

TEST_F(RulesLimitTest, TheLimitIsLookedAtBeforeTheHolder)
{
    run(acquireBy(1, 60s));
    scope.leasesOfPrincipal = limits.leasesPerPrincipalMax;
    EXPECT_EQ(codeOf(run(acquireBy(2, 60s))), ErrorCode::LockLimitExceeded);
    EXPECT_FALSE(mayWait);
}

TEST_F(RulesLimitTest, TheHolderOfALiveLeaseIsExemptFromTheLimit)
{
    const Granted granted = as<Granted>(run(acquireBy(1, 60s)));
    scope.leasesOfPrincipal = limits.leasesPerPrincipalMax;
    EXPECT_EQ(as<Granted>(run(acquireBy(1, 90s, 2))).lease.term, granted.lease.term);
    pass(90s);
    EXPECT_EQ(codeOf(run(acquireBy(1, 60s, 3))), ErrorCode::LockLimitExceeded);
}

TEST_F(RulesLimitTest, TheDelayIsLookedAtBeforeTheLimit)
{
    const Granted granted = holdWithDelay(10s);
    run(Release{credentialOf(granted.lease)});
    scope.leasesOfPrincipal = limits.leasesPerPrincipalMax;
    EXPECT_TRUE(is<Delayed>(run(acquireBy(2, 60s))));
    pass(10s);
    EXPECT_EQ(codeOf(run(acquireBy(2, 60s))), ErrorCode::LockLimitExceeded);
}

TEST_F(RulesLimitTest, RoomsDoNotCountAgainstLocks)
{
    scope.liveRooms = limits.liveRoomsMax;
    EXPECT_TRUE(is<Granted>(run(acquireBy(1, 60s))));
}

} // namespace octostore::coordination::test
