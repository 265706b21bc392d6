// SPDX-License-Identifier: MIT
#include "StaticAuthPlugin.h"

#include "support/FakeSettings.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <sys/stat.h>
#include <unistd.h>

namespace octostore::auth
{

namespace
{

using test::FakeSettings;

constexpr const char* tokensKey = "auth.static.tokens";
constexpr const char* fileKey = "auth.static.tokens_file";

} // namespace

class StaticAuthPluginTest : public testing::Test
{
protected:
    void SetUp() override
    {
        char name[] = "/tmp/octostore-auth-XXXXXX";
        ASSERT_NE(mkdtemp(name), nullptr);
        directory = name;
    }
    void TearDown() override { std::filesystem::remove_all(directory); }

    std::string file(const std::string& text, mode_t mode = 0600)
    {
        const std::string path = directory / "tokens";
        std::ofstream(path) << text;
        chmod(path.c_str(), mode);
        return path;
    }

    Result<void> configure(const FakeSettings& view)
    {
        context = std::make_unique<plugin::Context>(
            plugin::Context{sink->logger("auth-static"), view, clock, random, nullptr, nullptr});
        return plugin.configure(*context);
    }

    std::string nameOf(std::string_view token) const
    {
        const auto identity = plugin.authenticate(sha256(token));
        return identity ? identity->name : "";
    }

    std::filesystem::path directory;
    std::ostringstream log;
    std::shared_ptr<LogSink> sink = LogSink::toStream(log, LogFormat::Text, LogLevel::Debug);
    SystemClock clock;
    SystemRandom random;
    std::unique_ptr<plugin::Context> context;
    StaticAuthPlugin plugin;
};

TEST_F(StaticAuthPluginTest, WithoutAnySourceNobodyIsKnown)
{
    ASSERT_TRUE(configure(FakeSettings{}));
    EXPECT_EQ(plugin.principals(), 0U);
    EXPECT_EQ(nameOf(""), "");
}

TEST_F(StaticAuthPluginTest, TokensOfTheVariableAndOfTheFileAreUsedTogether)
{
    ASSERT_TRUE(
        configure(FakeSettings{{{tokensKey, "alice:one"}, {fileKey, file("# ours\nbob:two\n")}}}));
    EXPECT_EQ(nameOf("one"), "alice");
    EXPECT_EQ(nameOf("two"), "bob");
    EXPECT_EQ(plugin.principals(), 2U);
}

TEST_F(StaticAuthPluginTest, ANameInBothSourcesIsRefusedWithBothPlaces)
{
    const std::string path = file("\nAlice:two");
    const auto result = configure(FakeSettings{{{tokensKey, "alice:one"}, {fileKey, path}}});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message,
              path + " line 2: the name \"Alice\" is already given in auth.static.tokens "
                     "(STATIC_TOKENS) line 1");
}

TEST_F(StaticAuthPluginTest, AFileThatCannotBeReadIsRefusedWithItsName)
{
    const auto missing = configure(FakeSettings{{{fileKey, (directory / "none").string()}}});
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().message,
              (directory / "none").string() + ": No such file or directory");
    EXPECT_EQ(configure(FakeSettings{{{fileKey, directory.string()}}}).error().message,
              directory.string() + ": not a regular file");
    EXPECT_FALSE(configure(FakeSettings{{{fileKey, " "}}}));
}

TEST_F(StaticAuthPluginTest, AFifoIsRefusedAndDoesNotHang)
{
    const std::string path = directory / "fifo";
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    EXPECT_EQ(configure(FakeSettings{{{fileKey, path}}}).error().message,
              path + ": not a regular file");
}

TEST_F(StaticAuthPluginTest, AFileThatOthersMayReadIsUsedWithAWarning)
{
    ASSERT_TRUE(configure(FakeSettings{{{fileKey, file("bob:two", 0644)}}}));
    EXPECT_NE(log.str().find("may read a file of tokens"), std::string::npos) << log.str();
}

TEST_F(StaticAuthPluginTest, ASetButBlankVariableIsRefused)
{
    EXPECT_FALSE(configure(FakeSettings{{{tokensKey, " "}}}));
}

