// SPDX-License-Identifier: MIT
#include <octostore/base/ClassQueue.h>

#include <gtest/gtest.h>

namespace octostore
{
namespace
{

class ClassQueueTest : public testing::Test
{
protected:
    void push(Priority priority, int count)
    {
        for (int i = 0; i < count; ++i)
            queue.push(priority, {priority, i});
    }
    static int countOf(const std::vector<std::pair<Priority, int>>& batch, Priority priority)
    {
        return static_cast<int>(std::count_if(batch.begin(), batch.end(),
                                              [priority](const auto& entry)
                                              { return entry.first == priority; }));
    }

    ClassQueue<std::pair<Priority, int>> queue;
};

TEST_F(ClassQueueTest, HigherClassesComeFirstAndEachInItsOrder)
{
    push(Priority::Housekeeping, 1);
    push(Priority::Acquire, 2);
    push(Priority::Keep, 1);
    EXPECT_EQ(queue.size(), 4U);
    EXPECT_EQ(queue.size(Priority::Acquire), 2U);
    const auto batch = queue.take(10);
    const std::vector<std::pair<Priority, int>> expected{{Priority::Keep, 0},
                                                         {Priority::Acquire, 0},
                                                         {Priority::Acquire, 1},
                                                         {Priority::Housekeeping, 0}};
    EXPECT_EQ(batch, expected);
    EXPECT_TRUE(queue.empty());
}

TEST_F(ClassQueueTest, EveryClassThatWaitsGetsAnEighth)
{
    push(Priority::Keep, 100);
    push(Priority::HandOver, 100);
    push(Priority::Acquire, 100);
    push(Priority::Housekeeping, 100);
    const auto batch = queue.take(64);
    EXPECT_EQ(batch.size(), 64U);
    EXPECT_EQ(countOf(batch, Priority::Keep), 40);
    EXPECT_EQ(countOf(batch, Priority::HandOver), 8);
    EXPECT_EQ(countOf(batch, Priority::Acquire), 8);
    EXPECT_EQ(countOf(batch, Priority::Housekeeping), 8);
}

TEST_F(ClassQueueTest, WhatNobodyNeedsGoesToTheOthers)
{
    push(Priority::Keep, 2);
    push(Priority::Housekeeping, 100);
    const auto batch = queue.take(16);
    EXPECT_EQ(countOf(batch, Priority::Keep), 2);
    EXPECT_EQ(countOf(batch, Priority::Housekeeping), 14);
}

TEST_F(ClassQueueTest, ABatchOfOneStillMovesTheHighestClass)
{
    push(Priority::Keep, 1);
    push(Priority::Housekeeping, 1);
    EXPECT_EQ(countOf(queue.take(1), Priority::Keep), 1);
    EXPECT_EQ(countOf(queue.take(1), Priority::Housekeeping), 1);
    EXPECT_TRUE(queue.take(0).empty());
}

} // namespace
} // namespace octostore
