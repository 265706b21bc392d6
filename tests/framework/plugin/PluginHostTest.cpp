// SPDX-License-Identifier: MIT
#include "plugin/PluginHost.h"

#include <gtest/gtest.h>

#include <memory>
#include <sstream>

namespace octostore::plugin
{

namespace
{

/// Only the key `sample` has a value.
class SampleView final : public config::View
{
public:
    explicit SampleView(std::string value) : _value(std::move(value)) {}
    std::string text(std::string_view /*key*/) const override { return _value; }
    bool boolean(std::string_view /*key*/) const override { return false; }
    std::uint64_t integer(std::string_view /*key*/) const override { return 0; }
    Milliseconds duration(std::string_view /*key*/) const override { return Milliseconds{0}; }
    std::uint64_t bytes(std::string_view /*key*/) const override { return 0; }
    std::vector<std::string> list(std::string_view /*key*/) const override { return {}; }
    bool isSet(std::string_view /*key*/) const override { return true; }

private:
    std::string _value;
};

} // namespace

class PluginHostTest : public testing::Test
{
protected:
    using Names = std::vector<std::string>;

    Result<void> run(const Names& names)
    {
        if (auto loaded = host->load(names); !loaded)
            return loaded;
        if (auto configured = host->configure(names, context()); !configured)
            return configured;
        return host->start(names);
    }

    Context context() { return {sink->logger("program"), view, clock, random, nullptr, nullptr}; }

    void require(Names ids)
    {
        host = std::make_unique<PluginHost>(PluginHost::Options{OCTOSTORE_SAMPLES, std::move(ids)},
                                            registry, sink->logger("plugins"));
    }

    void SetUp() override { require({}); }

    /// What the plugins did, as "id step" lines: sample plugins log each step at info.
    Names steps() const
    {
        Names found;
        std::istringstream lines(log.str());
        for (std::string line; std::getline(lines, line);)
        {
            std::istringstream words(line);
            std::string time, level, logger, step;
            words >> time >> level >> logger;
            std::getline(words >> std::ws, step);
            if (level == "info")
                found.push_back(logger + " " + step);
        }
        return found;
    }

    PluginState state(std::string_view id) const
    {
        for (const PluginState& entry : host->states())
        {
            if (entry.id == id)
                return entry;
        }
        return {};
    }

    std::ostringstream log;
    std::shared_ptr<LogSink> sink = LogSink::toStream(log, LogFormat::Text, LogLevel::Info);
    SampleView view{"start"};
    SystemClock clock;
    SystemRandom random;
    ExtensionRegistry registry;
    std::unique_ptr<PluginHost> host;
};

TEST_F(PluginHostTest, PluginsStartBehindThoseTheyRequireAndStopInReverse)
{
    ASSERT_TRUE(run({"sample-c", "sample-b", "sample-a"}));
    host->stop();
    EXPECT_EQ(steps(), (Names{"sample-c configure", "sample-b configure", "sample-a configure",
                              "sample-a start", "sample-b start", "sample-c start", "sample-c stop",
                              "sample-b stop", "sample-a stop"}));
}

TEST_F(PluginHostTest, StatesFollowTheLife)
{
    ASSERT_TRUE(run({"sample-a"}));
    EXPECT_EQ(state("sample-a").state, State::Started);
    EXPECT_EQ(state("sample-a").version, "1.2.3");
    EXPECT_EQ(state("sample-a").provided, "health.check/1");
    host->stop();
    EXPECT_EQ(state("sample-a").state, State::Stopped);
}

TEST_F(PluginHostTest, ExtensionsAreFoundAsTheInterfaceTheyImplement)
{
    ASSERT_TRUE(run({"sample-b", "sample-a"}));
    const auto checks = registry.all<HealthCheck>();
    ASSERT_EQ(checks.size(), 2U);
    EXPECT_EQ(checks[0]->name(), "sample-a");
    EXPECT_EQ(checks[1]->name(), "sample-b");
    EXPECT_EQ(registry.contributors<HealthCheck>(), (Names{"sample-a", "sample-b"}));
}

TEST_F(PluginHostTest, EveryFailureOfAPluginsCodeIsCounted)
{
    ASSERT_TRUE(run({"sample-throws", "sample-a", "sample-b", "sample-c"}));
    EXPECT_EQ(state("sample-throws").errors, 1U);
    host->countError("sample-a");
    host->countError("sample-a");
    host->countError("nobody");
    EXPECT_EQ(state("sample-a").errors, 2U);
    ASSERT_FALSE(host->reload(SampleView{"wish"}, view));
    EXPECT_EQ(state("sample-c").errors, 0U) << "a configuration it refuses is no fault of its code";
}

TEST_F(PluginHostTest, AFailedOptionalPluginIsReportedAndTheOthersRun)
{
    ASSERT_TRUE(run({"misfit-tag", "sample-misconfigured", "sample-throws", "sample-a"}));
    EXPECT_EQ(state("misfit-tag").state, State::Failed);
    EXPECT_EQ(state("sample-misconfigured").reason, "told to fail");
    EXPECT_EQ(state("sample-throws").reason, "it threw: no luck");
    EXPECT_EQ(state("sample-a").state, State::Started);
    EXPECT_NE(log.str().find("a plugin failed; the server runs without it plugin=misfit-tag"),
              std::string::npos)
        << log.str();
}

TEST_F(PluginHostTest, AFailedRequiredPluginStopsTheStart)
{
    require({"sample-misconfigured"});
    const auto result = run({"sample-a", "sample-misconfigured"});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message, "plugin sample-misconfigured: told to fail");
    EXPECT_EQ(state("sample-a").state, State::Configured) << "nothing starts any more";
}

