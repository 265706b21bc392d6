// SPDX-License-Identifier: MIT
/// @file
/// The engine on its thread, with the backend in memory.
/// Goal: everything asked is answered, in order, also under overload and at the end. Method: many
/// requests through the public interface; a backend that holds commits back. Bounds on time are
/// wide: they find what never happens, not what is slow. Where time decides nothing the clock
/// stands still: the engine refuses what it does not get to within a second, and a machine may
/// stand still for longer.
#include "coordination/EngineThread.h"

#include "HoldingBackend.h"
#include "Samples.h"
#include "support/FakeClock.h"

#include <octostore/base/Mutex.h>

#include <condition_variable>
#include <deque>
#include <future>
#include <map>
#include <memory>
#include <thread>

namespace octostore::coordination::test
{

namespace
{

/// Runs tasks in order on a thread of its own.
class TaskThread final : public Executor
{
public:
    TaskThread() : _thread([this] { run(); }) {}
    ~TaskThread() override
    {
        {
            MutexLock lock(_mutex);
            _stopping = true;
        }
        _wake.notify_one();
        _thread.join();
    }
    void post(std::vector<Task> tasks) noexcept override
    {
        {
            MutexLock lock(_mutex);
            for (Task& task : tasks)
                _tasks.push_back(std::move(task));
        }
        _wake.notify_one();
    }

private:
    void run()
    {
        for (;;)
        {
            Task task;
            {
                MutexLock lock(_mutex);
                while (_tasks.empty() && !_stopping)
                    lock.wait(_wake);
                if (_tasks.empty())
                    return;
                task = std::move(_tasks.front());
                _tasks.pop_front();
            }
            task();
        }
    }

    Mutex _mutex;
    std::condition_variable _wake;
    std::deque<Task> _tasks OCTOSTORE_GUARDED_BY(_mutex);
    bool _stopping OCTOSTORE_GUARDED_BY(_mutex) = false;
    std::thread _thread; // last: it uses the others
};

} // namespace

class EngineThreadTest : public ::testing::Test
{
protected:
    EngineThreadTest() : EngineThreadTest(standing) {}
    explicit EngineThreadTest(const Clock& with) : clock(with)
    {
        // The timer of the engine's thread is the machine's.
        standing.reboot(machine.identity(), machine.bootTime());
        start();
    }

    void start()
    {
        Limits limits;
        limits.leasesPerPrincipalMax = 1'000'000;
        limits.clock = clock.identity();
        backend = std::make_unique<HoldingBackend>(store);
        engine = std::make_unique<EngineThread>(*backend, clock, random, limits, Logger{},
                                                [](const Error&) {});
        ASSERT_TRUE(engine->start());
    }

    Request requestFor(const std::string& lock, Operation operation, Milliseconds wait = 0ms)
    {
        Request request;
        request.name = lock;
        request.operation = std::move(operation);
        request.arrived = clock.bootTime();
        request.wait = wait;
        return request;
    }

    std::future<Reply> ask(const std::string& lock, Operation operation, Milliseconds wait = 0ms)
    {
        auto promise = std::make_shared<std::promise<Reply>>();
        std::future<Reply> answer = promise->get_future();
        engine->submit(requestFor(lock, std::move(operation), wait), tasks,
                       [promise](Reply reply) { promise->set_value(std::move(reply)); });
        return answer;
    }

    template <class T>
    static T get(std::future<Reply>& answer)
    {
        return as<T>(replyTo(answer));
    }
    static Reply replyTo(std::future<Reply>& answer)
    {
        if (answer.wait_for(patience) == std::future_status::ready)
            return answer.get();
        ADD_FAILURE() << "no answer";
        return {};
    }
    template <class T>
    T now(const std::string& lock, Operation operation)
    {
        auto answer = ask(lock, std::move(operation));
        return get<T>(answer);
    }

