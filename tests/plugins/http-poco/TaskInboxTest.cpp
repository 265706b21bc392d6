// SPDX-License-Identifier: MIT
#include "TaskInbox.h"

#include <gtest/gtest.h>

#include <memory>

#include <poll.h>

namespace octostore::http_poco
{

class TaskInboxTest : public testing::Test
{
protected:
    bool readable() const
    {
        pollfd polled{inbox->descriptor(), POLLIN, 0};
        return ::poll(&polled, 1, 0) == 1;
    }

    std::shared_ptr<TaskInbox> inbox = TaskInbox::open();
    int ran = 0;
};

TEST_F(TaskInboxTest, PostedTasksMakeItReadableUntilTheyRan)
{
    EXPECT_FALSE(readable());
    inbox->post({[this] { ++ran; }, [this] { ++ran; }});
    EXPECT_TRUE(readable());
    EXPECT_EQ(ran, 0);
    inbox->run();
    EXPECT_EQ(ran, 2);
    EXPECT_FALSE(readable());
}

TEST_F(TaskInboxTest, ATaskPostedByATaskRunsInTheNextRound)
{
    inbox->post({[this] { inbox->post({[this] { ++ran; }}); }});
    inbox->run();
    EXPECT_EQ(ran, 0);
    EXPECT_TRUE(readable());
    inbox->run();
    EXPECT_EQ(ran, 1);
}

TEST_F(TaskInboxTest, AStoppedInboxDropsItsTasksAndWhatTheyHold)
{
    const auto held = std::make_shared<int>(0);
    inbox->post({[this, held] { ++ran; }});
    inbox->stop();
    EXPECT_EQ(held.use_count(), 1);
    inbox->post({[this, held] { ++ran; }});
    EXPECT_EQ(held.use_count(), 1);
    inbox->run();
    EXPECT_EQ(ran, 0);
}

TEST_F(TaskInboxTest, AWakeUpNeedsNoTask)
{
    inbox->wake();
    EXPECT_TRUE(readable());
    inbox->run();
    EXPECT_FALSE(readable());
}

} // namespace octostore::http_poco
