// SPDX-License-Identifier: MIT
#include "Outgoing.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>

#include <sys/socket.h>
#include <unistd.h>

namespace octostore::http_beast
{

class OutgoingTest : public testing::Test
{
protected:
    OutgoingTest() { EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets.data()), 0); }
    ~OutgoingTest() override
    {
        ::close(sockets[0]);
        ::close(sockets[1]);
    }

    /// Everything that has arrived.
    std::string received()
    {
        std::string text;
        std::array<char, 65536> buffer{};
        while (true)
        {
            const ssize_t count = ::recv(sockets[1], buffer.data(), buffer.size(), MSG_DONTWAIT);
            if (count <= 0)
                return text;
            text.append(buffer.data(), static_cast<std::size_t>(count));
        }
    }
    static std::shared_ptr<const std::string> chunk(std::string text)
    {
        return std::make_shared<const std::string>(std::move(text));
    }

    std::array<int, 2> sockets{};
    Outgoing outgoing;
};

TEST_F(OutgoingTest, PiecesGoOutInOrderAndChunksAreFramed)
{
    outgoing.add("head\r\n\r\n");
    outgoing.add(chunk("0123456789abcdef"), true);
    outgoing.add(chunk("raw"), false);
    outgoing.add("");
    EXPECT_FALSE(outgoing.empty());
    const Outgoing::Sent sent = outgoing.sendTo(sockets[0]);
    EXPECT_EQ(sent.outcome, Outgoing::Outcome::Done);
    EXPECT_EQ(sent.chunks, 19U);
    EXPECT_TRUE(outgoing.empty());
    EXPECT_EQ(received(), "head\r\n\r\n10\r\n0123456789abcdef\r\nraw");
}

TEST_F(OutgoingTest, WhatTheKernelDoesNotTakeStaysInOrder)
{
    std::string expected;
    std::size_t chunks = 0;
    for (int i = 0; i < 500; ++i)
    {
        const std::string text(static_cast<std::size_t>(i) * 7 + 1,
                               static_cast<char>('a' + i % 26));
        outgoing.add(chunk(text), false);
        expected += text;
    }
    std::string got;
    Outgoing::Sent sent{};
    int blocked = 0;
    do
    {
        sent = outgoing.sendTo(sockets[0]);
        blocked += sent.outcome == Outgoing::Outcome::Blocked ? 1 : 0;
        chunks += sent.chunks;
        got += received();
    } while (sent.outcome == Outgoing::Outcome::Blocked);
    EXPECT_GT(blocked, 0);
    EXPECT_EQ(sent.outcome, Outgoing::Outcome::Done);
    EXPECT_EQ(chunks, expected.size());
    EXPECT_EQ(got, expected);
}

TEST_F(OutgoingTest, AChunkCountsOnceItIsWhollySent)
{
    const std::size_t size = 4'000'000;
    outgoing.add(chunk(std::string(size, 'x')), true);
    Outgoing::Sent sent = outgoing.sendTo(sockets[0]);
    ASSERT_EQ(sent.outcome, Outgoing::Outcome::Blocked);
    EXPECT_GT(sent.bytes, 0U);
    EXPECT_EQ(sent.chunks, 0U);
    while (sent.outcome == Outgoing::Outcome::Blocked)
    {
        received();
        sent = outgoing.sendTo(sockets[0]);
    }
    EXPECT_EQ(sent.chunks, size);
}

TEST_F(OutgoingTest, ABrokenConnectionIsTold)
{
    ::shutdown(sockets[1], SHUT_RDWR);
    outgoing.add("text");
    EXPECT_EQ(outgoing.sendTo(sockets[0]).outcome, Outgoing::Outcome::Broken);
}

} // namespace octostore::http_beast
