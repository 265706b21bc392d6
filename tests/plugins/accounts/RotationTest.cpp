// SPDX-License-Identifier: MIT
// Goal: a stored account replaces its own token, at once and for good; nobody else's changes.
// Method: conversations with router and engine in one process; a second plugin on the same records
// is what the server is after a restart.
#include "AccountsPlugin.h"
#include "support/InProcessServer.h"

#include <gtest/gtest.h>

namespace octostore::accounts
{
namespace
{

using http::Method;
using test::FakeSettings;
using test::jsonOf;

class RotationTest : public testing::Test
{
protected:
    static constexpr std::string_view adminKey = "the-admin-key";

    RotationTest()
    {
        server.settings =
            FakeSettings({{"auth.local_registration", "true"}, {"server.bind", "127.0.0.1:3000"}});
        server.accounts.add("bob-token", "bob");
        EXPECT_TRUE(server.add(plugin));
        server.open(adminKey);
        const http::Response made = server.ask(Method::Post, "/auth/register", {},
                                               R"({"username":"Alice","namespace":"team"})");
        old = *jsonOf(made).at("token").asString();
    }
    http::Response rotate(std::string_view token)
    {
        return server.ask(Method::Post, "/auth/token/rotate", token);
    }
    http::Response rotateWith(std::vector<http::Header> headers,
                              const std::optional<std::string>& body = {})
    {
        return server.ask({Method::Post, "/auth/token/rotate", std::move(headers), body});
    }
    std::string lastReason() { return server.coordinator().eventsOf("Alice").back().reason; }
    static std::string code(const http::Response& response)
    {
        return *jsonOf(response).at("code").asString();
    }
    static std::string tokenIn(const http::Response& response)
    {
        EXPECT_EQ(response.status, 200) << response.body;
        const JsonValue::Object body = jsonOf(response);
        const auto token = body.find("token");
        return token == body.end() ? std::string() : *token->second.asString();
    }
    bool works(std::string_view token) const
    {
        return plugin.authenticate(sha256(token)).has_value();
    }

    test::InProcessServer server;
    AccountsPlugin plugin;
    std::string old;
};

TEST_F(RotationTest, TheOldTokenIsDeadAndTheNewOneIsTheSameAccount)
{
    const http::Response rotated = rotate(old);
    const std::string fresh = tokenIn(rotated);
    EXPECT_NE(fresh, old);
    EXPECT_EQ(fresh.size(), 44U);
    EXPECT_EQ(rotated.body, "{\"token\":\"" + fresh + "\",\"user_id\":\"" +
                                http::principalIdOf("alice").toString() +
                                "\",\"github_username\":\"Alice\",\"namespace\":\"team\"}");
    EXPECT_EQ(*rotated.headers.find("cache-control"), "no-store");
    EXPECT_EQ(*rotated.headers.find("pragma"), "no-cache");
    EXPECT_FALSE(works(old));
    EXPECT_EQ(rotate(old).status, 401);
    EXPECT_EQ(code(rotate(old)), "authentication_failed");
    ASSERT_TRUE(works(fresh));
    EXPECT_EQ(plugin.authenticate(sha256(fresh))->principal, http::principalIdOf("alice"));
    EXPECT_EQ(plugin.authenticate(sha256(fresh))->space, "team");
}

TEST_F(RotationTest, ItSurvivesARestart)
{
    const std::string fresh = tokenIn(rotate(tokenIn(rotate(old))));
    const plugin::Context context = server.context();
    AccountsPlugin again;
    ASSERT_TRUE(again.configure(context));
    plugin::ExtensionRegistry registry;
    ASSERT_TRUE(again.start(registry));
    EXPECT_TRUE(again.authenticate(sha256(fresh)));
    EXPECT_FALSE(again.authenticate(sha256(old)));
    EXPECT_EQ(again.principals(), 1U);
}

TEST_F(RotationTest, ATokenOfTheConfigurationIsSetThere)
{
    const http::Response refused = rotate("bob-token");
    EXPECT_EQ(refused.status, 409);
    EXPECT_EQ(code(refused), "conflict");
    EXPECT_NE(refused.body.find("set by the configuration"), std::string::npos);
}

TEST_F(RotationTest, WithoutABearerThereIsNothingToRotate)
{
    EXPECT_EQ(code(rotate({})), "authentication_required");
    EXPECT_EQ(code(rotate("unknown")), "authentication_failed");
    const http::Response admin = rotateWith({{"X-Admin-Key", std::string(adminKey)}});
    EXPECT_EQ(admin.status, 401) << "the admin key has no token";
    EXPECT_EQ(code(admin), "authentication_required");
}

TEST_F(RotationTest, BesideTheAdminKeyItIsStillTheBearersTokenThatIsRotated)
{
    const http::Response rotated =
        rotateWith({{"X-Admin-Key", std::string(adminKey)}, {"Authorization", "Bearer " + old}});
    EXPECT_TRUE(works(tokenIn(rotated)));
    EXPECT_FALSE(works(old));
    const http::Response unknown =
        rotateWith({{"X-Admin-Key", std::string(adminKey)}, {"Authorization", "Bearer unknown"}});
    EXPECT_EQ(unknown.status, 401);
    EXPECT_EQ(code(unknown), "authentication_failed");
}

TEST_F(RotationTest, TheReasonOfAnAdministratorIsInTheJournal)
{
    const std::vector<http::Header> both = {{"X-Admin-Key", std::string(adminKey)},
                                            {"Authorization", "Bearer " + old}};
    EXPECT_EQ(rotateWith(both, R"({"reason":""})").status, 400);
    EXPECT_TRUE(works(old));
    const std::string fresh = tokenIn(rotateWith(both, R"({"reason":"it was in a log"})"));
    EXPECT_EQ(lastReason(), "it was in a log");
    EXPECT_EQ(rotateWith({{"Authorization", "Bearer " + fresh}}, R"({"reason":7})").status, 200)
        << "nobody else is asked";
    EXPECT_EQ(lastReason(), "");
}

TEST_F(RotationTest, OfTwoRotationsAtTheSameTimeOneWins)
{
    server.coordinator().holdCommits();
    const test::InProcessServer::Question question{
        Method::Post, "/auth/token/rotate", {{"Authorization", "Bearer " + old}}, {}};
    const auto first = server.begin(question);
    const auto second = server.begin(question);
    server.coordinator().releaseCommits();
    EXPECT_TRUE(works(tokenIn(first())));
    const http::Response late = second();
    EXPECT_EQ(late.status, 401);
    EXPECT_EQ(code(late), "authentication_failed");
}

TEST_F(RotationTest, WhatTheStoreCouldNotWriteLeavesTheOldToken)
{
    server.coordinator().failNextCommit({ErrorCode::Unavailable, "disk full"});
    const http::Response failed = rotate(old);
    EXPECT_EQ(failed.status, 503);
    EXPECT_EQ(*jsonOf(failed).at("reason").asString(), "storage_unavailable");
    EXPECT_TRUE(works(old));
}

TEST_F(RotationTest, TheJournalTellsOfIt)
{
    rotate(old);
    const auto events = server.coordinator().eventsOf("Alice");
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[1].type, event::Type::TokenRotated);
    EXPECT_EQ(events[1].kind, event::ResourceKind::Account);
}

} // namespace
} // namespace octostore::accounts
