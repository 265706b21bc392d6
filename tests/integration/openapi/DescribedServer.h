// SPDX-License-Identifier: MIT
/// @file
/// The real program and its description; every answer is held against it.
#pragma once

#include "ApiDescription.h"
#include "support/ServerProcess.h"
#include "support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace octostore::test
{

class DescribedServerTest : public ::testing::Test
{
protected:
    DescribedServerTest()
        : _server(_directory.path(), {{"auth.admin_key", "the-admin-key"},
                                      {"elections.requests_per_minute", "1000000"}})
    {
        const auto port = _server.port();
        EXPECT_TRUE(port) << port.error().message;
        _port = port ? *port : std::uint16_t{0};
    }

    /// The answer; of one without an end, its head. Nothing when the server does not answer.
    std::optional<HttpResponse> send(const std::string& request)
    {
        if (_client == nullptr)
        {
            _client = std::make_unique<HttpClient>(_port);
            _client->patience = std::chrono::seconds(60); // a guard against hangs
        }
        if (!_client->send(request))
            return std::nullopt;
        auto answer = _client->receiveHead();
        if (!answer)
            return std::nullopt;
        const std::string type = answer->header("content-type");
        const bool cut = type == "text/event-stream" || type == "application/vnd.sqlite3";
        if (!cut)
            answer = _client->receiveRest(*std::move(answer));
        if (cut || !answer || answer->header("connection") == "close")
            _client.reset();
        return answer;
    }

    ApiDescription _description;

private:
    TemporaryDirectory _directory;
    ServerProcess _server;
    std::uint16_t _port = 0;
    std::unique_ptr<HttpClient> _client;
};

} // namespace octostore::test
