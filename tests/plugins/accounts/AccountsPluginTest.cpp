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
    /// The accounts this plugin tells, as name:class.
    std::string told() const
    {
        std::string names;
        for (const http::Account& account : plugin.accounts())
            names += account.name + ":" + account.identityClass + " ";
        return names;
    }

    test::InProcessServer server;
    AccountsPlugin plugin;
};

TEST_F(AccountsPluginTest, ItTellsTheAccountsOfTheStore)
{
    enrol("Alice");
    EXPECT_EQ(told(), "Alice:local ");
}

TEST_F(AccountsPluginTest, AnAccountOfTheConfigurationTakesTheNameOfAStoredOne)
{
    const std::string token = enrol("Carol");
    ASSERT_TRUE(plugin.authenticate(sha256(token)));
    server.accounts.add("configured", "carol", Role::Admin);
    EXPECT_FALSE(plugin.authenticate(sha256(token))) << "the configuration is the truth";
    EXPECT_EQ(told(), "");
    enrol("dave");
    EXPECT_EQ(told(), "dave:local ");
    EXPECT_EQ(plugin.principals(), 1U) << "as many as it tells";
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
