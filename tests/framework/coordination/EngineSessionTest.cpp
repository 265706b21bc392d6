// SPDX-License-Identifier: MIT
/// @file
/// Sessions and their locks, from the first commit to the last.
#include "SessionFixture.h"

namespace octostore::coordination::test
{

using event::Cause;
using event::Type;

class EngineSessionTest : public SessionFixture
{
};

TEST_F(EngineSessionTest, AnEphemeralLockEndsAtTheDeadlineOfItsSession)
{
    open(1, 1, 30s);
    const Granted granted = hold(name, acquireIn(1, 1, 60s));
    EXPECT_EQ(granted.lease.authority, harness.now.boot + 30s);
    harness.pass(30s - 1ns);
    EXPECT_TRUE(held(name));
    harness.pass(1ns);
    EXPECT_FALSE(held(name));
    EXPECT_EQ(lastEventOf(name).type, Type::LockExpired);
    EXPECT_EQ(lastEventOf(name).cause, Cause::SessionExpired);
    EXPECT_EQ(hold(name, acquireBy(2, 60s)).waited, 0ms);
}

TEST_F(EngineSessionTest, AnEphemeralLockEndsAtItsOwnDeadlineWhileItsSessionLives)
{
    open(1, 1, 60s);
    hold(name, acquireIn(1, 1, 30s));
    harness.pass(30s);
    EXPECT_FALSE(held(name));
    EXPECT_EQ(lastEventOf(name).cause, Cause::Ttl);
    EXPECT_TRUE(view(1, 1).live);
    EXPECT_EQ(view(1, 1).locks, 0U);
}

TEST_F(EngineSessionTest, KeepingTheSessionAliveDoesNotRenewItsLocks)
{
    open(1, 1, 30s);
    hold(name, acquireIn(1, 1, 40s));
    harness.pass(20s);
    keepAlive(1, 1);
    harness.pass(20s - 1ns);
    EXPECT_TRUE(held(name));
    harness.pass(1ns);
    EXPECT_FALSE(held(name));
}

TEST_F(EngineSessionTest, AllLocksOfASessionEndInTheInstantItsEndIsCommitted)
{
    open(1, 1, 30s);
    for (int i = 0; i < 50; ++i)
        hold("lock" + std::to_string(i), acquireIn(1, 1, 60s, i));
    harness.immediate = false;
    const Ticket closed = close(1, 1);
    ASSERT_EQ(harness.pending.size(), 1U) << "one small transaction";
    for (int i = 0; i < 50; ++i)
        EXPECT_TRUE(held("lock" + std::to_string(i))) << "not committed: nothing has happened";
    harness.commit();
    EXPECT_TRUE(is<SessionEnded>(harness.reply(closed)));
    for (int i = 0; i < 50; ++i)
        EXPECT_FALSE(held("lock" + std::to_string(i))) << "over by rule, recorded or not";
    harness.immediate = true;
    harness.advance();
    for (int i = 0; i < 50; ++i)
    {
        const event::Draft ended = lastEventOf("lock" + std::to_string(i));
        EXPECT_EQ(ended.type, Type::LockReleased);
        EXPECT_EQ(ended.cause, Cause::SessionClosed);
    }
}

TEST_F(EngineSessionTest, NamesWithWaitersAreFinishedFirst)
{
    open(1, 1, 30s);
    for (int i = 0; i < 20; ++i)
        hold("lock" + std::to_string(10 + i), acquireIn(1, 1, 60s, i));
    const Ticket waiter = harness.submit("lock25", acquireBy(2, 60s), 100s);
    harness.immediate = false;
    close(1, 1);
    harness.commit();
    harness.advance();
    ASSERT_FALSE(harness.pending.empty());
    EXPECT_EQ(harness.pending[0].transaction.puts[0].key.name, "lock25");
    EXPECT_EQ(harness.pending[0].transaction.priority, Priority::HandOver);
    harness.immediate = true;
    harness.advance();
    EXPECT_TRUE(harness.get<Granted>(waiter).fresh);
    EXPECT_EQ(lastEventOf("lock25").type, Type::LockHandedOver);
}

TEST_F(EngineSessionTest, TheLockDelayCountsFromTheEndOfTheSession)
{
    open(1, 1, 30s);
    Acquire acquire = acquireIn(1, 1, 60s);
    acquire.lockDelay = 10s;
    hold(name, acquire);
    harness.step(34s); // the server was busy with something else
    EXPECT_TRUE(harness.status(name).availableAt);
    harness.advance();
    harness.pass(6s - 1ns);
    EXPECT_TRUE(is<Delayed>(harness.reply(harness.submit(name, acquireBy(2, 60s)))));
    harness.pass(1ns);
    hold(name, acquireBy(2, 60s));
}

TEST_F(EngineSessionTest, AKeepaliveInFlightAtTheDeadlineKeepsSessionAndLocks)
{
    open(1, 1, 30s);
    hold(name, acquireIn(1, 1, 90s));
    harness.immediate = false;
    harness.pass(30s - 1ms);
    const Ticket alive = keepAlive(1, 1);
    const Ticket other = harness.submit(name, acquireBy(2, 60s));
    EXPECT_TRUE(is<Held>(harness.reply(other)));
    harness.pass(5ms);
    const Ticket later = harness.submit(name, acquireBy(2, 60s));
    EXPECT_FALSE(harness.answered(later)) << "nobody can say yet";
    EXPECT_EQ(harness.pending.size(), 1U) << "nothing is ended meanwhile";
    harness.commit();
    EXPECT_EQ(harness.get<SessionView>(alive).deadline, harness.now.boot - 5ms + 30s);
    EXPECT_TRUE(is<Held>(harness.reply(later)));
    EXPECT_TRUE(held(name));
    EXPECT_TRUE(harness.pending.empty());
}

TEST_F(EngineSessionTest, AKeepaliveThatFailsBehindTheDeadlineEndsTheSession)
{
    open(1, 1, 30s);
    hold(name, acquireIn(1, 1, 90s));
    harness.immediate = false;
    harness.pass(30s - 1ms);
    const Ticket alive = keepAlive(1, 1);
    harness.pass(5ms);
    harness.fail(ErrorCode::Unavailable);
    EXPECT_EQ(codeOf(harness.reply(alive)), ErrorCode::Unavailable);
    EXPECT_FALSE(held(name));
    harness.immediate = true;
    harness.pass(1s); // after a failure the store is given a moment
    EXPECT_EQ(lastEventOf(name).cause, Cause::SessionExpired);
    EXPECT_EQ(codeOf(harness.reply(keepAlive(1, 1))), ErrorCode::SessionExpired);
}

TEST_F(EngineSessionTest, AKeepaliveCommittedBehindItsOwnNewDeadlineIsNoAuthority)
{
    open(1, 1, 10s);
    harness.immediate = false;
    const Ticket alive = keepAlive(1, 1);
    harness.pass(11s);
    harness.commit();
    EXPECT_EQ(codeOf(harness.reply(alive)), ErrorCode::OutcomeUnknown);
    harness.immediate = true;
    harness.advance();
    EXPECT_FALSE(view(1, 1).live);
}

TEST_F(EngineSessionTest, AnAcquireIsNotGrantedBehindTheCommittedEndOfItsSession)
{
    open(1, 1, 30s);
    harness.immediate = false;
    harness.mayConflict = true;
    const Ticket acquire = harness.submit(name, acquireIn(1, 1, 60s));
    close(1, 1);
    ASSERT_EQ(harness.pending.size(), 2U);
    harness.commit(inFlightOf(1)); // its class goes first
    harness.commit(inFlightOf(name));
    EXPECT_EQ(codeOf(harness.reply(acquire)), ErrorCode::NotFound);
    EXPECT_FALSE(harness.store().lease(name));
}

TEST_F(EngineSessionTest, AnAcquireCommittedBeforeTheEndOfItsSessionEndsWithIt)
{
    open(1, 1, 30s);
    harness.immediate = false;
    const Ticket acquire = harness.submit(name, acquireIn(1, 1, 60s));
    close(1, 1);
    harness.commit(inFlightOf(name));
    EXPECT_TRUE(harness.get<Granted>(acquire).fresh);
    EXPECT_TRUE(held(name));
    harness.immediate = true;
    harness.commit(inFlightOf(1));
    EXPECT_FALSE(held(name));
    harness.advance();
    EXPECT_EQ(lastEventOf(name).cause, Cause::SessionClosed);
}

TEST_F(EngineSessionTest, AnAcquireCommittedBehindTheDeadlineOfItsSessionIsNoAuthority)
{
    open(1, 1, 30s);
    harness.pass(30s - 1ms);
    harness.immediate = false;
    const Ticket acquire = harness.submit(name, acquireIn(1, 1, 60s));
    harness.pass(1ms);
    harness.commit(inFlightOf(name));
    EXPECT_EQ(codeOf(harness.reply(acquire)), ErrorCode::OutcomeUnknown);
    EXPECT_FALSE(held(name));
    harness.immediate = true;
    harness.commit(inFlightOf(1));
    harness.advance();
    EXPECT_EQ(harness.engine().stateOf(name).lease->state, backend::LeaseState::Vacant);
}

TEST_F(EngineSessionTest, ARenewThatMeetsTheEndOfItsSessionIsRefused)
{
    open(1, 1, 30s);
    const Granted granted = hold(name, acquireIn(1, 1, 60s));
    harness.immediate = false;
    harness.mayConflict = true;
    close(1, 1);
    const Ticket renew = harness.submit(name, Renew{accountsOwn(1, granted.lease), 60s});
    harness.commit(inFlightOf(1));
    harness.commit(inFlightOf(name));
    EXPECT_EQ(codeOf(harness.reply(renew)), ErrorCode::NotFound);
    harness.immediate = true;
    harness.advance();
    EXPECT_EQ(lastEventOf(name).cause, Cause::SessionClosed);
}

TEST_F(EngineSessionTest, NobodyActsInAnothersSession)
{
    open(1, 1, 30s);
    const Granted granted = hold(name, acquireIn(1, 1, 60s));
    EXPECT_EQ(codeOf(harness.reply(harness.submit("other", acquireIn(2, 1, 60s)))),
              ErrorCode::NotFound);
    EXPECT_EQ(codeOf(harness.reply(close(2, 1))), ErrorCode::NotFound);
    EXPECT_EQ(codeOf(harness.reply(keepAlive(2, 1))), ErrorCode::NotFound);
    EXPECT_EQ(codeOf(harness.reply(harness.submit(name, Release{accountsOwn(2, granted.lease)}))),
              ErrorCode::NotFound);
    EXPECT_TRUE(held(name));
}

TEST_F(EngineSessionTest, ASessionThatWasNeverOpenedIsNotFound)
{
    EXPECT_EQ(codeOf(harness.reply(keepAlive(1, 7))), ErrorCode::NotFound);
    EXPECT_EQ(codeOf(harness.reply(close(1, 7))), ErrorCode::NotFound);
    EXPECT_EQ(codeOf(harness.reply(harness.submit(name, acquireIn(1, 7, 60s)))),
              ErrorCode::NotFound);
    EXPECT_TRUE(harness.store().records().empty());
}

TEST_F(EngineSessionTest, ASessionTellsHowManyLiveLocksAreTaggedWithIt)
{
    open(1, 1, 30s);
    hold("a", acquireIn(1, 1, 60s));
    hold("b", acquireIn(1, 1, 10s, 1));
    Acquire tagged = acquireBy(1, 60s);
    tagged.session = sessionNamed(1);
    hold("c", tagged);
    EXPECT_EQ(view(1, 1).locks, 3U);
    harness.pass(10s);
    EXPECT_EQ(view(1, 1).locks, 2U);
    close(1, 1);
    EXPECT_FALSE(held("a"));
    EXPECT_TRUE(held("c")) << "an ordinary lock lives by its own ttl";
}

TEST_F(EngineSessionTest, AnAdministratorEndsASessionAndItsLocks)
{
    open(1, 1, 30s);
    hold(name, acquireIn(1, 1, 60s));
    harness.submit("",
                   SessionCommand(CloseSession{sessionNamed(1), PrincipalId{}, true, "left over"}));
    EXPECT_FALSE(held(name));
    harness.advance();
    EXPECT_EQ(lastEventOf(name).type, Type::LockForceReleased);
    EXPECT_EQ(lastEventOf(name).cause, Cause::ForceReleased);
    EXPECT_EQ(lastEventOf(sessionNamed(1).toString()).reason, "left over");
}

TEST_F(EngineSessionTest, ThousandsOfSessionsEndWhileTheirNamesAreUnfinished)
{
    // More than are remembered, and none that could be forgotten yet.
    constexpr std::uint64_t sessions = 10'001;
    Engine engine(
        []
        {
            Limits limits;
            limits.leasesPerPrincipalMax = limits.sessionsPerPrincipalMax = sessions + 1;
            limits.clock = "this-boot";
            return limits;
        }());
    CheckedStore store;
    std::uint64_t ticket = 0;
    const auto ask = [&](const std::string& lock, Operation operation)
    {
        Request request;
        request.name = lock;
        request.operation = std::move(operation);
        request.arrived = harness.now.boot;
        engine.submit(Ticket(++ticket), std::move(request), harness.now);
        for (backend::Transaction& transaction : engine.take().commits)
        {
            std::vector<backend::Outcome> outcomes;
            outcomes.push_back(store.commit(std::move(transaction), harness.now.boot));
            engine.outcomes(std::move(outcomes), harness.now);
        }
    };
    for (std::uint64_t session = 1; session <= sessions; ++session)
    {
        ask("", SessionCommand(openBy(1, session, 30s)));
        ask("lock" + std::to_string(session), Command(acquireIn(1, session, 60s)));
    }
    ask("", SessionCommand(openBy(1, sessions + 1, 30s)));
    for (std::uint64_t session = 1; session <= sessions + 1; ++session)
        ask("", SessionCommand(closeBy(1, session)));
    Request request;
    request.operation = Query(GetCounts{});
    engine.submit(Ticket(++ticket), request, harness.now);
    const Output output = engine.take();
    ASSERT_FALSE(output.replies.empty());
    EXPECT_EQ(as<Counts>(output.replies.back().second).sessions, 0U);
}

} // namespace octostore::coordination::test
