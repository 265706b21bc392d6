// SPDX-License-Identifier: MIT
#include "BeastPlugin.h"

#include <octostore/base/Random.h>
#include <octostore/base/Time.h>

#include <gtest/gtest.h>

namespace octostore::http_beast
{

namespace
{

/// The plugin has no keys of its own; asking for one would be a fault.
class NoConfiguration final : public config::View
{
public:
    std::string text(std::string_view) const override { return {}; }
    bool boolean(std::string_view) const override { return false; }
    std::uint64_t integer(std::string_view) const override { return 0; }
    Milliseconds duration(std::string_view) const override { return {}; }
    std::uint64_t bytes(std::string_view) const override { return 0; }
    std::vector<std::string> list(std::string_view) const override { return {}; }
    bool isSet(std::string_view) const override { return false; }
};

} // namespace

TEST(BeastPluginTest, ItOffersTheTransportBeast)
{
    const NoConfiguration configuration;
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