TEST_F(PluginHostTest, EveryRequiredPluginThatCannotBeLoadedIsInTheStates)
{
    require({"not-this", "nor-that"});
    const auto loaded = host->load({"not-this", "sample-a", "nor-that"});
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().message.rfind("plugin not-this: ", 0), 0U) << "the first";
    EXPECT_EQ(state("not-this").state, State::Failed);
    EXPECT_EQ(state("sample-a").state, State::Described);
    EXPECT_EQ(state("nor-that").state, State::Failed);
}

TEST_F(PluginHostTest, WhatAFailedPluginContributedIsGone)
{
    ASSERT_TRUE(run({"sample-a", "sample-unstartable"}));
    const auto checks = registry.all<HealthCheck>();
    ASSERT_EQ(checks.size(), 1U);
    EXPECT_EQ(checks[0]->name(), "sample-a");
}

TEST_F(PluginHostTest, APluginFailsWithTheOneItRequires)
{
    ASSERT_TRUE(run({"sample-needs-unstartable", "sample-unstartable", "sample-b"}));
    EXPECT_EQ(state("sample-needs-unstartable").reason,
              "needs the plugin sample-unstartable, which does not run");
    EXPECT_EQ(state("sample-b").reason, "needs the plugin sample-a, which does not run");
}

TEST_F(PluginHostTest, PluginsThatRequireOneAnotherFailBoth)
{
    ASSERT_TRUE(run({"sample-left", "sample-right", "sample-a"}));
    EXPECT_EQ(state("sample-left").state, State::Failed);
    EXPECT_EQ(state("sample-right").state, State::Failed);
    EXPECT_EQ(state("sample-a").state, State::Started);
}

TEST_F(PluginHostTest, AFileWithAnotherPluginInItIsRefused)
{
    ASSERT_TRUE(run({"sample-a", "misfit-other-id"}));
    EXPECT_NE(state("misfit-other-id").reason.find("is the plugin \"sample-a\""),
              std::string::npos);
}

TEST_F(PluginHostTest, APluginNamedTwiceIsLoadedOnce)
{
    ASSERT_TRUE(run({"sample-a", "sample-a"}));
    EXPECT_EQ(host->states().size(), 1U);
    EXPECT_EQ(registry.all<HealthCheck>().size(), 1U);
    EXPECT_NE(log.str().find("named twice"), std::string::npos);
}

TEST_F(PluginHostTest, ALaterGroupMayRequireAnEarlierOneAndStopsBeforeIt)
{
    ASSERT_TRUE(run({"sample-a"}));
    ASSERT_TRUE(run({"sample-b"}));
    host->stop();
    EXPECT_EQ(state("sample-b").state, State::Stopped);
    EXPECT_EQ(state("sample-a").state, State::Started);
    host->stop();
    EXPECT_EQ(state("sample-a").state, State::Stopped);
}

TEST_F(PluginHostTest, LoadedPluginsTellTheirKeysBeforeTheyAreConfigured)
{
    ASSERT_TRUE(host->load({"sample-b", "misfit-tag"}));
    const auto keys = host->keys();
    ASSERT_EQ(keys.size(), 1U);
    EXPECT_EQ(keys[0].name, "sample-b.color");
    EXPECT_TRUE(steps().empty());
}

TEST_F(PluginHostTest, DrainReachesEveryPluginInReverse)
{
    ASSERT_TRUE(run({"sample-a", "sample-b"}));
    host->drain();
    const Names all = steps();
    EXPECT_EQ(Names(all.end() - 2, all.end()), (Names{"sample-b drain", "sample-a drain"}));
}

TEST_F(PluginHostTest, StoppingAGroupInWhichNothingStartedLeavesTheOneBefore)
{
    ASSERT_TRUE(run({"sample-a"}));
    ASSERT_TRUE(run({"sample-unstartable"}));
    host->stop();
    EXPECT_EQ(state("sample-a").state, State::Started);
}

TEST_F(PluginHostTest, DestructionStopsWhatStillRuns)
{
    ASSERT_TRUE(run({"sample-a"}));
    host.reset();
    EXPECT_EQ(steps().back(), "sample-a stop");
}

TEST_F(PluginHostTest, ReloadReachesEveryPlugin)
{
    ASSERT_TRUE(run({"sample-a", "sample-b"}));
    ASSERT_TRUE(host->reload(SampleView{"next"}, view));
    EXPECT_EQ(steps()[4], "sample-a reload next");
    EXPECT_EQ(steps()[5], "sample-b reload next");
}

TEST_F(PluginHostTest, AReloadThatOnePluginRefusesIsTakenBackFromTheOthers)
{
    ASSERT_TRUE(run({"sample-a", "sample-b", "sample-c"}));
    const auto result = host->reload(SampleView{"wish"}, view);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message, "plugin sample-c: not this one");
    const Names all = steps();
    EXPECT_EQ(Names(all.end() - 2, all.end()),
              (Names{"sample-a reload start", "sample-b reload start"}));
}

} // namespace octostore::plugin
