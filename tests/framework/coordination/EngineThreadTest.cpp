// SPDX-License-Identifier: MIT
/// @file
/// The engine on its thread, with the machine's clock and the backend in memory.
/// Goal: everything asked is answered, in order, also under overload and at the end. Method: many
/// requests through the public interface; a backend that holds commits back. Bounds on time are
/// wide: they find what never happens, not what is slow.
#include "coordination/EngineThread.h"

#include "HoldingBackend.h"
#include "Samples.h"

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
    EngineThreadTest() { start(); }

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
        if (answer.wait_for(60s) != std::future_status::ready)
        {
            ADD_FAILURE() << "no answer";
            return T{};
        }
        return as<T>(answer.get());
    }
    template <class T>
    T now(const std::string& lock, Operation operation)
    {
        auto answer = ask(lock, std::move(operation));
        return get<T>(answer);
    }

    /// Every acquire that was asked for before has been looked at: one class is a queue.
    void passAll(const std::string& heldLock) { now<Held>(heldLock, acquireBy(99'999, 60s)); }

    SystemClock clock;
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

TEST_F(EngineThreadTest, AWaiterIsServedByTheDeadlineAlone)
{
    const Granted first = now<Granted>("a", acquireBy(1, 200ms));
    auto waiter = ask("a", acquireBy(2, 60s), 30s);
    const Granted second = get<Granted>(waiter);
    const BootTime served = second.lease.deadline - 60s;
    EXPECT_GE(served, first.lease.deadline) << "never early";
    EXPECT_LE(served, first.lease.deadline + 25s) << "not when its wait is over";
    EXPECT_GT(second.lease.term, first.lease.term);
}

TEST_F(EngineThreadTest, AWaitThatRunsOutIsAnswered)
{
    now<Granted>("a", acquireBy(1, 60s));
    const BootTime asked = clock.bootTime();
    auto waiter = ask("a", acquireBy(2, 60s), 100ms);
    EXPECT_EQ(get<Held>(waiter).queuePosition, 0U);
    EXPECT_GE(clock.bootTime(), asked + 100ms);
}

TEST_F(EngineThreadTest, AThousandWaitersGetTheLockInTheirOrder)
{
    Granted current = now<Granted>("a", acquireBy(1, 300s));
    std::vector<std::future<Reply>> waiters;
    for (std::uint64_t who = 2; who < 1002; ++who)
    {
        waiters.push_back(ask("a", acquireBy(who, 300s), 300s));
        if (who % 50 == 1) // an engine that gets behind refuses them
            passAll("a");
    }
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
        engine->submit(requestFor("lock" + std::to_string(i), acquireBy(i, 300s)), tasks,
                       [=](const Reply& reply)
                       {
                           const auto* refused = std::get_if<Refused>(&reply);
                           ++(*codes)[refused ? static_cast<int>(refused->error.code) : -1];
                           if (--*left == 0)
                               all->set_value();
                       });
    backend->hold(false);
    ASSERT_EQ(all->get_future().wait_for(60s), std::future_status::ready);
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
        ASSERT_EQ(answer->wait_for(60s), std::future_status::ready);
        EXPECT_TRUE(is<Refused>(answer->get()));
    }
    auto late = ask("c", acquireBy(1, 60s));
    ASSERT_EQ(late.wait_for(60s), std::future_status::ready);
    EXPECT_EQ(codeOf(late.get()), ErrorCode::Draining);
}

TEST_F(EngineThreadTest, DrainingAnswersWaitersAndKeepsServingHolders)
{
    const Granted granted = now<Granted>("a", acquireBy(1, 300s));
    auto waiter = ask("a", acquireBy(2, 60s), 300s);
    passAll("a");
    engine->drain();
    ASSERT_EQ(waiter.wait_for(60s), std::future_status::ready);
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