TEST_F(StaticAuthPluginTest, ANamedAccountMayHaveANamespaceAndARole)
{
    ASSERT_TRUE(configure(FakeSettings{{{"auth.static.ops.token", "one"},
                                        {"auth.static.ops.role", "observer"},
                                        {"auth.static.ops.namespace", "team"},
                                        {"auth.static.root.token", "two"},
                                        {"auth.static.root.role", "admin"},
                                        {tokensKey, "alice:three"}}}));
    const auto ops = plugin.authenticate(sha256("one"));
    ASSERT_TRUE(ops);
    EXPECT_EQ(ops->name, "ops");
    EXPECT_EQ(ops->role, http::Role::Observer);
    EXPECT_EQ(ops->space, "team");
    EXPECT_EQ(plugin.authenticate(sha256("two"))->role, http::Role::Admin);
    EXPECT_EQ(plugin.authenticate(sha256("three"))->role, http::Role::User);
}

TEST_F(StaticAuthPluginTest, ANamedAccountWithoutATokenIsRefused)
{
    const auto result = configure(FakeSettings{{{"auth.static.ops.role", "observer"}}});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message,
              "auth.static.ops.token: it is not set, but other keys of this name are");
}

TEST_F(StaticAuthPluginTest, ANamedAccountAndAListedOneAreNotTheSame)
{
    const auto result =
        configure(FakeSettings{{{"auth.static.Alice.token", "one"}, {tokensKey, "alice:two"}}});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message,
              "auth.static.Alice.token: the name \"Alice\" is already given in "
              "auth.static.tokens (STATIC_TOKENS) line 1");
}

TEST_F(StaticAuthPluginTest, AReloadReplacesTheOldTokens)
{
    ASSERT_TRUE(configure(FakeSettings{{{tokensKey, "alice:one,bob:two"}}}));
    ASSERT_TRUE(plugin.reload(FakeSettings{{{tokensKey, "alice:new"}}}));
    EXPECT_EQ(nameOf("new"), "alice");
    EXPECT_EQ(nameOf("one"), "");
    EXPECT_EQ(nameOf("two"), "");
}

TEST_F(StaticAuthPluginTest, AReloadThatIsRefusedLeavesTheOldTokens)
{
    ASSERT_TRUE(configure(FakeSettings{{{tokensKey, "alice:one"}}}));
    EXPECT_FALSE(plugin.reload(FakeSettings{{{tokensKey, "alice:new,bare"}}}));
    EXPECT_EQ(nameOf("one"), "alice");
    EXPECT_EQ(nameOf("new"), "");
}

TEST_F(StaticAuthPluginTest, NoTokenEverReachesTheLog)
{
    ASSERT_TRUE(
        configure(FakeSettings{{{tokensKey, "alice:hunter2"}, {fileKey, file("b:swordfish")}}}));
    EXPECT_EQ(log.str().find("hunter2"), std::string::npos);
    EXPECT_EQ(log.str().find("swordfish"), std::string::npos);
}

TEST_F(StaticAuthPluginTest, ItIsContributedAsAnAuthProvider)
{
    ASSERT_TRUE(configure(FakeSettings{{{tokensKey, "alice:one"}}}));
    plugin::ExtensionRegistry registry;
    ASSERT_TRUE(plugin.start(registry));
    const auto providers = registry.all<http::AuthProvider>();
    ASSERT_EQ(providers.size(), 1U);
    EXPECT_TRUE(providers.front()->knows("one"));
}

TEST_F(StaticAuthPluginTest, ANamespaceFollowsTheRulesOfRegisteredOnes)
{
    const auto check = [this](const char* space)
    {
        return plugin.check(FakeSettings{
            {{"auth.static.ops.token", "three"}, {"auth.static.ops.namespace", space}}});
    };
    EXPECT_TRUE(check("team.a_b-c"));
    for (const char* bad : {"a/b", "a b", "t\xC3\xA9", "*"})
    {
        const auto checked = check(bad);
        ASSERT_FALSE(checked) << bad;
        EXPECT_EQ(checked.error().message.rfind("auth.static.ops.namespace: ", 0), 0U);
        EXPECT_EQ(checked.error().code, ErrorCode::Configuration);
    }
    EXPECT_FALSE(check("//")) << "it would open every name";

    ASSERT_TRUE(configure(FakeSettings{
        {{"auth.static.ops.token", "three"}, {"auth.static.ops.namespace", "/team/"}}}));
    EXPECT_EQ(plugin.authenticate(sha256("three"))->space, "team");
}

} // namespace octostore::auth
