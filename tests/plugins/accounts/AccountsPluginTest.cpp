// SPDX-License-Identifier: MIT
// Goal: stored accounts and those of the configuration together are the accounts of the server.
// Method: the plugin beside another provider, with router and engine in one process.
#include "AccountsPlugin.h"

#include "support/InProcessServer.h"

#include <gtest/gtest.h>

namespace octostore::accounts
{
namespace
{

using http::Method;
using http::Role;
using test::FakeSettings;
using test::jsonOf;

class AccountsPluginTest : public testing::Test
{
protected:
    AccountsPluginTest()
    {
        server.settings =
            FakeSettings({{"auth.local_registration", "true"}, {"server.bind", "127.0.0.1:3000"}});
        server.accounts.add("watcher-token", "watcher", Role::Observer);
        server.accounts.add("user-token", "user", Role::User, "team");
        EXPECT_TRUE(server.add(plugin));
        server.open("the-admin-key");
    }
    std::string enrol(const std::string& name)
    {
        const http::Response made =
            server.ask(Method::Post, "/auth/register", {}, R"({"username":")" + name + "\"}");
        EXPECT_EQ(made.status, 200) << made.body;
        return *jsonOf(made).at("token").asString();
    }
    std::string listed(const std::string& query = {})
    {
        const http::Response list =
            server.ask(Method::Get, "/admin/accounts" + query, "watcher-token");
        EXPECT_EQ(list.status, 200) << list.body;
        std::string names;
        const JsonValue::Object body = jsonOf(list);
        for (const JsonValue& item : *body.at("items").asArray())
            names += *item.asObject()->at("name").asString() + ":" +
                     *item.asObject()->at("identity_class").asString() + " ";
        return names;
    }

    test::InProcessServer server;
    AccountsPlugin plugin;
};

TEST_F(AccountsPluginTest, TheListShowsTheAccountsOfEveryProvider)
{
    enrol("Alice");
    EXPECT_EQ(listed(), "Alice:local user:static watcher:static ");
    EXPECT_EQ(listed("?q=ali"), "Alice:local ");
    EXPECT_EQ(listed("?limit=1&sort=-name"), "watcher:static ");
}

TEST_F(AccountsPluginTest, OnlyObserversAndAdministratorsSeeTheList)
{
    const std::string alice = enrol("alice");
    EXPECT_EQ(server.ask(Method::Get, "/admin/accounts", {}).status, 401);
    EXPECT_EQ(server.ask(Method::Get, "/admin/accounts", alice).status, 403);
    EXPECT_EQ(server.ask(Method::Get, "/admin/accounts", "user-token").status, 403);
    EXPECT_EQ(server.ask(Method::Get, "/admin/accounts", "admin:the-admin-key").status, 200);
}

TEST_F(AccountsPluginTest, ABadQueryIsRefused)
{
    for (const char* bad : {"?limit=0", "?limit=1001", "?sort=id", "?q=a&q=b", "?after=%zz"})
        EXPECT_EQ(
            server.ask(Method::Get, std::string("/admin/accounts") + bad, "watcher-token").status,
            400)
            << bad;
}

TEST_F(AccountsPluginTest, NoTokenOrDigestIsEverListed)
{
    const std::string token = enrol("alice");
    const std::string body = server.ask(Method::Get, "/admin/accounts", "watcher-token").body;
    EXPECT_EQ(body.find(token), std::string::npos);
    EXPECT_EQ(body.find(toHex(sha256(token))), std::string::npos);
}

TEST_F(AccountsPluginTest, AnAccountOfTheConfigurationTakesTheNameOfAStoredOne)
{
    const std::string token = enrol("Carol");
    ASSERT_TRUE(plugin.authenticate(sha256(token)));
    server.accounts.add("configured", "carol", Role::Admin);
    EXPECT_FALSE(plugin.authenticate(sha256(token))) << "the configuration is the truth";
    EXPECT_EQ(listed("?q=carol"), "carol:static ");
}

TEST_F(AccountsPluginTest, ItNeedsTheEngine)
{
    plugin::Context context = server.context();
    context.coordinator = nullptr;
    AccountsPlugin other;
    EXPECT_EQ(other.configure(context).error().code, ErrorCode::Configuration);
}

} // namespace
} // namespace octostore::accounts
