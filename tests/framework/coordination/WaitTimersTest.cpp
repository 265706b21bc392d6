// SPDX-License-Identifier: MIT
#include "coordination/WaitTimers.h"

#include <gtest/gtest.h>

namespace octostore::test
{

using coordination::Name;
using coordination::Queue;
using coordination::WaitTimers;

class WaitTimersTest : public ::testing::Test
{
protected:
    static BootTime at(int seconds) { return BootTime() + std::chrono::seconds(seconds); }
    Queue::iterator placeUntil(int seconds)
    {
        queue.emplace_back().until = at(seconds);
        return std::prev(queue.end());
    }
    bool isDue(Queue::iterator place, int seconds) const
    {
        const auto end = timers.due(at(seconds));
        return end && end->name == &name && end->place == place;
    }

    Name name;
    Queue queue;
    WaitTimers timers;
};

TEST_F(WaitTimersTest, WhatIsOverFirstComesFirstAndStaysUntilItIsCleared)
{
    const auto late = placeUntil(20);
    const auto early = placeUntil(10);
    timers.set(name, late);
    timers.set(name, early);
    EXPECT_EQ(timers.next(), at(10));
    EXPECT_FALSE(timers.due(at(9)));
    EXPECT_TRUE(isDue(early, 10));
    EXPECT_TRUE(isDue(early, 30));
    timers.clear(*early);
    EXPECT_FALSE(timers.due(at(19)));
    EXPECT_TRUE(isDue(late, 20));
    timers.clear(*late);
    EXPECT_EQ(timers.next(), std::nullopt);
}

TEST_F(WaitTimersTest, OfThoseOverAtOnceTheOneSetFirstComesFirst)
{
    const auto second = placeUntil(10);
    const auto first = placeUntil(10);
    timers.set(name, first);
    timers.set(name, second);
    EXPECT_TRUE(isDue(first, 10));
    timers.clear(*first);
    EXPECT_TRUE(isDue(second, 10));
}

TEST_F(WaitTimersTest, APlaceIsGivenAnotherEndOnceItsTimerIsCleared)
{
    const auto place = placeUntil(10);
    timers.clear(*place); // none is set yet
    timers.set(name, place);
    timers.clear(*place);
    timers.clear(*place);
    place->until = at(15);
    timers.set(name, place);
    EXPECT_EQ(timers.next(), at(15));
    EXPECT_TRUE(isDue(place, 15));
}

} // namespace octostore::test
