// SPDX-License-Identifier: MIT
#include "ServerParts.h"

#include "LogFigures.h"
#include "support/FakeSettings.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <stdexcept>

namespace octostore::program
{
namespace
{

/// Its first route throws.
class Thrower final : public http::RouteProvider
{
public:
    std::vector<http::Route> routes() override
    {
        http::Route bad;
        bad.pattern = "/bad";
        bad.handler = [](const http::ExchangePtr&) { throw std::runtime_error("no luck"); };
        http::Route good;
        good.pattern = "/good";
        good.handler = [this](const http::ExchangePtr&) { ++served; };
        return {bad, good};
    }
    int served = 0;
};

/// Keeps counters by their first label.
class Counters final : public metrics::Sink
{
public:
    void counter(const metrics::Metric&, double value, const metrics::Labels& labels) override
    {
        values[labels.front().second] = value;
    }
    void gauge(const metrics::Metric&, double, const metrics::Labels&) override {}
    void histogram(const metrics::Metric&, const metrics::HistogramSample&,
                   const metrics::Labels&) override
    {
    }
    std::map<std::string, double> values;
};

TEST(ServerPartsTest, AHandlerThatThrowsIsCountedForItsPluginAndLeftToTheRouter)
{
    Thrower thrower;
    plugin::ExtensionRegistry registry;
    registry.contribute<http::RouteProvider>("shaky", thrower);
    std::vector<std::string> failed;
    const auto setup = routerSetup(registry, test::FakeSettings(),
                                   [&](const std::string& plugin) { failed.push_back(plugin); });
    ASSERT_TRUE(setup);
    ASSERT_EQ(setup->routes.size(), 2U);
    EXPECT_THROW(setup->routes[0].handler(nullptr), std::runtime_error);
    EXPECT_EQ(failed, std::vector<std::string>{"shaky"});
    setup->routes[1].handler(nullptr);
    EXPECT_EQ(thrower.served, 1);
    EXPECT_EQ(failed.size(), 1U);
}

TEST(LogFiguresTest, EachLevelHasItsCount)
{
    std::ostringstream out;
    const auto sink = LogSink::toStream(out, LogFormat::Json, LogLevel::Info);
    sink->logger("a").warning("slow");
    sink->logger("b").warning("slow");
    Counters counters;
    LogFigures(*sink).collect(counters);
    const std::map<std::string, double> expected{
        {"debug", 0}, {"info", 0}, {"warn", 2}, {"error", 0}};
    EXPECT_EQ(counters.values, expected);
}

} // namespace
} // namespace octostore::program
