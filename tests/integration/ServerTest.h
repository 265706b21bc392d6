// SPDX-License-Identifier: MIT
/// @file
/// What tests of the real program have in common.
#pragma once

#include "ServerClient.h"
#include "support/ServerProcess.h"
#include "support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

namespace octostore::test
{

/// A directory, and the servers that run in it one after the other.
class ServerTest : public testing::Test
{
protected:
    static constexpr std::string_view alice = ServerProcess::aliceToken;
    static constexpr std::string_view bob = ServerProcess::bobToken;
    static constexpr std::string_view carol = ServerProcess::carolToken;

    /// Starts a server and waits until it serves.
    void start(const ServerProcess::Properties& properties = {},
               const ServerProcess::Variables& variables = {})
    {
        _server = std::make_unique<ServerProcess>(_directory.path(), properties, variables);
        const auto port = _server->port();
        ASSERT_TRUE(port) << port.error().message;
        _port = *port;
    }
    /// As the kernel does when memory runs out.
    void killServer()
    {
        _server->signal(SIGKILL);
        EXPECT_EQ(_server->waitForEnd(), 128 + SIGKILL) << _server->log();
    }
    ServerClient client(std::string_view token = {}) const { return ServerClient(_port, token); }

    /// The answer, which must have come.
    static ServerAnswer expectAnswer(const Result<ServerAnswer>& answer)
    {
        EXPECT_TRUE(answer) << (answer ? "" : answer.error().message);
        return answer ? *answer : ServerAnswer();
    }

    /// Of the leader in an answer about a room; -1: it has none.
    static std::int64_t termOf(const ServerAnswer& answer)
    {
        const JsonValue::Object body = answer.json();
        const JsonValue* leader = JsonFields(body).find("leader");
        if (leader == nullptr || leader->asObject() == nullptr)
            return -1;
        const auto term = JsonFields(*leader->asObject()).optionalInteger("term");
        return term && *term ? static_cast<std::int64_t>(**term) : -1;
    }

    TemporaryDirectory _directory;
    std::unique_ptr<ServerProcess> _server;
    std::uint16_t _port = 0;
};

} // namespace octostore::test
