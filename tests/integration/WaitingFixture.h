// SPDX-License-Identifier: MIT
/// @file
/// What the tests of waiting programs have in common: a server with a hundred accounts of theirs.
#pragma once

#include "OpenConnection.h"
#include "QueueScout.h"
#include "ServerTest.h"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace octostore::test
{

/// On each transport.
class WaitingFixture : public ServerTest, public testing::WithParamInterface<const char*>
{
protected:
    using Clock = std::chrono::steady_clock;
    using Waiters = std::vector<std::unique_ptr<OpenConnection>>;

    static constexpr int accounts = 100;

    void SetUp() override
    {
        std::string tokens;
        for (const std::string_view name : {"alice", "bob", "carol"})
            tokens += std::string(name) + ":" + std::string(name) + "-secret-token,";
        for (int i = 0; i < accounts; ++i)
            tokens +=
                "program-" + std::to_string(i) + ":" + token(i) + (i + 1 < accounts ? "," : "");
        _server = std::make_unique<ServerProcess>(
            _directory.path(),
            ServerProcess::Properties{{"http.transport", GetParam()}, {"auth.static.tokens", ""}},
            ServerProcess::Variables{{"STATIC_TOKENS", tokens}});
        const auto port = _server->port();
        ASSERT_TRUE(port) << port.error().message;
        _port = *port;
    }

    static std::string token(int account) { return "secret-of-program-" + std::to_string(account); }
    static std::string leaseOf(const ServerAnswer& acquired)
    {
        return "{\"lease_id\":\"" + acquired.text("lease_id") + "\"}";
    }
    static std::string leaderOf(const ServerAnswer& leader, const std::string& more = {})
    {
        return "{\"leader_token\":\"" + leader.text("leader_token") + "\"" + more + "}";
    }
    /// The answer of a waiter, which must come.
    static ServerAnswer expectAnswer(OpenConnection& waiter)
    {
        const auto answer = waiter.answer();
        EXPECT_TRUE(answer) << "the connection ended, or nothing came";
        return answer.value_or(ServerAnswer());
    }
    using ServerTest::expectAnswer;

    /// Alice has it long enough for everything a test does before she gives it back.
    ServerAnswer hold(const std::string& lock)
    {
        const ServerAnswer held = expectAnswer(
            client(alice).post("/locks/" + lock + "/acquire", R"({"ttl_seconds":3600})"));
        EXPECT_EQ(held.text("status"), "acquired") << held.body;
        return held;
    }
    void release(const std::string& lock, std::string_view holder, const ServerAnswer& acquired)
    {
        const ServerAnswer answer =
            expectAnswer(client(holder).post("/locks/" + lock + "/release", leaseOf(acquired)));
        EXPECT_EQ(answer.status, 200) << answer.body;
    }
    /// A program that has asked for the lock and waits.
    std::unique_ptr<OpenConnection> await(const std::string& lock, std::string_view token,
                                          int ttl = 60, int wait = 300) const
    {
        auto waiter = std::make_unique<OpenConnection>(_port, token);
        waiter->ask("/locks/" + lock + "/acquire", "{\"wait_seconds\":" + std::to_string(wait) +
                                                       ",\"ttl_seconds\":" + std::to_string(ttl) +
                                                       "}");
        return waiter;
    }
};

} // namespace octostore::test