    /// Every acquire that was asked for before has been looked at: one class is a queue.
    void passAll(const std::string& heldLock) { now<Held>(heldLock, acquireBy(99'999, 60s)); }

    static constexpr auto patience = 300s;
    const SystemClock machine;
    octostore::test::FakeClock standing;
    const Clock& clock;
    SystemRandom random;
    std::shared_ptr<memory::MemoryStore> store = std::make_shared<memory::MemoryStore>();
    std::shared_ptr<TaskThread> tasks = std::make_shared<TaskThread>();
    std::unique_ptr<HoldingBackend> backend;
    std::unique_ptr<EngineThread> engine;
};

TEST_F(EngineThreadTest, ALockIsAcquiredRenewedAndReleased)
{
    const Granted granted = now<Granted>("a", acquireBy(1, 60s));
    EXPECT_GT(granted.lease.deadline, clock.bootTime());
    EXPECT_EQ(now<Status>("a", GetStatus{}).lease->term, granted.lease.term);
    now<Renewed>("a", Renew{credentialOf(granted.lease), 60s});
    now<Ended>("a", Release{credentialOf(granted.lease)});
    EXPECT_FALSE(now<Status>("a", GetStatus{}).lease);
    EXPECT_TRUE(is<StoreWorks>(ask("", ProbeStore{}).get()));
    EXPECT_TRUE(now<Listing>("", ListLocks{}).locks.empty());
}

/// With the clock of the machine.
class EngineTimeTest : public EngineThreadTest
{
protected:
    EngineTimeTest() : EngineThreadTest(machine) {}

    /// Asks again when the engine did not get to it in time and so did nothing.
    template <class T>
    T insist(const std::string& lock, const Operation& operation, Milliseconds wait = 0ms)
    {
        for (;;)
        {
            auto answer = ask(lock, operation, wait);
            const Reply reply = replyTo(answer);
            const auto* refused = std::get_if<Refused>(&reply);
            if (refused == nullptr || refused->error.code != ErrorCode::Overloaded)
                return as<T>(reply);
        }
    }
};

TEST_F(EngineTimeTest, AWaiterIsServedByTheDeadlineAlone)
{
    const Granted first = insist<Granted>("a", acquireBy(1, 200ms));
    const Granted second = insist<Granted>("a", acquireBy(2, 60s), 300s);
    const BootTime served = second.lease.deadline - 60s;
    EXPECT_GE(served, first.lease.deadline) << "never early";
    EXPECT_LE(served, first.lease.deadline + 100s) << "not when its wait is over";
    EXPECT_GT(second.lease.term, first.lease.term);
}

TEST_F(EngineTimeTest, AWaitThatRunsOutIsAnswered)
{
    insist<Granted>("a", acquireBy(1, 300s));
    const BootTime asked = clock.bootTime();
    EXPECT_EQ(insist<Held>("a", acquireBy(2, 60s), 100ms).queuePosition, 0U);
    EXPECT_GE(clock.bootTime(), asked + 100ms);
}

TEST_F(EngineThreadTest, AThousandWaitersGetTheLockInTheirOrder)
{
    Granted current = now<Granted>("a", acquireBy(1, 300s));
    std::vector<std::future<Reply>> waiters;
    for (std::uint64_t who = 2; who < 1002; ++who)
    {
        waiters.push_back(ask("a", acquireBy(who, 300s), 300s));
    }
    passAll("a");
    EXPECT_EQ(now<Status>("a", GetStatus{}).waiters, 1000U);
    Term last = current.lease.term;
    for (std::size_t i = 0; i < waiters.size(); ++i)
    {
        now<Ended>("a", Release{credentialOf(current.lease)});
        current = get<Granted>(waiters[i]);
        ASSERT_EQ(current.lease.label, labelOf(i + 2));
        ASSERT_GT(current.lease.term, last);
        last = current.lease.term;
    }
}

TEST_F(EngineThreadTest, TooManyRequestsInFlightAreOverloadedAndEveryOneIsAnswered)
{
    backend->hold(true);
    constexpr std::size_t asked = 70'000;
    auto codes = std::make_shared<std::map<int, std::size_t>>(); // used on the task thread only
    auto all = std::make_shared<std::promise<void>>();
    auto left = std::make_shared<std::size_t>(asked);
    for (std::size_t i = 0; i < asked; ++i)
    {
        engine->submit(requestFor("lock" + std::to_string(i), acquireBy(i, 300s)), tasks,
                       [=](const Reply& reply)
                       {
                           const auto* refused = std::get_if<Refused>(&reply);
                           ++(*codes)[refused ? static_cast<int>(refused->error.code) : -1];
                           if (--*left == 0)
                               all->set_value();
                       });
        if (i == 0)
            now<Status>("lock0", GetStatus{}); // by now it has been begun
    }
    // What the engine has not begun yet comes too late.
    standing.advance(2s);
    backend->hold(false);
    ASSERT_EQ(all->get_future().wait_for(patience), std::future_status::ready);
    EXPECT_GE((*codes)[static_cast<int>(ErrorCode::Overloaded)], asked - 65'536);
    EXPECT_GT((*codes)[-1], 0U);
    std::size_t sum = 0;
    for (const auto& [code, count] : *codes)
        sum += count;
    EXPECT_EQ(sum, asked);
    now<Granted>("afterwards", acquireBy(1, 60s));
}

TEST_F(EngineThreadTest, WhoGoesAwayIsNotCountedAsInFlightForEver)
{
    now<Granted>("a", acquireBy(1, 300s));
    for (int round = 0; round < 70; ++round)
    {
        for (std::uint64_t i = 0; i < 1000; ++i)
        {
            const Ticket ticket =
                engine->submit(requestFor("a", acquireBy(10 + i, 60s), 300s), tasks,
                               [](const Reply& reply)
                               { ADD_FAILURE() << "answered: alternative " << reply.index(); });
            engine->abandon(ticket);
        }
        passAll("a");
    }
    now<Granted>("b", acquireBy(1, 60s));
    EXPECT_EQ(now<Status>("a", GetStatus{}).waiters, 0U);
}

TEST_F(EngineThreadTest, NothingIsGrantedToWhoWentAwayBeforeItsTurn)
{
    backend->block(true);
    auto first = ask("first", acquireBy(1, 300s));
    backend->waitUntilBlocked();
    std::vector<Ticket> asked;
    for (int i = 0; i < 5000; ++i) // more than one turn takes
        asked.push_back(engine->submit(
            requestFor("lock" + std::to_string(i), acquireBy(1, 300s)), tasks,
            [](const Reply& reply) { ADD_FAILURE() << "answered: " << reply.index(); }));
    for (const Ticket ticket : asked)
        engine->abandon(ticket);
    backend->block(false);
    get<Granted>(first);
    std::size_t held = 1;
    for (int turns = 0; turns < 100 && held > 0; ++turns)
        held = now<Listing>("", ListLocks{"lock", "", 1}).total;
    EXPECT_EQ(held, 0U);
}

TEST_F(EngineThreadTest, StopAnswersWaitersAndWhatIsInFlight)
{
    now<Granted>("a", acquireBy(1, 300s));
    auto waiter = ask("a", acquireBy(2, 60s), 300s);
    passAll("a");
    backend->hold(true);
    auto inFlight = ask("b", acquireBy(2, 60s));
    auto behind = ask("b", acquireBy(3, 60s));
    now<Status>("b", GetStatus{});
    engine->stop();
    for (auto* answer : {&waiter, &inFlight, &behind})
    {
        ASSERT_EQ(answer->wait_for(patience), std::future_status::ready);
        EXPECT_TRUE(is<Refused>(answer->get()));
    }
    auto late = ask("c", acquireBy(1, 60s));
    ASSERT_EQ(late.wait_for(patience), std::future_status::ready);
    EXPECT_EQ(codeOf(late.get()), ErrorCode::Draining);
}

TEST_F(EngineThreadTest, DrainingAnswersWaitersAndKeepsServingHolders)
{
    const Granted granted = now<Granted>("a", acquireBy(1, 300s));
    auto waiter = ask("a", acquireBy(2, 60s), 300s);
    passAll("a");
    engine->drain();
    ASSERT_EQ(waiter.wait_for(patience), std::future_status::ready);
    EXPECT_EQ(codeOf(waiter.get()), ErrorCode::Draining);
    now<Renewed>("a", Renew{credentialOf(granted.lease), 60s});
}

TEST_F(EngineThreadTest, ARestartedServerKnowsItsLeasesAndItsTermsGrow)
{
    const Granted a = now<Granted>("a", acquireBy(1, 300s));
    const Granted b = now<Granted>("b", acquireBy(1, 300s));
    now<Ended>("b", Release{credentialOf(b.lease)});
    engine->stop();
    start();
    EXPECT_EQ(now<Status>("a", GetStatus{}).lease->deadline, a.lease.deadline);
    now<Renewed>("a", Renew{credentialOf(a.lease), 300s});
    EXPECT_EQ(now<Status>("b", GetStatus{}).lastTerm, b.lease.term);
    EXPECT_GT(now<Granted>("b", acquireBy(2, 300s)).lease.term, b.lease.term);
}

} // namespace octostore::coordination::test
