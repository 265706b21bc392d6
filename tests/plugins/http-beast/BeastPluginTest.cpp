// SPDX-License-Identifier: MIT
#include "BeastPlugin.h"

#include "support/FakeSettings.h"

#include <octostore/base/Random.h>
#include <octostore/base/Time.h>

#include <gtest/gtest.h>

namespace octostore::http_beast
{

TEST(BeastPluginTest, ItOffersTheTransportBeast)
{
    const test::FakeSettings configuration;
    const SystemClock clock;
    SystemRandom random;
    const plugin::Context context{Logger{}, configuration, clock, random};
    plugin::ExtensionRegistry registry;
    BeastPlugin plugin;
    ASSERT_TRUE(plugin.configure(context).ok());
    ASSERT_TRUE(plugin.start(registry).ok());
    const auto transports = registry.all<http::Transport>();
    ASSERT_EQ(transports.size(), 1U);
    EXPECT_EQ(transports[0]->name(), "beast");
    plugin.stop();
}

} // namespace octostore::http_beast
