// SPDX-License-Identifier: MIT
#include "event/Publisher.h"

#include "HappenedEvent.h"
#include "MemoryBackend.h"
#include "support/FakeClock.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace octostore::event
{
namespace
{

/// Counts how often the journal is read. Thread-safety: thread-safe.
class ReadStore final : public backend::Backend
{
public:
    explicit ReadStore(std::shared_ptr<memory::MemoryStore> store) : _backend(std::move(store)) {}
    /// Before anybody reads: what is done within the `number`th reading.
    void within(int number, std::function<void()> action)
    {
        _number = number;
        _action = std::move(action);
    }
    backend::Traits traits() const noexcept override { return _backend.traits(); }
    Result<Revision> load(const backend::RecordSink& sink) noexcept override
    {
        return _backend.load(sink);
    }
    Result<void> start(backend::BackendListener& listener) noexcept override
    {
        return _backend.start(listener);
    }
    void commit(std::vector<backend::Transaction> batch) noexcept override
    {
        _backend.commit(std::move(batch));
    }
    void read(backend::ReadId request, std::vector<backend::Key> keys) noexcept override
    {
        _backend.read(request, std::move(keys));
    }
    void sync(backend::ReadId request) noexcept override { _backend.sync(request); }
    Result<std::vector<Event>> events(Sequence after, std::size_t limit) noexcept override
    {
        if (++reads == _number)
            _action();
        return _backend.events(after, limit);
    }
    Result<void> trimEvents(Sequence upTo) noexcept override { return _backend.trimEvents(upTo); }
    void stop() noexcept override { _backend.stop(); }
    std::uint64_t sizeBytes() const noexcept override { return _backend.sizeBytes(); }

    std::atomic<int> reads{0};

private:
    memory::MemoryBackend _backend;
    int _number = 0;
    std::function<void()> _action;
};

/// Notes how often the journal had been read when the first event came.
class FirstEvent final : public Consumer
{
public:
    explicit FirstEvent(const ReadStore& store) : _store(store) {}
    void events(const std::vector<EventPtr>&) noexcept override
    {
        int none = -1;
        readsBefore.compare_exchange_strong(none, _store.reads.load());
    }

    std::atomic<int> readsBefore{-1};

private:
    const ReadStore& _store;
};

template <class Condition>
bool soon(const Condition& condition)
{
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!condition() && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return condition();
}

TEST(PublisherTest, RenewalsThatGatherBeyondTheLimitAreDroppedAndCounted)
{
    memory::MemoryBackend backend(std::make_shared<memory::MemoryStore>());
    const test::FakeClock clock;
    // It is never started, so that everything gathers.
    Publisher publisher(backend, clock, {}, Logger());
    publisher.publish({}, std::vector<Renewal>(65'536));
    EXPECT_EQ(publisher.droppedRenewals(), 0U);
    publisher.publish({}, std::vector<Renewal>(3));
    EXPECT_EQ(publisher.droppedRenewals(), 3U);
}

TEST(PublisherTest, WhoReadsWhileItStartsMissesNothing)
{
    const auto store = std::make_shared<memory::MemoryStore>();
    memory::MemoryBackend backend(store);
    const test::FakeClock clock;
    const Revision stored(happen(*store, clock.wallTime()).sequence.value());
    constexpr int starts = 5000;
    for (int i = 0; i < starts; ++i)
    {
        Publisher publisher(backend, clock, {}, Logger());
        std::size_t seen = 0;
        std::thread reader(
            [&]
            {
                while (publisher.newest() == Sequence())
                {
                }
                seen = publisher.read(Sequence(), 10)->size();
            });
        EXPECT_TRUE(publisher.start(stored));
        reader.join();
        ASSERT_EQ(seen, 1U) << "start " << i;
    }
}

TEST(PublisherTest, WhatHappensIsToldBeforeAllThatHappenedIsCounted)
{
    const auto store = std::make_shared<memory::MemoryStore>();
    ReadStore backend(store);
    test::FakeClock clock;
    constexpr int before = 4'000;
    RetentionLimits limits;
    limits.count = before - 1'000;
    Event last;
    for (int i = 0; i < before; ++i)
        last = happen(*store, clock.wallTime());
    Publisher publisher(backend, clock, limits, Logger());
    FirstEvent consumer(backend);
    publisher.add(consumer);
    // While the third page of the old ones is counted.
    constexpr int counting = 4;
    backend.within(counting, [&] { publisher.publish({happen(*store, clock.wallTime())}, {}); });
    ASSERT_TRUE(publisher.start(Revision(last.sequence.value())));
    const auto later = [&](const auto& condition)
    {
        clock.advance(Milliseconds(25));
        publisher.publish({}, {}); // it looks at the clock
        return condition();
    };
    ASSERT_TRUE(soon([&] { return later([&] { return consumer.readsBefore >= 0; }); }));
    constexpr int readsInAll = 18; // one at the start, then 250 events each
    EXPECT_EQ(consumer.readsBefore, counting) << "before the next page";
    // Counted in the end, and once each: that of now is what makes it a thousand too many.
    EXPECT_TRUE(soon([&] { return later([&] { return backend.reads == readsInAll; }); }));
    clock.advance(std::chrono::minutes(1));
    EXPECT_TRUE(soon([&] { return later([&] { return publisher.trimmed() == Sequence(1999); }); }));
}

} // namespace
} // namespace octostore::event
