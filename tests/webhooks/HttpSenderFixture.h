// SPDX-License-Identifier: MIT
/// @file
/// The real sender with a real receiver, and names that lead where the test wants.
#pragma once

#include "FakeResolver.h"
#include "HttpSender.h"
#include "support/ScriptedServer.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace octostore::test
{

inline webhooks::HttpSenderOptions limits(Milliseconds timeout)
{
    webhooks::HttpSenderOptions options;
    options.timeout = timeout;
    return options;
}

inline webhooks::EgressPolicy allowing(std::vector<std::string> allowed)
{
    webhooks::EgressSettings settings;
    settings.allow = std::move(allowed);
    return *webhooks::EgressPolicy::make(std::move(settings));
}

inline webhooks::Outgoing messageTo(const std::string& url)
{
    return {*webhooks::TargetUrl::parse(url), {{"webhook-id", "evt_1"}}, "{}"};
}

/// A real sender and receiver; what names lead to is said by the test.
class HttpSenderFixture : public testing::Test
{
protected:
    std::string url(const std::string& host) const
    {
        return "http://" + host + ":" + std::to_string(server.port()) + "/hook";
    }
    webhooks::Attempt send(webhooks::HttpSender& sender)
    {
        return sender.send(messageTo(url("127.0.0.1")));
    }
    void answer(ScriptedReply reply)
    {
        server.setHandler([reply = std::move(reply)](const SeenRequest&) { return reply; });
    }

    FakeResolver resolver;
    ScriptedServer server{[](const SeenRequest&) { return jsonReply("{}"); }};
    webhooks::HttpSender patient{allowing({"127.0.0.0/8"}), resolver,
                                 limits(std::chrono::seconds(30))};
    webhooks::HttpSender hasty{allowing({"127.0.0.0/8"}), resolver, limits(Milliseconds(300))};
};

} // namespace octostore::test
