// SPDX-License-Identifier: MIT
/// @file
/// A router with routes that say who they are.
#pragma once

#include "FakeChannel.h"
#include "support/FakeClock.h"

#include <octostore/base/Log.h>
#include <octostore/http/ErrorResponse.h>
#include <octostore/http/Router.h>

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace octostore::test
{

class FakeTokens final : public http::AuthProvider
{
public:
    std::optional<http::Identity> authenticate(const Digest& token) const noexcept override
    {
        const auto found = _known.find(token);
        return found == _known.end() ? std::nullopt : std::optional(found->second);
    }
    void add(std::string_view token, std::string name, http::Role role)
    {
        http::Identity identity;
        identity.name = std::move(name);
        identity.role = role;
        _known[sha256(token)] = identity;
    }

private:
    std::map<Digest, http::Identity> _known;
};

class FakeFilter final : public http::Filter
{
public:
    explicit FakeFilter(std::string name) : _name(std::move(name)) {}
    std::optional<http::Response> before(http::Exchange& exchange,
                                         const http::Route&) noexcept override
    {
        ++asked;
        if (!refuse)
            return std::nullopt;
        return http::errorResponse({ErrorCode::RateLimited, "Slow down."}, exchange.id());
    }
    void after(http::Exchange&, const http::Route& route,
               http::Response& response) noexcept override
    {
        response.headers.add("x-filter", _name + " " + route.pattern);
    }

    void unmatched(const http::Exchange&, const http::Response& response) noexcept override
    {
        strays.push_back(response.status);
    }

    bool refuse = false;
    int asked = 0;
    std::vector<int> strays; ///< what was answered to requests without a route

private:
    const std::string _name;
};

/// Every route answers `{"route":"METHOD pattern","parameters":"name=value"}`.
class RouterFixture : public testing::Test
{
protected:
    RouterFixture()
    {
        tokens.add("alice-token", "alice", http::Role::User);
        tokens.add("watcher-token", "watcher", http::Role::Observer);
        tokens.add("root-token", "root", http::Role::Admin);
    }

    void add(http::Method method, std::string pattern, http::Access access = http::Access::Public,
             http::Body body = http::Body::Ignored)
    {
        http::Route route;
        route.method = method;
        route.pattern = std::move(pattern);
        route.access = access;
        route.body = body;
        const std::string name = std::string(methodName(method)) + " " + route.pattern;
        route.handler = [this, name](const http::ExchangePtr& given)
        {
            served = name;
            caller = given->identity();
            given->respond(http::jsonResponse("{}"));
        };
        setup.routes.push_back(std::move(route));
    }

    /// Opens the router at the first request.
    http::Response ask(http::Request request)
    {
        if (!router)
        {
            auto opened = http::Router::open(std::move(setup), sink->logger("http"), clock);
            EXPECT_TRUE(opened.ok());
            router = std::move(*opened);
        }
        served.clear();
        caller.reset();
        channel->sent.clear();
        request.arrived = clock.bootTime();
        exchange = std::make_shared<http::Exchange>(std::move(request), id, channel);
        router->dispatch(exchange);
        EXPECT_EQ(channel->sent.size(), 1U);
        return channel->sent.empty() ? http::Response{} : channel->sent.front();
    }

    static http::Request request(http::Method method, std::string target,
                                 std::vector<http::Header> headers = {}, std::string body = {})
    {
        http::Request made;
        made.method = method;
        made.target = std::move(target);
        for (http::Header& header : headers)
            made.headers.add(std::move(header.name), std::move(header.value));
        made.body = std::move(body);
        return made;
    }

    static std::string headerOf(const http::Response& response, std::string_view name)
    {
        const std::string* value = response.headers.find(name);
        return value == nullptr ? "(none)" : *value;
    }

    FakeClock clock;
    std::ostringstream log;
    std::shared_ptr<LogSink> sink = LogSink::toStream(log, LogFormat::Json, LogLevel::Debug);
    FakeTokens tokens;
    http::Router::Setup setup;
    RequestId id{Uuid{{1, 2, 3}}};
    std::shared_ptr<FakeChannel> channel = std::make_shared<FakeChannel>();
    std::unique_ptr<http::Router> router;
    http::ExchangePtr exchange;
    std::string served;
    std::optional<http::Identity> caller;
};

} // namespace octostore::test
