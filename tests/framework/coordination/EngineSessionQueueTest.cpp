// SPDX-License-Identifier: MIT
/// @file
/// Waiting in a session, and for what a session held.
#include "SessionFixture.h"

namespace octostore::coordination::test
{

using event::Cause;
using event::Type;

class EngineSessionQueueTest : public SessionFixture
{
};

TEST_F(EngineSessionQueueTest, WhoWaitsInASessionIsToldWhenItIsClosed)
{
    open(1, 1, 30s);
    hold(name, acquireBy(2, 60s));
    const Ticket waiter = harness.submit(name, acquireIn(1, 1, 60s), 100s);
    const Ticket behind = harness.submit(name, acquireBy(3, 60s), 100s);
    harness.immediate = false;
    close(1, 1);
    EXPECT_FALSE(harness.answered(waiter));
    harness.commit();
    EXPECT_EQ(codeOf(harness.reply(waiter)), ErrorCode::NotFound);
    EXPECT_FALSE(harness.answered(behind));
    EXPECT_EQ(harness.engine().waitersOf(name), 1U);
}

TEST_F(EngineSessionQueueTest, WhoWaitsInASessionIsToldWhenItRunsOut)
{
    open(1, 1, 30s);
    hold(name, acquireBy(2, 60s));
    hold("another", acquireBy(2, 60s));
    const Ticket first = harness.submit(name, acquireIn(1, 1, 60s), 100s);
    const Ticket second = harness.submit("another", acquireIn(1, 1, 60s, 1), 100s);
    harness.pass(30s);
    EXPECT_EQ(codeOf(harness.reply(first)), ErrorCode::SessionExpired);
    EXPECT_EQ(codeOf(harness.reply(second)), ErrorCode::SessionExpired);
}

TEST_F(EngineSessionQueueTest, WaitersOfASessionWhoseWaitRunsOutInTheSameMomentAreToldOnce)
{
    // The name waits for the end of the session that both holds it and waits for it.
    open(1, 1, 30s);
    hold(name, acquireIn(1, 1, 60s));
    Acquire tagged = acquireBy(1, 60s);
    tagged.session = sessionNamed(1);
    const Ticket longer = harness.submit(name, tagged, 100s);
    const Ticket shorter = harness.submit(name, tagged, 30s + 1ms);
    harness.immediate = false;
    harness.pass(30s + 2ms); // the end of the session is in flight
    EXPECT_FALSE(harness.answered(shorter));
    harness.immediate = true;
    harness.advance();
    EXPECT_EQ(codeOf(harness.reply(longer)), ErrorCode::SessionExpired);
    EXPECT_EQ(codeOf(harness.reply(shorter)), ErrorCode::SessionExpired);
}

TEST_F(EngineSessionQueueTest, AWaiterWhoseGrantFailsIsToldThatItsSessionEndedMeanwhile)
{
    open(1, 1, 30s);
    const Granted granted = hold(name, acquireBy(2, 60s));
    const Ticket waiter = harness.submit(name, acquireIn(1, 1, 60s), 100s);
    harness.immediate = false;
    harness.submit(name, Release{credentialOf(granted.lease)});
    close(1, 1);
    harness.commit(inFlightOf(1));
    EXPECT_FALSE(harness.answered(waiter)) << "its grant is under way";
    harness.fail(ErrorCode::Unavailable, inFlightOf(name));
    EXPECT_EQ(codeOf(harness.reply(waiter)), ErrorCode::NotFound);
    EXPECT_TRUE(held(name)) << "and the release did not happen";
}

TEST_F(EngineSessionQueueTest, AHandOverThatMeetsTheEndOfTheWaitersSessionGoesToTheNext)
{
    open(1, 1, 30s);
    const Granted granted = hold(name, acquireBy(2, 60s));
    const Ticket waiter = harness.submit(name, acquireIn(1, 1, 60s), 100s);
    const Ticket behind = harness.submit(name, acquireBy(3, 60s), 100s);
    harness.immediate = false;
    harness.mayConflict = true;
    const Ticket release = harness.submit(name, Release{credentialOf(granted.lease)});
    close(1, 1);
    harness.commit(inFlightOf(1));
    harness.immediate = true;
    harness.commit(inFlightOf(name));
    EXPECT_EQ(codeOf(harness.reply(waiter)), ErrorCode::NotFound);
    EXPECT_TRUE(is<Ended>(harness.reply(release)));
    EXPECT_TRUE(harness.get<Granted>(behind).fresh);
}

TEST_F(EngineSessionQueueTest, WhatWaitsForTheEndOfASessionIsToldWhenThatCannotBeRecorded)
{
    open(1, 1, 30s);
    hold(name, acquireIn(1, 1, 60s));
    harness.immediate = false;
    harness.pass(30s);
    const Ticket acquire = harness.submit(name, acquireBy(2, 60s));
    EXPECT_FALSE(harness.answered(acquire));
    harness.fail(ErrorCode::Unavailable);
    EXPECT_EQ(codeOf(harness.reply(acquire)), ErrorCode::Unavailable);
    harness.immediate = true;
    harness.pass(1s);
    hold(name, acquireBy(2, 60s));
}

TEST_F(EngineSessionQueueTest, AWaitThatEndsInTheInstantTheNameIsFreeIsServed)
{
    open(1, 1, 30s);
    hold(name, acquireIn(1, 1, 60s));
    const Ticket waiter = harness.submit(name, acquireBy(2, 60s), 30s);
    harness.step(31s); // session and wait ran out while the server was busy
    harness.advance();
    EXPECT_TRUE(harness.get<Granted>(waiter).fresh);
}

TEST_F(EngineSessionQueueTest, AWaitThatRunsOutWhileTheEndOfASessionIsInFlightIsServed)
{
    open(1, 1, 30s);
    hold(name, acquireIn(1, 1, 60s));
    const Ticket waiter = harness.submit(name, acquireBy(2, 60s), 30s + 1ms);
    harness.immediate = false;
    harness.pass(30s + 2ms);
    EXPECT_FALSE(harness.answered(waiter));
    harness.immediate = true;
    harness.advance();
    EXPECT_TRUE(harness.get<Granted>(waiter).fresh);
}

TEST_F(EngineSessionQueueTest, ANewcomerBehindACommitFindsTheNextHolderAndNoExcuse)
{
    hold(name, acquireBy(1, 10s));
    const Ticket waiter = harness.submit(name, acquireBy(2, 60s), 100s);
    harness.immediate = false;
    ChangeAcl drop = changeAclBy(9, {"user:user2", "user:user3"});
    drop.admin = true;
    harness.submit(name, drop);
    Acquire third = acquireBy(3, 60s);
    third.callerNames = {"user:user3"};
    const Ticket newcomer = harness.submit(name, third);
    harness.step(10s); // the lease is over before the change is committed
    harness.immediate = true;
    harness.commit();
    EXPECT_EQ(codeOf(harness.reply(waiter)), ErrorCode::Forbidden) << "it has no names";
    EXPECT_TRUE(is<Granted>(harness.reply(newcomer)));
}

TEST_F(EngineSessionQueueTest, ANewcomerDoesNotPassWhoWaitsForWhatIsOver)
{
    const Granted granted = hold(name, acquireBy(1, 10s));
    const Ticket waiter = harness.submit(name, acquireBy(2, 60s), 100s);
    harness.immediate = false;
    harness.submit(name, Renew{credentialOf(granted.lease), 1s});
    const Ticket newcomer = harness.submit(name, acquireBy(3, 60s));
    harness.step(10s); // also the new deadline is over before it is committed
    harness.immediate = true;
    harness.commit();
    EXPECT_TRUE(harness.get<Granted>(waiter).fresh);
    EXPECT_TRUE(is<Held>(harness.reply(newcomer)));
}

} // namespace octostore::coordination::test
