// SPDX-License-Identifier: MIT
// Goal: the journal is kept to size, and nobody loses what they still need unless a disk would end.
// Method: events are put into a store in memory and counted; what is left is read back.
#include "event/Retention.h"

#include "HappenedEvent.h"
#include "MemoryBackend.h"
#include "event/Publisher.h"
#include "support/FakeClock.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace octostore::event
{
namespace
{

using namespace std::chrono_literals;

constexpr std::size_t limit = 3000; ///< events; it is trimmed in steps of a thousand
constexpr std::size_t stepEvents = 1000;

class RetentionTest : public testing::Test
{
protected:
    static RetentionLimits limits()
    {
        RetentionLimits limits;
        limits.count = limit;
        return limits;
    }
    /// `count` more events happen now.
    void happen(std::size_t count)
    {
        for (std::size_t i = 0; i < count; ++i)
            retention.add(event::happen(*store, clock.wallTime()));
    }
    void trim() { retention.trim(backend, clock.wallTime()); }
    std::uint64_t first() const
    {
        const auto events = store->events(Sequence(), 1);
        return events.empty() ? 0 : events.front().sequence.value();
    }

    test::FakeClock clock;
    std::shared_ptr<memory::MemoryStore> store = std::make_shared<memory::MemoryStore>();
    memory::MemoryBackend backend{store};
    Retention retention{limits(), Logger()};
};

TEST_F(RetentionTest, WholeStepsAreForgottenButForTheirLastEvent)
{
    happen(limit);
    trim();
    EXPECT_EQ(first(), 1U);
    happen(1);
    trim();
    EXPECT_EQ(first(), stepEvents);
    EXPECT_EQ(retention.trimmed().value(), stepEvents - 1);
}

TEST_F(RetentionTest, NothingIsForgottenThatSomebodyNeeds)
{
    retention.hold("fast", Sequence(5000));
    retention.hold("slow", Sequence(stepEvents - 1));
    happen(2 * limit);
    trim();
    EXPECT_EQ(first(), 1U);
    retention.hold("slow", Sequence(2 * stepEvents));
    trim();
    EXPECT_EQ(first(), 2 * stepEvents);
    retention.hold("slow", std::nullopt);
    trim();
    EXPECT_EQ(first(), limit);
}

TEST_F(RetentionTest, AboveTwiceTheLimitNobodyIsAsked)
{
    retention.hold("slow", Sequence(1));
    happen(2 * limit + 1);
    trim();
    EXPECT_EQ(first(), stepEvents); // one step is enough to be below
    EXPECT_EQ(retention.trimmed().value(), stepEvents - 1);
}

TEST_F(RetentionTest, WhatIsTooOldIsKeptForThoseWhoNeedIt)
{
    happen(stepEvents);
    clock.advance(7 * 24h + 1s);
    happen(1);
    retention.hold("slow", Sequence(10));
    trim();
    EXPECT_EQ(first(), 1U);
    retention.hold("slow", Sequence(stepEvents));
    trim();
    EXPECT_EQ(first(), stepEvents);
}

TEST_F(RetentionTest, WhoeverHadEverythingHasMissedNothingAfterARestart)
{
    happen(stepEvents);
    const Sequence had(stepEvents);
    clock.advance(8 * 24h);
    trim();
    for (int i = 0; i < 5; ++i) // renewals: revisions without events
        store->commit({});

    Publisher journal(backend, clock, limits(), Logger());
    ASSERT_TRUE(journal.start(store->revision()));
    EXPECT_LE(journal.trimmed(), had);
    journal.stop();
}

} // namespace
} // namespace octostore::event
