// SPDX-License-Identifier: MIT
// Goal: accounts are registered only where that is safe, each name once, each token shown once.
// Method: the start-up rules on settings; conversations with router and engine in one process.
#include "Registration.h"

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

class RegistrationTest : public testing::Test
{
protected:
    static FakeSettings::Values on(const std::string& bind)
    {
        return {{"auth.local_registration", "true"}, {"server.bind", bind}};
    }
    static Result<bool> rule(FakeSettings::Values values)
    {
        return registrationOf(FakeSettings(std::move(values)));
    }

    void start()
    {
        server.settings = FakeSettings(on("127.0.0.1:3000"));
        server.accounts.add("bob-token", "Bob");
        ASSERT_TRUE(server.add(plugin));
        server.open("the-admin-key");
    }
    http::Response enrol(const std::string& body)
    {
        return server.ask(Method::Post, "/auth/register", {}, body);
    }
    static std::string code(const http::Response& response)
    {
        return *jsonOf(response).at("code").asString();
    }

    test::InProcessServer server;
    AccountsPlugin plugin;
};

TEST_F(RegistrationTest, ItIsOffUnlessItIsSwitchedOn)
{
    EXPECT_FALSE(*rule({{"server.bind", "0.0.0.0:3000"}, {"auth.static.tokens", "a:b"}}));
}

TEST_F(RegistrationTest, OnlyANumericLoopbackAddressIsSafeEnough)
{
    for (const char* good : {"127.0.0.1:3000", "127.1.2.3:1", "[::1]:3000"})
    {
        const auto allowed = rule(on(good));
        ASSERT_TRUE(allowed) << good;
        EXPECT_TRUE(*allowed);
    }
    for (const char* bad : {"0.0.0.0:3000", "[::]:3000", "192.168.1.7:3000", "localhost:3000",
                            "unix:/run/octostore.sock", ""})
    {
        const auto refused = rule(on(bad));
        ASSERT_FALSE(refused) << bad;
        EXPECT_EQ(refused.error().code, ErrorCode::Configuration);
        EXPECT_NE(refused.error().message.find("LOCAL_REGISTRATION"), std::string::npos);
    }
}

TEST_F(RegistrationTest, NoAccountMayComeFromTheConfigurationBesideIt)
{
    for (const char* source :
         {"auth.static.tokens", "auth.static.tokens_file", "auth.static.alice.token"})
    {
        FakeSettings::Values values = on("127.0.0.1:3000");
        values[source] = "x";
        EXPECT_FALSE(rule(values)) << source;
    }
}

TEST_F(RegistrationTest, AServerThatBreaksTheRulesDoesNotGetThePlugin)
{
    server.settings = FakeSettings(on("0.0.0.0:3000"));
    EXPECT_EQ(plugin.check(server.settings).error().code, ErrorCode::Configuration);
    EXPECT_EQ(server.add(plugin).error().code, ErrorCode::Configuration);
}

TEST_F(RegistrationTest, AReloadThatBreaksTheRulesIsRefused)
{
    start();
    FakeSettings::Values values = on("127.0.0.1:3000");
    EXPECT_TRUE(plugin.reload(FakeSettings(values)));
    values["auth.static.tokens"] = "a:b";
    EXPECT_FALSE(plugin.reload(FakeSettings(values)));
}

TEST_F(RegistrationTest, WithoutItThereIsNoSuchRoute)
{
    ASSERT_TRUE(server.add(plugin));
    server.open();
    EXPECT_EQ(enrol(R"({"username":"alice"})").status, 404);
}

