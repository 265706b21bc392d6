// SPDX-License-Identifier: MIT
#include <octostore/client/EventStreamReader.h>

#include <gtest/gtest.h>

namespace octostore::client
{

class EventStreamReaderTest : public testing::Test
{
protected:
    std::vector<StreamEvent> push(std::string_view bytes)
    {
        auto events = _reader.push(bytes);
        EXPECT_TRUE(events.has_value());
        return events.value_or(std::vector<StreamEvent>());
    }

    EventStreamReader _reader;
};

TEST_F(EventStreamReaderTest, AFrameHasItsNameDataIdAndRetry)
{
    const auto events = push("event: state\nretry:1000\nid: 42\ndata: {\"a\":1}\n\n");
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0].name, "state");
    EXPECT_EQ(events[0].data, "{\"a\":1}");
    EXPECT_EQ(_reader.lastEventId(), "42");
    EXPECT_EQ(_reader.retry(), Milliseconds(1000));
}

TEST_F(EventStreamReaderTest, FramesCutAnywhereAreTheSame)
{
    const std::string stream =
        "event: a\ndata: 1\ndata: 2\n\n: keepalive\n\nid: 7\r\ndata: 3\r\n\r\n";
    for (std::size_t cut = 0; cut <= stream.size(); ++cut)
    {
        EventStreamReader reader;
        auto events = *reader.push(stream.substr(0, cut));
        const auto rest = *reader.push(stream.substr(cut));
        events.insert(events.end(), rest.begin(), rest.end());
        ASSERT_EQ(events.size(), 2U) << cut;
        EXPECT_EQ(events[0].data, "1\n2");
        EXPECT_EQ(events[1].name, "");
        EXPECT_EQ(events[1].data, "3");
        EXPECT_EQ(reader.lastEventId(), "7");
    }
}

TEST_F(EventStreamReaderTest, CommentsAreNoEvents)
{
    EXPECT_TRUE(push(":\n\n: keepalive\n\n").empty());
}

TEST_F(EventStreamReaderTest, AFrameOverTheLimitEndsTheStream)
{
    EXPECT_TRUE(
        push("data: " + std::string(EventStreamReader::frameMax - 8, 'x') + "\n\n").size() == 1);
    EXPECT_FALSE(_reader.push("data: " + std::string(EventStreamReader::frameMax, 'x')));
}

TEST_F(EventStreamReaderTest, RestartForgetsHalfAFrameButNotTheId)
{
    push("id: 1\ndata: whole\n\nid: 2\ndata: ha");
    _reader.restart();
    const auto events = push("data: next\n\n");
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0].data, "next");
}

TEST_F(EventStreamReaderTest, AnAbsurdRetryIsNotBelieved)
{
    push("retry: 99999999999\n\nretry: -1\n\nretry: x\n\n");
    EXPECT_FALSE(_reader.retry());
}

} // namespace octostore::client
