// SPDX-License-Identifier: MIT
/// @file
/// Thousands of locks whose sessions end at once.
//
// Goal: in the instant a session is over each of its locks is free, for status and for acquire, and
// whoever waits for one is served, however many there are.
// Method: a clock that stands still while the engine works; a store that commits what it is given.
#include "SessionFixture.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace octostore::coordination::test
{

class SessionStormTest : public ::testing::Test
{
protected:
#ifdef NDEBUG
    static constexpr std::uint64_t sessions = 1'000;
#else
    static constexpr std::uint64_t sessions = 100; ///< unoptimised; the release runs them all
#endif
    static constexpr std::uint64_t locksEach = 50;
    static constexpr std::uint64_t newcomers = 1'000'000; ///< accounts from here on have no session

    static std::string lockOf(std::uint64_t session, std::uint64_t lock)
    {
        return "job/" + std::to_string(session) + "/" + std::to_string(lock);
    }

    Ticket submit(const std::string& name, Operation operation, Milliseconds wait = 0ms)
    {
        Request request;
        request.name = name;
        request.operation = std::move(operation);
        request.arrived = now.boot;
        request.wait = wait;
        const Ticket ticket(++_lastTicket);
        engine.submit(ticket, std::move(request), now);
        return ticket;
    }

    /// Lets the engine and the store do everything that is to be done now.
    void work()
    {
        for (bool more = true; more;)
        {
            more = engine.advance(now, 256);
            Output output = engine.take();
            for (auto& [ticket, reply] : output.replies)
                replies.insert_or_assign(ticket, std::move(reply));
            std::vector<backend::Outcome> outcomes;
            for (backend::Transaction& transaction : output.commits)
                outcomes.push_back(store.commit(std::move(transaction), now.boot));
            more = more || !outcomes.empty();
            engine.outcomes(std::move(outcomes), now);
        }
    }

    template <class T>
    T answered(Ticket ticket)
    {
        const auto found = replies.find(ticket);
        if (found != replies.end())
            return as<T>(found->second);
        ADD_FAILURE() << "no answer";
        return T{};
    }

    bool held(const std::string& name)
    {
        const Ticket ticket = submit(name, Query(GetStatus{}));
        Output output = engine.take();
        EXPECT_TRUE(output.commits.empty());
        EXPECT_EQ(output.replies.size(), 1U);
        EXPECT_EQ(output.replies[0].first, ticket);
        return as<Status>(output.replies[0].second).lease.has_value();
    }

    /// Opens all sessions, `apart` from one another, and takes all their locks.
    void openAll(BootClock::duration apart)
    {
        for (std::uint64_t session = 1; session <= sessions; ++session)
        {
            submit("", SessionCommand(openBy(session, session, 30s)));
            work();
            for (std::uint64_t lock = 0; lock < locksEach; ++lock)
                submit(lockOf(session, lock), Command(acquireIn(session, session, 300s, lock)));
            work();
            pass(apart);
        }
        EXPECT_EQ(store.records().size(), sessions * (locksEach + 1));
    }
    void pass(BootClock::duration time)
    {
        now.boot += time;
        now.wall += time;
    }

    Now now{BootTime{1000s}, WallTime{1'700'000'000s}};
    Engine engine{[]
                  {
                      Limits limits;
                      limits.clock = "this-boot";
                      return limits;
                  }()};
    CheckedStore store;
    std::map<Ticket, Reply> replies;

private:
    std::uint64_t _lastTicket = 0;
};

TEST_F(SessionStormTest, AllLocksAreFreeInTheInstantTheirSessionsRunOut)
{
    const BootTime opened = now.boot;
    openAll(0ms);
    std::vector<Ticket> waiting;
    for (std::uint64_t session = 1; session <= sessions; ++session)
        waiting.push_back(
            submit(lockOf(session, 7), Command(acquireBy(newcomers + session, 60s)), 100s));
    work();

    pass(opened + 30s - 1ns - now.boot);
    work();
    for (std::uint64_t session = 1; session <= sessions; ++session)
        for (std::uint64_t lock = 0; lock < locksEach; ++lock)
            ASSERT_TRUE(held(lockOf(session, lock)));

    pass(1ns);
    for (std::uint64_t session = 1; session <= sessions; ++session)
        for (std::uint64_t lock = 0; lock < locksEach; ++lock)
            ASSERT_FALSE(held(lockOf(session, lock))) << "before anything is recorded";

    store.forgetJournal();
    std::vector<Ticket> acquired;
    for (std::uint64_t session = 1; session <= sessions; ++session)
        acquired.push_back(
            submit(lockOf(session, 11), Command(acquireBy(2 * newcomers + session, 60s))));
    work();
    for (const Ticket waiter : waiting)
        ASSERT_TRUE(answered<Granted>(waiter).fresh);
    for (const Ticket ticket : acquired)
        ASSERT_TRUE(answered<Granted>(ticket).fresh);

    std::size_t ended = 0;
    for (const event::Event& event : store.journal())
        for (const event::Type fact : event.what.facts)
            if (fact == event::Type::LockExpired)
            {
                ++ended;
                ASSERT_EQ(event.what.cause, event::Cause::SessionExpired);
            }
    EXPECT_EQ(ended, sessions * locksEach);
    EXPECT_EQ(store.records().size(), sessions * locksEach) << "no session is left";
}

TEST_F(SessionStormTest, OfSessionsThatEndOneAfterTheOtherEachTakesOnlyItsOwnLocks)
{
    const BootTime opened = now.boot;
    openAll(1ms);
    for (std::uint64_t session = 1; session <= sessions; ++session)
    {
        pass(opened + 30s + Milliseconds(session - 1) - now.boot);
        for (std::uint64_t lock = 0; lock < locksEach; ++lock)
        {
            ASSERT_FALSE(held(lockOf(session, lock)));
            ASSERT_TRUE(session == sessions || held(lockOf(session + 1, lock)));
        }
        const Ticket ticket = submit(lockOf(session, 3), Command(acquireBy(newcomers, 1ms)));
        work();
        ASSERT_TRUE(answered<Granted>(ticket).fresh);
    }
}

} // namespace octostore::coordination::test
