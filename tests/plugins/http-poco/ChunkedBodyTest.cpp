// SPDX-License-Identifier: MIT
#include "ChunkedBody.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace octostore::http_poco
{

class ChunkedBodyTest : public testing::Test
{
protected:
    /// Feeds byte by byte until the body is done or refused; returns how many were taken.
    Result<std::size_t> feedSlowly(std::string_view bytes)
    {
        std::size_t taken = 0;
        while (taken < bytes.size() && !chunks->done())
        {
            const auto fed = chunks->feed(bytes.substr(taken, 1), body);
            if (!fed)
                return fed.error();
            taken += *fed;
        }
        return taken;
    }

    std::optional<ChunkedBody> chunks{std::in_place, 10, 20};
    std::string body;
};

TEST_F(ChunkedBodyTest, ContentIsJoinedAndWhatFollowsIsLeft)
{
    const std::string bytes = "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nT: t\r\n\r\n";
    const auto taken = chunks->feed(bytes + "GET /", body);
    ASSERT_TRUE(taken.ok());
    EXPECT_EQ(*taken, bytes.size());
    EXPECT_TRUE(chunks->done());
    EXPECT_EQ(body, "abcde");
}

TEST_F(ChunkedBodyTest, PiecesOfAnySizeMakeTheSameBody)
{
    const std::string bytes = "A\r\n0123456789\r\n00\r\n\r\n";
    const auto taken = feedSlowly(bytes + "x");
    ASSERT_TRUE(taken.ok());
    EXPECT_EQ(*taken, bytes.size());
    EXPECT_EQ(body, "0123456789");
}

TEST_F(ChunkedBodyTest, MoreThanTheLimitIsRefusedWhenItIsAnnounced)
{
    for (const char* bytes : {"b\r\n", "5\r\nabcde\r\n6\r\n", "ffffffffffffffff\r\n"})
    {
        ChunkedBody fresh(10, 20);
        body.clear();
        const auto taken = fresh.feed(bytes, body);
        ASSERT_FALSE(taken.ok()) << bytes;
        EXPECT_EQ(taken.error().code, ErrorCode::PayloadTooLarge);
    }
}

TEST_F(ChunkedBodyTest, WhatIsNotAChunkIsRefusedInOnePieceAndInMany)
{
    for (const char* bytes :
         {"\r\n", "x\r\n", "1\n", "\n", "1\r\nab", "1\r\na\n", "0\r\nT: \x01\r\n", "1\r\r\n",
          "1 ;x\r\n", "10000000000000000\r\n", "1;aaaaaaaaaaaaaaaaaaaaaaaaaaaa",
          "0\r\nA: aaaaaaaa\r\nB: bbbbbbbbb\r\n"})
    {
        SCOPED_TRACE(bytes);
        ChunkedBody whole(10, 20);
        body.clear();
        EXPECT_FALSE(whole.feed(bytes, body).ok());
        chunks.emplace(10, 20);
        body.clear();
        EXPECT_FALSE(feedSlowly(bytes).ok());
    }
}

} // namespace octostore::http_poco
