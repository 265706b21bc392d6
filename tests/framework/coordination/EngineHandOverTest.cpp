// SPDX-License-Identifier: MIT
/// @file
/// Grants to waiters while commits are under way: who leaves, what fails, what is given back.
#include "QueueFixture.h"

#include <octostore/coordination/Name.h>

namespace octostore::coordination::test
{

class EngineHandOverTest : public QueueFixture
{
};

TEST_F(EngineHandOverTest, AWaiterWhoseGrantIsInFlightIsNotToldThatItsWaitRanOut)
{
    const Granted first = hold(1, 60s);
    const Ticket waiter = waitBy(2, 5s);
    harness.immediate = false;
    harness.pass(5s - 1ms);
    const Ticket release = harness.submit(name, Release{credentialOf(first.lease)});
    harness.pass(10ms);
    EXPECT_FALSE(harness.answered(waiter));
    harness.commit();
    EXPECT_TRUE(harness.get<Ended>(release).term == first.lease.term);
    EXPECT_TRUE(harness.get<Granted>(waiter).fresh);
}

TEST_F(EngineHandOverTest, AWaitThatEndsWhileTheNameIsBusyIsAnsweredAfterTheCommit)
{
    const Granted first = hold(1, 60s);
    const Ticket waiter = waitBy(2, 5s);
    harness.immediate = false;
    harness.pass(5s - 1ms);
    harness.submit(name, Renew{credentialOf(first.lease), 90s});
    const Ticket release = harness.submit(name, Release{credentialOf(first.lease)});
    harness.pass(10ms);
    EXPECT_FALSE(harness.answered(waiter));
    harness.commit();
    EXPECT_EQ(harness.get<Held>(waiter).lease.deadline, first.lease.deadline + 35s - 1ms)
        << "the state that was committed, not a failure";
    harness.commit();
    EXPECT_TRUE(is<Ended>(harness.reply(release)));
}

TEST_F(EngineHandOverTest, AGrantInFlightWhoseWaiterLeavesGoesToTheNext)
{
    const Granted first = hold(1, 60s);
    const Ticket leaves = waitBy(2, 30s), next = waitBy(3, 30s);
    harness.immediate = false;
    harness.submit(name, Release{credentialOf(first.lease)});
    harness.abandon(leaves);
    harness.immediate = true;
    harness.commit();
    EXPECT_FALSE(harness.answered(leaves));
    EXPECT_TRUE(harness.get<Granted>(next).fresh);
    EXPECT_EQ(harness.events().back().what.cause, event::Cause::Undelivered);
}

TEST_F(EngineHandOverTest, AGrantInFlightWhoseWaiterLeavesStaysIfItsHolderWasAnsweredElsewhere)
{
    const Granted first = hold(1, 60s);
    const Ticket leaves = waitBy(2, 30s), same = waitBy(2, 30s), next = waitBy(3, 30s);
    harness.immediate = false;
    harness.submit(name, Release{credentialOf(first.lease)});
    harness.abandon(leaves);
    harness.immediate = true;
    harness.commit();
    EXPECT_EQ(harness.status(name).lease->term, harness.get<Granted>(same).lease.term);
    EXPECT_FALSE(harness.answered(next));
}

TEST_F(EngineHandOverTest, AGivenBackGrantGoesToTheNextWithoutADelay)
{
    const Granted first = hold(1, 60s);
    Acquire delayed = acquireBy(2, 60s, 5);
    delayed.lockDelay = 30s;
    const Ticket undelivered = harness.submit(name, delayed, 30s);
    const Ticket next = waitBy(3, 30s);
    harness.ask<Ended>(name, Release{credentialOf(first.lease)});
    const Granted lost = harness.get<Granted>(undelivered);
    harness.submit(name, EndOfLease{event::Cause::Undelivered, lost.receipt});
    EXPECT_GT(harness.get<Granted>(next).lease.term, lost.lease.term);
    EXPECT_EQ(harness.events().back().what.type, event::Type::LockHandedOver);
    EXPECT_EQ(harness.events().back().what.cause, event::Cause::Undelivered);
}

TEST_F(EngineHandOverTest, WhatAnAdministratorEndsIsHandedOverInTheSameTransaction)
{
    const Granted first = hold(1, 60s);
    const Ticket waiter = waitBy(2, 30s);
    harness.ask<Ended>(name, ForceEnd{first.lease.term, "stuck"});
    EXPECT_TRUE(harness.get<Granted>(waiter).fresh);
    EXPECT_EQ(
        harness.events().back().what.facts,
        (std::vector<event::Type>{event::Type::LockForceReleased, event::Type::LockAcquired}));
    EXPECT_EQ(harness.events().back().what.reason, "stuck");
}

TEST_F(EngineHandOverTest, AHandOverThatFailsLeavesTheHolderAndServesTheWaiterLater)
{
    const Granted first = hold(1, 60s);
    const Ticket waiter = waitBy(2, 50s);
    harness.immediate = false;
    const Ticket release = harness.submit(name, Release{credentialOf(first.lease)});
    harness.fail(ErrorCode::Unavailable);
    EXPECT_EQ(codeOf(harness.reply(release)), ErrorCode::Unavailable);
    EXPECT_EQ(harness.status(name).lease->term, first.lease.term);
    harness.immediate = true;
    harness.ask<Ended>(name, Release{credentialOf(first.lease)});
    EXPECT_TRUE(harness.get<Granted>(waiter).fresh);
}

TEST_F(EngineHandOverTest, DrainingAnswersEveryWaiterAndTakesNoMore)
{
    const Granted first = hold(1, 60s);
    const Ticket one = waitBy(2, 30s), two = waitBy(3, 30s);
    harness.drain();
    EXPECT_EQ(codeOf(harness.reply(one)), ErrorCode::Draining);
    EXPECT_EQ(codeOf(harness.reply(two)), ErrorCode::Draining);
    EXPECT_EQ(harness.status(name).waiters, 0U);
    EXPECT_TRUE(harness.answered(waitBy(4, 30s)));
    harness.ask<Renewed>(name, Renew{credentialOf(first.lease), 60s});
    harness.ask<Ended>(name, Release{credentialOf(first.lease)});
    EXPECT_FALSE(harness.status(name).lease) << "nobody waits any more";
}

} // namespace octostore::coordination::test
