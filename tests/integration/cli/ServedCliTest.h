// SPDX-License-Identifier: MIT
/// @file
/// What tests of commands that ask the real server once share.
#pragma once

#include "CliTest.h"
#include "support/ServerProcess.h"

#include <memory>

namespace octostore::test
{

/// A server of its own for each test: alice and bob are users, root is an administrator.
class ServedCliTest : public CliTest
{
protected:
    struct Ended
    {
        int code = 0;
        std::string output;
        std::string errors;
    };

    void SetUp() override
    {
        CliTest::SetUp();
        serve({{"auth.static.tokens", "alice:alices-token,bob:bobs-token"},
               {"auth.static.root.token", "roots-token"},
               {"auth.static.root.role", "admin"},
               {"webhooks.egress.allow.cidrs", "127.0.0.0/8"}});
    }
    /// In place of the server before.
    void serve(const ServerProcess::Properties& properties)
    {
        _server.reset();
        _server = std::make_unique<ServerProcess>(_directory, properties);
        const auto port = _server->port();
        ASSERT_TRUE(port.ok()) << port.error().message;
        _url = "http://127.0.0.1:" + std::to_string(*port);
    }

    Ended run(const ClientProcess::Words& words, const std::string& token = "alices-token")
    {
        Ended ended = runOnce(words, token);
        // A server that stood still says so to who asks for a lease; nothing was changed.
        for (int tries = 1; tries < 100 && ended.code == 70 &&
                            ended.errors.find("is overloaded") != std::string::npos;
             ++tries)
            ended = runOnce(words, token);
        return ended;
    }
    Ended runOnce(const ClientProcess::Words& words, const std::string& token)
    {
        ClientProcess client(words, {{"OCTOSTORE_URL", _url}, {"OCTOSTORE_TOKEN", token}});
        const int code = client.wait();
        return {code, client.output(), client.errors()};
    }

    static std::string firstLine(const std::string& text)
    {
        return text.substr(0, text.find('\n'));
    }

    std::unique_ptr<ServerProcess> _server;
    std::string _url;
};

} // namespace octostore::test
