// SPDX-License-Identifier: MIT
#include "RateLimitPlugin.h"

#include "support/FakeClock.h"
#include "support/FakeRandom.h"
#include "support/FakeSettings.h"

#include <gtest/gtest.h>

#include <string>

namespace octostore::rate_limit
{

namespace
{

const test::FakeSettings::Values usual{{std::string(RateSettings::requestsKey), "600"},
                                       {std::string(RateSettings::failuresKey), "60"},
                                       {std::string(http::ProxyTrust::proxiesKey), "127.0.0.0/8"},
                                       {std::string(http::ProxyTrust::headersKey), "forwarded"}};

} // namespace

class RateLimitPluginTest : public testing::Test
{
protected:
    const test::FakeSettings view{usual};
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
    test::FakeSettings::Values values = usual;
    values[std::string(http::ProxyTrust::proxiesKey)] = "proxy";
    const test::FakeSettings wrong{values};
    ASSERT_TRUE(plugin.configure(context));
    const Result<void> reloaded = plugin.reload(wrong);
    ASSERT_FALSE(reloaded);
    EXPECT_EQ(reloaded.error().code, ErrorCode::Configuration);
    EXPECT_TRUE(plugin.reload(view));

    const Result<void> checked = RateLimitPlugin().check(wrong);
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().message.rfind("http.trusted_proxies: ", 0), 0U);
    EXPECT_TRUE(RateLimitPlugin().check(view));

    const plugin::Context wrongContext{{}, wrong, clock, random, nullptr, nullptr};
    RateLimitPlugin another;
    EXPECT_FALSE(another.configure(wrongContext));
}

} // namespace octostore::rate_limit
