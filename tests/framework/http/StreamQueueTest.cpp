// SPDX-License-Identifier: MIT
#include "FakeChannel.h"

#include <octostore/http/StreamQueue.h>

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace octostore::http
{

namespace
{

std::shared_ptr<const std::string> chunk(const char* text)
{
    return std::make_shared<const std::string>(text);
}

} // namespace

class StreamQueueTest : public testing::Test
{
protected:
    std::shared_ptr<test::ManualExecutor> executor = std::make_shared<test::ManualExecutor>();
    int announced = 0;
    int closed = 0;
    StreamQueue queue{executor, 10, [this] { ++announced; }};
};

TEST_F(StreamQueueTest, ChunksAreTakenInOrderAfterOneAnnouncement)
{
    EXPECT_TRUE(queue.write(chunk("one")));
    EXPECT_TRUE(queue.write(chunk("two")));
    executor->run();
    EXPECT_EQ(announced, 1);
    const auto taken = queue.take();
    ASSERT_EQ(taken.chunks.size(), 2U);
    EXPECT_EQ(*taken.chunks[0], "one");
    EXPECT_EQ(*taken.chunks[1], "two");
    EXPECT_FALSE(taken.last);
    EXPECT_TRUE(queue.write(chunk("x")));
    executor->run();
    EXPECT_EQ(announced, 2);
}

TEST_F(StreamQueueTest, UnsentBytesAreBoundedUntilTheKernelTookThem)
{
    EXPECT_TRUE(queue.write(chunk("12345678")));
    EXPECT_FALSE(queue.write(chunk("abc")));
    EXPECT_TRUE(queue.write(chunk("ab")));
    EXPECT_EQ(queue.unsentBytes(), 10U);
    EXPECT_EQ(queue.take().chunks.size(), 2U);
    EXPECT_FALSE(queue.write(chunk("c")));
    queue.sent(8);
    EXPECT_EQ(queue.unsentBytes(), 2U);
    EXPECT_TRUE(queue.write(chunk("c")));
}

TEST_F(StreamQueueTest, NothingFollowsAClose)
{
    EXPECT_TRUE(queue.write(chunk("a")));
    queue.close();
    EXPECT_FALSE(queue.write(chunk("b")));
    const auto taken = queue.take();
    EXPECT_EQ(taken.chunks.size(), 1U);
    EXPECT_TRUE(taken.last);
}

TEST_F(StreamQueueTest, AnEmptyChunkIsNotSent)
{
    EXPECT_TRUE(queue.write(chunk("")));
    EXPECT_EQ(executor->run(), 0U);
    EXPECT_TRUE(queue.take().chunks.empty());
}

TEST_F(StreamQueueTest, TheEndIsToldOnceAndRefusesWrites)
{
    queue.onClosed([this] { ++closed; });
    EXPECT_TRUE(queue.write(chunk("a")));
    queue.end();
    queue.end();
    EXPECT_EQ(closed, 1);
    EXPECT_FALSE(queue.write(chunk("b")));
    EXPECT_EQ(queue.unsentBytes(), 0U);
}

TEST_F(StreamQueueTest, WhoAsksAfterTheEndIsToldOnTheExchangesThread)
{
    queue.end();
    queue.onClosed([this] { ++closed; });
    EXPECT_EQ(closed, 0);
    executor->run();
    EXPECT_EQ(closed, 1);
}

} // namespace octostore::http
