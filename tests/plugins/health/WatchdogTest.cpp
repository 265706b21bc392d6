// SPDX-License-Identifier: MIT
#include "Watchdog.h"

#include "Fakes.h"

#include <gtest/gtest.h>

namespace octostore::health
{

class WatchdogTest : public testing::Test
{
protected:
    std::shared_ptr<test::ManualExecutor> executor = std::make_shared<test::ManualExecutor>();
    int barked = 0;
};

TEST_F(WatchdogTest, WhatIsDueRunsOnItsExecutorInOrder)
{
    Watchdog watchdog(Milliseconds{1});
    watchdog.start();
    std::vector<int> order;
    ASSERT_TRUE(watchdog.add(executor, [&] { order.push_back(1); }));
    ASSERT_TRUE(watchdog.add(executor, [&] { order.push_back(2); }));
    while (order.size() < 2)
    {
        executor->waitForOne();
        executor->run();
    }
    EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST_F(WatchdogTest, StoppingDropsWhatIsNotDueAndTakesNoMore)
{
    Watchdog watchdog(Milliseconds{3'600'000});
    watchdog.start();
    ASSERT_TRUE(watchdog.add(executor, [&] { ++barked; }));
    watchdog.stop();
    EXPECT_FALSE(watchdog.add(executor, [&] { ++barked; }));
    EXPECT_EQ(executor->run(), 0U);
    EXPECT_EQ(barked, 0);
}

TEST_F(WatchdogTest, WhatIsRemovedDoesNotCount)
{
    Watchdog watchdog(Milliseconds{3'600'000});
    watchdog.start();
    for (int i = 0; i < 10'000; ++i)
    {
        const auto wait = watchdog.add(executor, [this] { ++barked; });
        ASSERT_TRUE(wait) << i;
        watchdog.remove(*wait);
        watchdog.remove(*wait);
    }
    ASSERT_TRUE(watchdog.add(executor, [this] { ++barked; }));
    EXPECT_EQ(barked, 0);
}

TEST_F(WatchdogTest, TheNumberThatWaitIsBounded)
{
    Watchdog watchdog(Milliseconds{3'600'000});
    watchdog.start();
    std::size_t taken = 0;
    while (taken < 100'000 && watchdog.add(executor, [] {}))
        ++taken;
    EXPECT_EQ(taken, 4096U);
}

} // namespace octostore::health
