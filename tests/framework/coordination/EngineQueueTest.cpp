// SPDX-License-Identifier: MIT
/// @file
/// Waiting for a name: the order, the kept places, the hand-over.
#include "QueueFixture.h"

#include <octostore/coordination/Name.h>

namespace octostore::coordination::test
{

class EngineQueueTest : public QueueFixture
{
};

TEST_F(EngineQueueTest, AWaiterIsServedInTheTransactionOfTheRelease)
{
    const Granted first = hold(1, 60s);
    const Ticket waiter = waitBy(2, 30s);
    EXPECT_FALSE(harness.answered(waiter));
    EXPECT_EQ(harness.status(name).waiters, 1U);
    EXPECT_EQ(harness.engine().waitersOf(name), 1U);
    harness.pass(1500ms);
    const std::size_t before = harness.events().size();
    harness.ask<Ended>(name, Release{credentialOf(first.lease)});

    const Granted second = harness.get<Granted>(waiter);
    EXPECT_TRUE(second.fresh);
    EXPECT_EQ(second.waited, 1500ms);
    EXPECT_EQ(second.lease.deadline, harness.now.boot + 60s) << "from the grant, not the request";
    EXPECT_GT(second.lease.term, first.lease.term);
    ASSERT_EQ(harness.events().size(), before + 1);
    EXPECT_EQ(harness.events().back().what.type, event::Type::LockHandedOver);
    EXPECT_EQ(harness.status(name).waiters, 0U);
}

TEST_F(EngineQueueTest, WaitersAreServedFirstInFirstOut)
{
    Granted current = hold(1, 60s);
    std::vector<Ticket> waiters;
    for (std::uint64_t who = 2; who < 10; ++who)
        waiters.push_back(waitBy(who, 300s));
    for (std::size_t i = 0; i < waiters.size(); ++i)
    {
        harness.ask<Ended>(name, Release{credentialOf(current.lease)});
        for (std::size_t later = i + 1; later < waiters.size(); ++later)
            EXPECT_FALSE(harness.answered(waiters[later]));
        current = harness.get<Granted>(waiters[i]);
    }
}

TEST_F(EngineQueueTest, AWaiterIsServedAtTheDeadlineOfTheLease)
{
    const Granted first = hold(1, 10s);
    const Ticket waiter = waitBy(2, 30s);
    harness.passUntil(first.lease.deadline - 1ns);
    EXPECT_FALSE(harness.answered(waiter));
    harness.pass(1ns);
    EXPECT_EQ(harness.get<Granted>(waiter).waited, 10s);
    EXPECT_EQ(harness.events().back().what.facts,
              (std::vector<event::Type>{event::Type::LockExpired, event::Type::LockAcquired}));
}

TEST_F(EngineQueueTest, AWaiterIsServedWhenTheLockDelayIsOver)
{
    const Granted first = hold(1, 60s, 10s);
    const Ticket waiter = waitBy(2, 30s);
    harness.ask<Ended>(name, Release{credentialOf(first.lease)});
    EXPECT_EQ(harness.status(name).waiters, 1U);
    harness.pass(10s - 1ns);
    EXPECT_FALSE(harness.answered(waiter));
    harness.pass(1ns);
    EXPECT_TRUE(harness.get<Granted>(waiter).fresh);
}

TEST_F(EngineQueueTest, WaitingForACoolingNameIsPossible)
{
    const Granted first = hold(1, 60s, 10s);
    harness.ask<Ended>(name, Release{credentialOf(first.lease)});
    const Ticket shortWait = waitBy(2, 5s);
    const Ticket longWait = waitBy(3, 30s);
    harness.pass(5s);
    const Delayed delayed = harness.get<Delayed>(shortWait);
    EXPECT_EQ(delayed.availableAt, harness.now.boot + 5s);
    EXPECT_EQ(delayed.queuePosition, 0U);
    harness.pass(5s);
    EXPECT_TRUE(harness.get<Granted>(longWait).fresh);
}

TEST_F(EngineQueueTest, AWaitThatRunsOutIsAnsweredAsIfNobodyHadWaited)
{
    const Granted first = hold(1, 60s);
    const Ticket one = waitBy(2, 5s), two = waitBy(3, 7s);
    harness.pass(5s - 1ns);
    EXPECT_FALSE(harness.answered(one));
    harness.pass(1ns);
    const Held held = harness.get<Held>(one);
    EXPECT_EQ(held.lease.term, first.lease.term);
    EXPECT_EQ(held.queuePosition, 0U);
    EXPECT_FALSE(harness.answered(two));
    EXPECT_EQ(harness.status(name).waiters, 1U);
    EXPECT_FALSE(harness.get<Held>(nowBy(4)).queuePosition) << "did not ask to wait";
    harness.pass(2s);
    EXPECT_TRUE(harness.get<Held>(two).queuePosition);
}

TEST_F(EngineQueueTest, TheWaitCountsFromTheArrivalOfTheRequest)
{
    hold(1, 60s);
    Request request;
    request.name = name;
    request.operation = Command(acquireBy(2, 60s));
    request.arrived = harness.now.boot - 500ms;
    request.wait = 5s;
    const Ticket waiter = harness.submit(request);
    harness.pass(4500ms - 1ns);
    EXPECT_FALSE(harness.answered(waiter));
    harness.pass(1ns);
    EXPECT_TRUE(is<Held>(harness.reply(waiter)));
}

TEST_F(EngineQueueTest, AnEndedWaitKeepsItsPlaceForFiveSeconds)
{
    const Granted first = hold(1, 60s);
    const Ticket early = waitBy(2, 5s), late = waitBy(3, 50s);
    harness.pass(5s);
    ASSERT_TRUE(harness.answered(early));
    harness.pass(5s - 1ms);
    const Ticket again = waitBy(2, 30s);
    harness.ask<Ended>(name, Release{credentialOf(first.lease)});
    EXPECT_TRUE(harness.get<Granted>(again).fresh);
    EXPECT_FALSE(harness.answered(late));
}

TEST_F(EngineQueueTest, AfterFiveSecondsThePlaceIsLost)
{
    const Granted first = hold(1, 60s);
    waitBy(2, 5s);
    const Ticket late = waitBy(3, 50s);
    harness.pass(10s + 1ms);
    const Ticket again = waitBy(2, 30s);
    harness.ask<Ended>(name, Release{credentialOf(first.lease)});
    EXPECT_TRUE(harness.get<Granted>(late).fresh);
    EXPECT_FALSE(harness.answered(again));
}

TEST_F(EngineQueueTest, AfterFiveSecondsThePlaceIsLostAlsoToAnEngineThatIsLate)
{
    const Granted first = hold(1, 60s);
    waitBy(2, 5s);
    const Ticket late = waitBy(3, 50s);
    harness.pass(5s);
    harness.step(5s);
    const Ticket again = waitBy(2, 30s);
    harness.ask<Ended>(name, Release{credentialOf(first.lease)});
    EXPECT_TRUE(harness.get<Granted>(late).fresh);
    EXPECT_FALSE(harness.answered(again));
}

TEST_F(EngineQueueTest, ABrokenConnectionKeepsThePlaceToo)
{
    const Granted first = hold(1, 60s);
    const Ticket broken = waitBy(2, 30s), late = waitBy(3, 50s);
    harness.abandon(broken);
    EXPECT_EQ(harness.status(name).waiters, 1U);
    harness.pass(4s);
    const Ticket again = waitBy(2, 30s);
    harness.ask<Ended>(name, Release{credentialOf(first.lease)});
    EXPECT_TRUE(harness.get<Granted>(again).fresh);
    EXPECT_FALSE(harness.answered(broken));
    EXPECT_FALSE(harness.answered(late));
}

TEST_F(EngineQueueTest, WhoIsAbsentIsSkippedNotGranted)
{
    const Granted first = hold(1, 60s);
    const Ticket absent = waitBy(2, 30s), present = waitBy(3, 30s);
    harness.abandon(absent);
    harness.ask<Ended>(name, Release{credentialOf(first.lease)});
    const Granted second = harness.get<Granted>(present);
    const Ticket back = waitBy(2, 30s), third = waitBy(4, 30s);
    harness.ask<Ended>(name, Release{credentialOf(second.lease)});
    EXPECT_TRUE(harness.get<Granted>(back).fresh);
    EXPECT_FALSE(harness.answered(third));
}

TEST_F(EngineQueueTest, ANewcomerMayAcquireWhileOnlyAbsentOnesHavePlaces)
{
    const Granted first = hold(1, 60s);
    const Ticket absent = waitBy(2, 30s);
    harness.abandon(absent);
    harness.ask<Ended>(name, Release{credentialOf(first.lease)});
    EXPECT_FALSE(harness.status(name).lease);
    EXPECT_TRUE(harness.get<Granted>(nowBy(3)).fresh);
}

TEST_F(EngineQueueTest, ANewcomerNeverOvertakesAWaiter)
{
    hold(1, 60s, 10s);
    const Ticket waiter = waitBy(2, 300s);
    harness.pass(60s);
    harness.step(10s); // the delay is over, and the engine has not been told
    const Ticket newcomer = nowBy(3);
    harness.advance();
    EXPECT_TRUE(harness.get<Granted>(waiter).fresh);
    EXPECT_FALSE(is<Granted>(harness.reply(newcomer)));
}

TEST_F(EngineQueueTest, ANewcomerNeverOvertakesAWaiterOfAnExpiredLease)
{
    hold(1, 10s);
    const Ticket waiter = waitBy(2, 300s);
    harness.step(10s);
    const Ticket newcomer = nowBy(3);
    harness.advance();
    EXPECT_TRUE(harness.get<Granted>(waiter).fresh);
    EXPECT_EQ(harness.get<Held>(newcomer).lease.label, "user2");
}

TEST_F(EngineQueueTest, WaitersOfOneHolderKeepTheirPlaceWhenTheLeaseIsOverBeforeItsCommit)
{
    const Granted first = hold(1, 60s);
    const Ticket one = waitBy(2, 30s, 1s), two = waitBy(2, 30s, 40s), other = waitBy(3, 30s);
    harness.immediate = false;
    harness.submit(name, Release{credentialOf(first.lease)});
    harness.step(2s);
    harness.commit();
    EXPECT_EQ(codeOf(harness.reply(one)), ErrorCode::OutcomeUnknown);
    harness.immediate = true;
    harness.advance();
    EXPECT_TRUE(harness.get<Granted>(two).fresh);
    EXPECT_FALSE(harness.answered(other)) << "it came later";
}

TEST_F(EngineQueueTest, WaitersOfOneHolderGetTheSameLease)
{
    const Granted first = hold(1, 60s);
    const Ticket one = waitBy(2, 30s, 20s), other = waitBy(3, 30s), two = waitBy(2, 30s, 40s);
    harness.ask<Ended>(name, Release{credentialOf(first.lease)});
    const Granted lease = harness.get<Granted>(one);
    const Granted same = harness.get<Granted>(two);
    EXPECT_EQ(same.lease.term, lease.lease.term);
    EXPECT_EQ(same.lease.lease, lease.lease.lease);
    EXPECT_NE(same.fresh, lease.fresh) << "one grant";
    EXPECT_FALSE(harness.answered(other));
    EXPECT_GE(harness.status(name).lease->deadline, same.lease.deadline);
    EXPECT_GE(harness.status(name).lease->deadline, lease.lease.deadline);
}

TEST_F(EngineQueueTest, CampaignsOfOneCandidateAndKeyGetTheSameTerm)
{
    name = leaseNameOfRoom("room-0001");
    const std::string key = "candidate-key-of-beta-1";
    const Granted first = harness.ask<Granted>(name, campaignBy("alpha", 30s, 1));
    const Ticket one = harness.submit(name, campaignBy("beta", 30s, 2, key), 20s);
    const Ticket stranger = harness.submit(name, campaignBy("beta", 30s, 3), 20s);
    const Ticket two = harness.submit(name, campaignBy("beta", 30s, 4, key), 20s);
    harness.ask<Ended>(name, Resign{first.token.value()});
    EXPECT_EQ(harness.get<Granted>(one).lease.term, harness.get<Granted>(two).lease.term);
    EXPECT_EQ(harness.get<Granted>(one).token, harness.get<Granted>(two).token);
    EXPECT_FALSE(harness.answered(stranger));
    harness.ask<Ended>(name, Resign{harness.get<Granted>(one).token.value()});
    EXPECT_GT(harness.get<Granted>(stranger).lease.term, harness.get<Granted>(two).lease.term);
}

TEST_F(EngineQueueTest, ACandidateFindsItsPlaceByItsKey)
{
    name = leaseNameOfRoom("room-0001");
    const std::string key = "candidate-key-of-beta-1";
    const Granted first = harness.ask<Granted>(name, campaignBy("alpha", 60s, 1));
    harness.submit(name, campaignBy("beta", 30s, 2, key), 5s);
    const Ticket late = harness.submit(name, campaignBy("gamma", 30s, 3), 50s);
    harness.pass(7s);
    const Ticket again = harness.submit(name, campaignBy("beta", 30s, 4, key), 20s);
    harness.ask<Ended>(name, Resign{first.token.value()});
    EXPECT_TRUE(harness.get<Granted>(again).fresh);
    EXPECT_FALSE(harness.answered(late));
}

TEST_F(EngineQueueTest, TheLimitIsCheckedAgainWhenAWaiterIsServed)
{
    Limits limits;
    limits.leasesPerPrincipalMax = 1;
    EngineHarness small(limits);
    const Granted first = small.ask<Granted>(name, acquireBy(1, 60s));
    const Ticket waiter = small.submit(name, acquireBy(2, 60s, 2), 30s);
    const Ticket next = small.submit(name, acquireBy(3, 60s, 3), 30s);
    small.ask<Granted>("elsewhere", acquireBy(2, 60s));
    small.ask<Ended>(name, Release{credentialOf(first.lease)});
    EXPECT_EQ(codeOf(small.reply(waiter)), ErrorCode::LockLimitExceeded);
    EXPECT_TRUE(small.get<Granted>(next).fresh);
}

TEST_F(EngineQueueTest, AtTheLimitNobodyStartsToWait)
{
    Limits limits;
    limits.leasesPerPrincipalMax = 1;
    EngineHarness small(limits);
    small.ask<Granted>(name, acquireBy(1, 60s));
    small.ask<Granted>("elsewhere", acquireBy(2, 60s));
    const Ticket refused = small.submit(name, acquireBy(2, 60s, 2), 30s);
    EXPECT_EQ(codeOf(small.reply(refused)), ErrorCode::LockLimitExceeded);
}

TEST_F(EngineQueueTest, ARoomIsHandedOverAlsoAtCapacity)
{
    Limits limits;
    limits.liveRoomsMax = 1;
    EngineHarness small(limits);
    name = leaseNameOfRoom("room-0001");
    const Granted first = small.ask<Granted>(name, campaignBy("alpha", 30s, 1));
    const Ticket waiter = small.submit(name, campaignBy("beta", 30s, 2), 60s);
    small.ask<Ended>(name, Resign{first.token.value()});
    EXPECT_TRUE(small.get<Granted>(waiter).fresh);
    const Ticket third = small.submit(name, campaignBy("gamma", 30s, 3), 60s);
    small.pass(30s);
    EXPECT_TRUE(small.get<Granted>(third).fresh);
}

TEST_F(EngineQueueTest, ALockIsHandedOverWithinOneAccountAlsoAtItsLimit)
{
    Limits limits;
    limits.leasesPerPrincipalMax = 2;
    EngineHarness small(limits);
    const Granted first = small.ask<Granted>(name, acquireBy(1, 60s));
    Acquire session = acquireBy(1, 60s, 2);
    session.holder = idOf<HolderId>(501);
    const Ticket waiter = small.submit(name, session, 30s);
    small.ask<Granted>("elsewhere", acquireBy(1, 60s, 3));
    small.ask<Ended>(name, Release{credentialOf(first.lease)});
    EXPECT_TRUE(small.get<Granted>(waiter).fresh) << "what the one gives up the other may have";
}

TEST_F(EngineQueueTest, ManyWaitersAreTheMost)
{
    Limits limits;
    limits.waitersPerNameMax = 3;
    EngineHarness small(limits);
    small.ask<Granted>(name, acquireBy(1, 60s));
    for (std::uint64_t who = 2; who < 5; ++who)
        small.submit(name, acquireBy(who, 60s), 30s);
    const Ticket tooMany = small.submit(name, acquireBy(9, 60s), 30s);
    EXPECT_TRUE(small.answered(tooMany));
    EXPECT_EQ(small.status(name).waiters, 3U);
}

TEST_F(EngineQueueTest, ManyWaitsThatEndTogetherLeaveTurnsToOthers)
{
    constexpr std::uint64_t many = 2'000;
    hold(1, 300s);
    std::vector<Ticket> waiters;
    for (std::uint64_t who = 0; who < many; ++who)
        waiters.push_back(waitBy(2 + who, 30s));
    harness.step(30s);
    int turns = 1;
    while (harness.engine().advance(harness.now, 256))
        ++turns;
    EXPECT_GT(turns, 50) << "of 256 waits each they would be 8";
    harness.advance();
    for (std::uint64_t who = 0; who < many; ++who)
        EXPECT_EQ(harness.get<Held>(waiters[who]).queuePosition, who) << "its place is kept";
}

} // namespace octostore::coordination::test
