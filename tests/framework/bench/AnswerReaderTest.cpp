// SPDX-License-Identifier: MIT
#include <octostore/bench/AnswerReader.h>

#include <gtest/gtest.h>

#include <cstring>

namespace octostore::bench
{

namespace
{

void push(AnswerReader& reader, std::string_view bytes)
{
    std::memcpy(reader.room(bytes.size()), bytes.data(), bytes.size());
    reader.wrote(bytes.size());
}

constexpr std::string_view answer =
    "HTTP/1.1 200 OK\r\ndate: now\r\nCONTENT-length: 5\r\n\r\nhello";
constexpr std::string_view chunked =
    "HTTP/1.1 409 Conflict\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA\r\n0123456789\r\n"
    "0\r\n\r\n";

} // namespace

TEST(AnswerReaderTest, AnAnswerComesWholeHoweverItsBytesCome)
{
    for (const std::string_view text : {answer, chunked})
    {
        AnswerReader reader;
        for (std::size_t i = 0; i < text.size(); ++i)
        {
            ASSERT_FALSE(reader.take()) << i;
            push(reader, text.substr(i, 1));
        }
        const auto taken = reader.take();
        ASSERT_TRUE(taken);
        EXPECT_EQ(taken->body, text == answer ? "hello" : "abc0123456789");
        EXPECT_EQ(taken->status, text == answer ? 200 : 409);
        EXPECT_FALSE(taken->close);
        EXPECT_FALSE(reader.take());
        EXPECT_FALSE(reader.broken());
    }
}

TEST(AnswerReaderTest, ManyAnswersFollowEachOtherInLittleRoom)
{
    AnswerReader reader;
    for (int i = 0; i < 10'000; ++i)
    {
        push(reader, answer);
        push(reader, chunked);
        ASSERT_EQ(reader.take()->body, "hello");
        ASSERT_EQ(reader.take()->status, 409);
    }
}

TEST(AnswerReaderTest, ABodyMayBeMissing)
{
    AnswerReader reader;
    push(reader, "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
    const auto taken = reader.take();
    ASSERT_TRUE(taken);
    EXPECT_EQ(taken->status, 204);
    EXPECT_TRUE(taken->close);
}

TEST(AnswerReaderTest, WhatIsNoAnswerBreaksItUntilTheNextConnection)
{
    for (const std::string_view text :
         {"\r\n\r\n", "SSH-2.0-x\r\n\r\n", "HTTP/1.1 x00 OK\r\n\r\n",
          "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n"})
    {
        AnswerReader reader;
        push(reader, text);
        EXPECT_FALSE(reader.take()) << text;
        EXPECT_TRUE(reader.broken()) << text;
        reader.reset();
        push(reader, answer);
        ASSERT_TRUE(reader.take());
        EXPECT_FALSE(reader.broken());
    }
}

} // namespace octostore::bench
