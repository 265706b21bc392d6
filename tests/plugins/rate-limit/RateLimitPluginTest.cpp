// SPDX-License-Identifier: MIT
#include "RateLimitPlugin.h"

#include "support/FakeClock.h"
#include "support/FakeRandom.h"

#include <gtest/gtest.h>

#include <map>

namespace octostore::rate_limit
{

namespace
{

class FakeView final : public config::View
{
public:
    std::string text(std::string_view) const override { return {}; }
    bool boolean(std::string_view) const override { return false; }
    std::uint64_t integer(std::string_view key) const override { return numbers.at(key); }
    Milliseconds duration(std::string_view) const override { return {}; }
    std::uint64_t bytes(std::string_view) const override { return 0; }
    std::vector<std::string> list(std::string_view key) const override { return lists.at(key); }
    bool isSet(std::string_view) const override { return true; }

    std::map<std::string_view, std::uint64_t> numbers{{RateSettings::requestsKey, 600},
                                                      {RateSettings::failuresKey, 60}};
    std::map<std::string_view, std::vector<std::string>> lists{
        {http::ProxyTrust::proxiesKey, {"127.0.0.0/8"}},
        {http::ProxyTrust::headersKey, {"forwarded"}}};
};

} // namespace

class RateLimitPluginTest : public testing::Test
{
protected:
    FakeView view;
    test::FakeClock clock;
    test::FakeRandom random;
    plugin::Context context{{}, view, clock, random, nullptr, nullptr};
    RateLimitPlugin plugin;
    plugin::ExtensionRegistry registry;
};

TEST_F(RateLimitPluginTest, ItContributesOneFilter)
{
    ASSERT_TRUE(plugin.configure(context));
    ASSERT_TRUE(plugin.start(registry));
    EXPECT_EQ(registry.all<http::Filter>().size(), 1U);
}

TEST_F(RateLimitPluginTest, AWrongProxyIsRefusedAtStartAndAtReload)
{
    FakeView wrong;
    wrong.lists[http::ProxyTrust::proxiesKey] = {"proxy"};
    ASSERT_TRUE(plugin.configure(context));
    const Result<void> reloaded = plugin.reload(wrong);
    ASSERT_FALSE(reloaded);
    EXPECT_EQ(reloaded.error().code, ErrorCode::Configuration);
    EXPECT_TRUE(plugin.reload(view));

    const plugin::Context wrongContext{{}, wrong, clock, random, nullptr, nullptr};
    RateLimitPlugin another;
    EXPECT_FALSE(another.configure(wrongContext));
}

} // namespace octostore::rate_limit
