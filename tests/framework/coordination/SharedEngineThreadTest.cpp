// SPDX-License-Identifier: MIT
/// @file
/// Two engines on their threads, on one store in memory. What can befall them is simulated
/// elsewhere (tests/simulation); here the threads are what is tested.
#include "MemoryBackend.h"
#include "Samples.h"
#include "coordination/EngineThread.h"

#include <octostore/base/Mutex.h>

#include <condition_variable>
#include <future>
#include <memory>
#include <thread>
#include <utility>

namespace octostore::coordination::test
{

namespace
{

/// On the engine's thread: these tests only hand answers on.
class AtOnce final : public Executor
{
public:
    void post(std::vector<Task> tasks) noexcept override
    {
        for (Task& task : tasks)
            task();
    }
};

class OneServer
{
public:
    OneServer(std::shared_ptr<memory::MemoryStore> store, const Clock& clock, Random& random)
        : _backend(std::move(store)),
          _thread(_backend, clock, random, limitsOf(clock), Logger(),
                  [this](const Error&) { lost(); })
    {
        _thread.publishTo([this](std::vector<event::Event> events, const auto&)
                          { publish(std::move(events)); });
        EXPECT_TRUE(_thread.start().ok());
    }
    ~OneServer() { _thread.stop(); }

    /// Asks again when the engine did not get to it within a second and so did nothing: the
    /// machine stood still.
    template <class T>
    T ask(const std::string& name, const Operation& operation, Milliseconds wait = Milliseconds{0})
    {
        for (;;)
        {
            Reply reply = askOnce(name, operation, wait);
            const auto* refused = std::get_if<Refused>(&reply);
            if (refused == nullptr || refused->error.code != ErrorCode::Overloaded)
                return as<T>(std::move(reply));
        }
    }
    /// The sequences published, once there are `count`.
    std::vector<Sequence> published(std::size_t count)
    {
        MutexLock lock(_mutex);
        while (_published.size() < count)
            lock.wait(_changed);
        return _published;
    }

    /// Waits until it says that its store is another one now.
    void awaitLost()
    {
        MutexLock lock(_mutex);
        while (!_lost)
            lock.wait(_changed);
    }

private:
    Reply askOnce(const std::string& name, Operation operation, Milliseconds wait)
    {
        Request request;
        request.name = name;
        request.operation = std::move(operation);
        request.arrived = SystemClock().bootTime();
        request.wait = wait;
        const auto told = std::make_shared<std::promise<Reply>>();
        _thread.submit(std::move(request), std::make_shared<AtOnce>(),
                       [told](Reply reply) { told->set_value(std::move(reply)); });
        return told->get_future().get();
    }
    void lost()
    {
        MutexLock lock(_mutex);
        _lost = true;
        _changed.notify_all();
    }
    static Limits limitsOf(const Clock& clock)
    {
        Limits limits;
        limits.clock = clock.identity();
        return limits;
    }
    void publish(std::vector<event::Event> events)
    {
        MutexLock lock(_mutex);
        for (const event::Event& event : events)
            _published.push_back(event.sequence);
        _changed.notify_all();
    }

    memory::MemoryBackend _backend;
    Mutex _mutex;
    std::condition_variable _changed;
    std::vector<Sequence> _published OCTOSTORE_GUARDED_BY(_mutex);
    bool _lost OCTOSTORE_GUARDED_BY(_mutex) = false;
    EngineThread _thread;
};

class SharedEngineThreadTest : public ::testing::Test
{
protected:
    const SystemClock clock;
    SystemRandom random;
    const std::shared_ptr<memory::MemoryStore> store =
        std::make_shared<memory::MemoryStore>(memory::MemoryStore::Mode::Shared);
    OneServer first{store, clock, random};
    OneServer second{store, clock, random};
};

} // namespace

TEST_F(SharedEngineThreadTest, WhatOneServerGrantsTheOtherKnowsAtOnce)
{
    for (std::uint64_t round = 0; round < 50; ++round)
    {
        const std::string name = "job" + std::to_string(round);
        const auto granted = first.ask<Granted>(name, Command(acquireBy(1, 60s, round)));
        const auto held = second.ask<Held>(name, Command(acquireBy(2, 60s, round)));
        EXPECT_EQ(held.lease.term, granted.lease.term);
        EXPECT_TRUE(second.ask<Fence>(name, Query(CheckFence{granted.lease.term})).current);
        (void)second.ask<Ended>(name, Command(Release{credentialOf(granted.lease)}));
        EXPECT_FALSE(first.ask<Status>(name, Query(GetStatus{})).lease);
        const auto next = second.ask<Granted>(name, Command(acquireBy(2, 60s, round)));
        EXPECT_GT(next.lease.term, granted.lease.term);
        (void)second.ask<Ended>(name, Command(Release{credentialOf(next.lease)}));
    }
}

TEST_F(SharedEngineThreadTest, BothPublishTheWholeJournalInOrder)
{
    for (std::uint64_t round = 0; round < 20; ++round)
    {
        OneServer& server = round % 2 == 0 ? first : second;
        (void)server.ask<Granted>("job" + std::to_string(round), Command(acquireBy(1, 60s, round)));
    }
    std::vector<Sequence> journal;
    for (const event::Event& event : store->events(Sequence(), 100))
        journal.push_back(event.sequence);
    ASSERT_EQ(journal.size(), 20U);
    EXPECT_EQ(first.published(journal.size()), journal);
    EXPECT_EQ(second.published(journal.size()), journal);
}

TEST_F(SharedEngineThreadTest, AWaiterIsServedByAnotherServerThanTheOneThatEndsTheLease)
{
    const auto granted = first.ask<Granted>("job", Command(acquireBy(1, 60s)));
    auto waiting =
        std::async(std::launch::async,
                   [this] { return second.ask<Granted>("job", Command(acquireBy(2, 60s)), 60s); });
    while (second.ask<Status>("job", Query(GetStatus{})).waiters == 0)
        std::this_thread::yield();
    (void)first.ask<Ended>("job", Command(Release{credentialOf(granted.lease)}));
    EXPECT_GT(waiting.get().lease.term, granted.lease.term);
}

TEST_F(SharedEngineThreadTest, ServersOfAStoreThatIsRestoredBelowThemSayThatTheyAreLost)
{
    const auto granted = first.ask<Granted>("job", Command(acquireBy(1, 60s)));
    backend::Transaction restore;
    restore.puts.push_back(
        {{backend::Collection::Meta, "incarnation"}, backend::MetaRecord{"another"}});
    (void)store->commit(std::move(restore));
    first.awaitLost();
    second.awaitLost();
    const auto refused =
        first.ask<Refused>("job", Command(Renew{credentialOf(granted.lease), 60s}));
    EXPECT_EQ(refused.error.code, ErrorCode::Unavailable);
}

TEST_F(SharedEngineThreadTest, ALeaseIsRenewedThroughAnyServer)
{
    const auto granted = first.ask<Granted>("job", Command(acquireBy(1, 60s)));
    const auto renewed =
        second.ask<Renewed>("job", Command(Renew{credentialOf(granted.lease), 120s}));
    EXPECT_EQ(renewed.lease.term, granted.lease.term);
    const auto again = first.ask<Granted>("job", Command(acquireBy(1, 1s)));
    EXPECT_FALSE(again.fresh);
    EXPECT_GE(again.lease.deadline, renewed.lease.deadline) << "never shortened";
}

} // namespace octostore::coordination::test
