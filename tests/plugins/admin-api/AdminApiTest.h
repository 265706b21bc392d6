// SPDX-License-Identifier: MIT
/// @file
/// What tests of the administration have in common.
#pragma once

#include "AdminApiPlugin.h"
#include "CoordinationApiPlugin.h"
#include "support/InProcessServer.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>

namespace octostore::admin_api
{

using http::Method;
using test::jsonOf;

/// The administration beside the coordination API, on a real engine whose clock stands still.
class AdminApiTest : public testing::Test
{
protected:
    static constexpr std::string_view alice = "alice-token";
    static constexpr std::string_view bob = "bob-token";
    static constexpr std::string_view watcher = "watcher-token";
    static constexpr std::string_view root = "root-token";

    AdminApiTest()
    {
        server.settings =
            test::FakeSettings({{"elections.public", "true"}, {"storage.backend", "memory"}});
        server.accounts.add(alice, "alice");
        server.accounts.add(bob, "bob", http::Role::User, "team");
        server.accounts.add(watcher, "watcher", http::Role::Observer);
        server.accounts.add(root, "root", http::Role::Admin);
        EXPECT_TRUE(server.add(coordination));
        EXPECT_TRUE(server.add(plugin));
        server.open("the-admin-key");
    }
    ~AdminApiTest() override { plugin.stop(); }

    http::Response get(const std::string& target, std::string_view token = watcher)
    {
        return server.ask(Method::Get, target, token);
    }
    http::Response post(const std::string& target, std::string body, std::string_view token = root)
    {
        return server.ask(Method::Post, target, token, std::move(body));
    }
    /// Takes a lock; its term.
    std::int64_t hold(const std::string& name, std::string_view token = alice,
                      const std::string& body = "{}")
    {
        const http::Response taken = post("/locks/" + name + "/acquire", body, token);
        EXPECT_EQ(taken.status, 200) << taken.body;
        const JsonValue::Object answer = jsonOf(taken);
        const auto term = answer.find("fencing_token");
        return term == answer.end() ? 0 : *term->second.asInteger();
    }
    std::int64_t lead(const std::string& room, const std::string& candidate = "node-1")
    {
        const http::Response led = post("/elections/" + room + "/campaign",
                                        "{\"candidate_id\":\"" + candidate + "\"}", {});
        EXPECT_EQ(led.status, 200) << led.body;
        return *jsonOf(led).at("leader").asObject()->at("term").asInteger();
    }
    std::string openSession(std::string_view token = alice)
    {
        return *jsonOf(post("/sessions", "{}", token)).at("session_id").asString();
    }
    static std::string codeOf(const http::Response& response)
    {
        return *jsonOf(response).at("code").asString();
    }
    /// The values of one field of the items, each followed by a blank.
    static std::string valuesOf(const http::Response& page, const std::string& field)
    {
        std::string values;
        const JsonValue::Object body = jsonOf(page);
        for (const JsonValue& item : *body.at("items").asArray())
            values += *item.asObject()->at(field).asString() + " ";
        return values;
    }
    static std::string end(std::int64_t term, const std::string& reason = "stuck")
    {
        return "{\"term\":" + std::to_string(term) + ",\"reason\":\"" + reason + "\"}";
    }

    test::InProcessServer server;
    coordination_api::CoordinationApiPlugin coordination;
    AdminApiPlugin plugin;
};

} // namespace octostore::admin_api
