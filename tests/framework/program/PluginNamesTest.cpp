// SPDX-License-Identifier: MIT
#include "PluginNames.h"

#include <octostore/config/Configuration.h>
#include <octostore/config/KeyTable.h>

#include <gtest/gtest.h>

namespace octostore::program
{

class PluginNamesTest : public testing::Test
{
protected:
    using Names = std::vector<std::string>;

    std::unique_ptr<config::Configuration> with(const Names& settings)
    {
        config::Sources sources;
        sources.settings = settings;
        sources.directory = "/nowhere";
        sources.systemFile = "/nowhere/octostore.properties";
        auto loaded = config::Configuration::load(config::serverKeys(), sources);
        EXPECT_TRUE(loaded.problems.empty());
        return std::move(loaded.configuration);
    }
};

TEST_F(PluginNamesTest, BackendAndTransportFollowFromTheirKeys)
{
    const auto names = PluginNames::of(*with({"storage.backend=memory", "http.transport=beast"}));
    EXPECT_EQ(names.backend, "backend-memory");
    EXPECT_EQ(names.transport, "http-beast");
    EXPECT_EQ(names.behindTheEngine().front(), "http-beast");
}

TEST_F(PluginNamesTest, WithoutBackendTransportAndTheRequiredOnesTheServerDoesNotStart)
{
    const auto names = PluginNames::of(*with({"plugins.required=health"}));
    EXPECT_EQ(names.required, (Names{names.backend, names.transport, "health"}));
}

TEST_F(PluginNamesTest, EveryPluginIsNamedOnce)
{
    const auto names = PluginNames::of(
        *with({"http.transport=poco", "plugins.enabled=health,http-poco,health,auth-static"}));
    EXPECT_EQ(names.behindTheEngine(), (Names{"http-poco", "health", "auth-static"}));
}

TEST_F(PluginNamesTest, PluginsLieBesideTheProgramUnlessConfigured)
{
    EXPECT_EQ(pluginDirectory(*with({"plugins.directory=/opt/x"})), "/opt/x");
    const std::string directory = pluginDirectory(*with({}));
    EXPECT_EQ(directory.front(), '/');
    EXPECT_EQ(directory.substr(directory.size() - 14), "/lib/octostore");
}

} // namespace octostore::program
