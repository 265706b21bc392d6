// SPDX-License-Identifier: MIT
#include "TaskQueue.h"

#include <gtest/gtest.h>

#include <thread>

namespace octostore::program
{
namespace
{

class TaskQueueTest : public testing::Test
{
protected:
    static constexpr Milliseconds guard{60'000};

    TaskQueue _queue;
};

TEST_F(TaskQueueTest, TasksRunInOrderOnTheThreadThatWaits)
{
    std::vector<int> ran;
    std::thread::id where;
    std::thread other(
        [&]
        {
            _queue.post({[&] { ran.push_back(1); },
                         [&]
                         {
                             ran.push_back(2);
                             where = std::this_thread::get_id();
                         }});
        });
    EXPECT_TRUE(_queue.runOne(guard));
    EXPECT_TRUE(_queue.runOne(guard));
    other.join();
    EXPECT_EQ(ran, (std::vector<int>{1, 2}));
    EXPECT_EQ(where, std::this_thread::get_id());
}

TEST_F(TaskQueueTest, NothingRunsWithinPost)
{
    bool ran = false;
    _queue.post({[&] { ran = true; }});
    EXPECT_FALSE(ran);
    EXPECT_TRUE(_queue.runFor(Milliseconds(0)) && ran);
}

TEST_F(TaskQueueTest, WhoWaitsInVainIsTold)
{
    EXPECT_FALSE(_queue.runOne(Milliseconds(1)));
    EXPECT_TRUE(_queue.runFor(Milliseconds(1)));
}

TEST_F(TaskQueueTest, AfterAStopNothingRunsAndNobodyWaits)
{
    bool ran = false;
    _queue.post({[&] { ran = true; }});
    std::thread other([&] { _queue.stop(); });
    other.join();
    _queue.post({[&] { ran = true; }});
    EXPECT_FALSE(_queue.runFor(guard));
    EXPECT_FALSE(ran);
}

} // namespace
} // namespace octostore::program
