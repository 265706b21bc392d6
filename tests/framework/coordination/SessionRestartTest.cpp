// SPDX-License-Identifier: MIT
/// @file
/// Sessions across a restart: nothing is forgotten, nothing outlives what it depends on.
#include "SessionFixture.h"

#include <algorithm>

namespace octostore::coordination::test
{

using event::Cause;

class SessionRestartTest : public SessionFixture
{
protected:
    /// A new engine on the same records, given in one order or the other.
    std::unique_ptr<Engine> restored(const std::string& clock, bool reversed)
    {
        Limits limits;
        limits.clock = clock;
        auto engine = std::make_unique<Engine>(limits);
        std::vector<backend::Record> records;
        for (const auto& [key, record] : harness.store().records())
            records.push_back(record);
        if (reversed)
            std::reverse(records.begin(), records.end());
        for (backend::Record& record : records)
            engine->restore(std::move(record), harness.now.boot, harness.now);
        engine->restored(harness.now);
        return engine;
    }
};

TEST_F(SessionRestartTest, SessionsAndTheirLocksComeBackWithWhatWasLeft)
{
    open(1, 1, 30s);
    const Granted granted = hold(name, acquireIn(1, 1, 60s));
    harness.step(10s); // the server is down
    harness.restart();
    EXPECT_EQ(view(1, 1).deadline, harness.now.boot + 20s);
    EXPECT_EQ(view(1, 1).locks, 1U);
    EXPECT_TRUE(is<Renewed>(
        harness.reply(harness.submit(name, Renew{accountsOwn(1, granted.lease), 60s}))));
    harness.pass(20s - 1ns);
    EXPECT_TRUE(held(name));
    harness.pass(1ns);
    EXPECT_FALSE(held(name));
    EXPECT_EQ(lastEventOf(name).cause, Cause::SessionExpired);
}

TEST_F(SessionRestartTest, ALockEndsAtItsOwnDeadlineAlsoBehindARestart)
{
    for (const bool reversed : {false, true})
    {
        EngineHarness fresh;
        std::swap(harness, fresh);
        open(1, 1, 60s);
        hold(name, acquireIn(1, 1, 30s));
        const auto engine = restored("this-boot", reversed);
        EXPECT_EQ(engine->nextDeadline(), harness.now.boot + 30s);
        harness.step(30s);
        engine->advance(harness.now, 256);
        EXPECT_EQ(engine->take().commits.size(), 1U) << "reversed: " << reversed;
    }
}

TEST_F(SessionRestartTest, WhatRanOutWhileTheServerWasDownEndsOnceWithItsCause)
{
    open(1, 1, 30s);
    hold("a", acquireIn(1, 1, 60s));
    hold("b", acquireIn(1, 1, 20s, 1));
    harness.step(1h);
    harness.restart();
    EXPECT_FALSE(held("a"));
    harness.advance();
    EXPECT_EQ(lastEventOf("a").cause, Cause::SessionExpired);
    EXPECT_EQ(lastEventOf("b").cause, Cause::Ttl);
    EXPECT_EQ(lastEventOf("a").time, harness.now.wall - 1h + 30s);
    const std::size_t events = harness.events().size();
    harness.pass(1h);
    EXPECT_EQ(harness.events().size(), events);
}

TEST_F(SessionRestartTest, ALockWhoseSessionIsGoneFromTheStoreIsFreeAtOnce)
{
    open(1, 1, 30s);
    Acquire acquire = acquireIn(1, 1, 60s);
    acquire.lockDelay = 10s;
    hold(name, acquire);
    hold("plain", acquireIn(1, 1, 60s, 1));
    harness.immediate = false;
    close(1, 1);
    harness.commit(); // and before the names are finished the server is killed
    harness.step(2s);
    harness.immediate = true;
    harness.restart();
    EXPECT_FALSE(held(name));
    EXPECT_FALSE(held("plain"));
    harness.advance();
    EXPECT_EQ(lastEventOf("plain").cause, Cause::SessionClosed);
    EXPECT_TRUE(is<Granted>(harness.reply(harness.submit("plain", acquireBy(2, 60s)))));
    EXPECT_TRUE(is<Delayed>(harness.reply(harness.submit(name, acquireBy(2, 60s)))));
    harness.pass(10s);
    EXPECT_TRUE(is<Granted>(harness.reply(harness.submit(name, acquireBy(2, 60s)))));
    EXPECT_TRUE(is<SessionEnded>(harness.reply(close(1, 1)))) << "it is known to have ended";
}

TEST_F(SessionRestartTest, AnotherClockGivesSessionAndLockTheirFullTimeAgain)
{
    open(1, 1, 30s);
    hold(name, acquireIn(1, 1, 60s));
    harness.step(25s);
    for (const bool reversed : {false, true})
    {
        const auto engine = restored("another-boot", reversed);
        const NameState state = engine->stateOf(name);
        EXPECT_EQ(state.lease->deadline.boot, harness.now.boot + 60s);
        ASSERT_TRUE(state.session);
        EXPECT_EQ(state.session->record.deadline.boot, harness.now.boot + 30s);
        EXPECT_TRUE(isLive(state, harness.now.boot + 30s - 1ns));
        EXPECT_FALSE(isLive(state, harness.now.boot + 30s));
        EXPECT_EQ(engine->nextDeadline(), harness.now.boot + 30s);
    }
}

TEST_F(SessionRestartTest, TheLimitOfSessionsCountsThoseThatCameBack)
{
    Limits limits;
    limits.sessionsPerPrincipalMax = 1;
    EngineHarness small(limits);
    small.submit("", SessionCommand(openBy(1, 1, 30s)));
    small.restart();
    EXPECT_EQ(codeOf(small.reply(small.submit("", SessionCommand(openBy(1, 2, 30s))))),
              ErrorCode::CapacityExceeded);
    small.pass(30s);
    EXPECT_TRUE(is<SessionView>(small.reply(small.submit("", SessionCommand(openBy(1, 2, 30s))))));
}

} // namespace octostore::coordination::test