TEST_F(RegistrationTest, ANewAccountGetsATokenThatWorks)
{
    start();
    const http::Response made = enrol(R"({"username":"Alice","namespace":"/team/"})");
    ASSERT_EQ(made.status, 200) << made.body;
    const JsonValue::Object account = jsonOf(made);
    const std::string token = *account.at("token").asString();
    EXPECT_EQ(token.size(), 44U);
    EXPECT_EQ(token.back(), '=');
    EXPECT_EQ(made.body, "{\"token\":\"" + token + "\",\"user_id\":\"" +
                             http::principalIdOf("alice").toString() +
                             "\",\"username\":\"Alice\",\"namespace\":\"team\"}");
    EXPECT_EQ(*made.headers.find("cache-control"), "no-store");
    EXPECT_EQ(*made.headers.find("pragma"), "no-cache");

    const auto known = plugin.authenticate(sha256(token));
    ASSERT_TRUE(known);
    EXPECT_EQ(known->name, "Alice");
    EXPECT_EQ(known->space, "team");
    EXPECT_EQ(known->role, http::Role::User);
    EXPECT_EQ(known->principal, http::principalIdOf("alice"));
    EXPECT_EQ(plugin.principals(), 1U);
}

TEST_F(RegistrationTest, WithoutANamespaceItIsNull)
{
    start();
    for (const char* body : {R"({"username":"a"})", R"({"username":"b","namespace":null})",
                             R"({"username":"c","namespace":"//"})"})
        EXPECT_TRUE(jsonOf(enrol(body)).at("namespace").isNull()) << body;
}

TEST_F(RegistrationTest, ANameIsGivenOnceWhateverItsCaseAndWhoeverHasIt)
{
    start();
    EXPECT_EQ(enrol(R"({"username":"alice"})").status, 200);
    for (const char* taken : {"alice", "ALICE", "bob", "BOB", "admin", "Admin"})
    {
        const http::Response refused = enrol(std::string(R"({"username":")") + taken + "\"}");
        EXPECT_EQ(refused.status, 409) << taken;
        EXPECT_EQ(code(refused), "conflict");
        EXPECT_EQ(jsonOf(refused).count("token"), 0U);
    }
}

TEST_F(RegistrationTest, OfTwoAtTheSameTimeOneGetsTheName)
{
    start();
    // The second is decided while the first is still being committed.
    server.coordinator().holdCommits();
    const test::InProcessServer::Question question{
        Method::Post, "/auth/register", {}, R"({"username":"alice"})"};
    const auto first = server.begin(question);
    const auto second = server.begin(question);
    server.coordinator().releaseCommits();
    EXPECT_EQ(first().status, 200);
    EXPECT_EQ(second().status, 409);
    EXPECT_EQ(plugin.principals(), 1U);
}

TEST_F(RegistrationTest, WhatIsNoNameOrNamespaceIsRefused)
{
    start();
    EXPECT_EQ(enrol("{").status, 400);
    EXPECT_EQ(enrol("{}").status, 422);
    EXPECT_EQ(enrol(R"({"username":7})").status, 422);
    EXPECT_EQ(enrol(R"({"username":"a","namespace":7})").status, 422);
    EXPECT_EQ(enrol(R"({"username":""})").status, 400);
    EXPECT_EQ(enrol(R"({"username":"a b"})").status, 400);
    EXPECT_EQ(enrol(R"({"username":"a","namespace":"b c"})").status, 400);
    EXPECT_EQ(plugin.principals(), 0U);
}

TEST_F(RegistrationTest, WhatTheStoreCouldNotWriteIsNoAccount)
{
    start();
    server.coordinator().failNextCommit({ErrorCode::Unavailable, "disk full"});
    EXPECT_EQ(enrol(R"({"username":"alice"})").status, 503);
    EXPECT_EQ(plugin.principals(), 0U);
    EXPECT_EQ(enrol(R"({"username":"alice"})").status, 200) << "and the name is still free";
}

TEST_F(RegistrationTest, TheJournalTellsOfItWithoutTheToken)
{
    start();
    enrol(R"({"username":"Alice"})");
    const auto events = server.coordinator().eventsOf("Alice");
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0].type, event::Type::AccountCreated);
    EXPECT_EQ(events[0].kind, event::ResourceKind::Account);
    EXPECT_EQ(events[0].actor.name, "Alice");
    EXPECT_EQ(events[0].time, server.clock().wallTime());
}

} // namespace
} // namespace octostore::accounts
