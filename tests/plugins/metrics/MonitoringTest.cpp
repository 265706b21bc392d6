// SPDX-License-Identifier: MIT
// Goal: the rules and the dashboard that are given away work with the metrics there are.
#include "PromtoolCheck.h"

#include <octostore/base/Json.h>

#include <gtest/gtest.h>

#include <regex>
#include <string>

namespace octostore::test
{
namespace
{

const std::string folder = OCTOSTORE_MONITORING;

std::string contentOf(const std::string& file)
{
    std::ostringstream text;
    text << std::ifstream(folder + "/" + file).rdbuf();
    return text.str();
}

/// A file of rules, in JSON, with one for each query of the dashboard.
std::string dashboardQueries()
{
    const std::regex interval("\\$__rate_interval");
    const auto dashboard = readJson(contentOf("dashboard.json"));
    JsonWriter rules;
    rules.beginObject().key("groups").beginArray().beginObject().field("name", "dashboard");
    rules.key("rules").beginArray();
    std::size_t count = 0;
    for (const JsonValue& panel : *dashboard->at("panels").asArray())
    {
        for (const JsonValue& target : *panel.asObject()->at("targets").asArray())
        {
            const std::string query = *target.asObject()->at("expr").asString();
            rules.beginObject()
                .field("record", "query:" + std::to_string(++count))
                .field("expr", std::regex_replace(query, interval, "5m"))
                .endObject();
        }
    }
    rules.endArray().endObject().endArray().endObject();
    return rules.take();
}

TEST(MonitoringTest, PromtoolAcceptsTheRules)
{
    EXPECT_EQ(promtool("check rules '" + folder + "/alerts.yaml'"), "");
}

TEST(MonitoringTest, EveryAlertFiresWhenItShouldAndOnlyThen)
{
    EXPECT_EQ(promtool("test rules '" + folder + "/alerts_test.yaml'"), "");
}

TEST(MonitoringTest, NoAlertIsLeftUntried)
{
    const std::string rules = contentOf("alerts.yaml");
    const std::string tests = contentOf("alerts_test.yaml");
    const std::regex alert("- alert: ([A-Za-z]+)");
    std::size_t count = 0;
    for (std::sregex_iterator found(rules.begin(), rules.end(), alert), end; found != end; ++found)
    {
        ++count;
        const std::string name = "alertname: " + (*found)[1].str();
        EXPECT_NE(tests.find(name + "\n        exp_alerts:"), std::string::npos)
            << name << " fires";
        EXPECT_NE(tests.find(name + " }"), std::string::npos) << name << " is silent";
    }
    EXPECT_GT(count, 10U);
}

TEST(MonitoringTest, PromtoolUnderstandsEveryQueryOfTheDashboard)
{
    EXPECT_EQ(promtool("check rules /dev/stdin", dashboardQueries()), "");
}

TEST(MonitoringTest, TheDashboardIsJsonWithAQueryInEveryPanel)
{
    const auto dashboard = readJson(contentOf("dashboard.json"));
    ASSERT_TRUE(dashboard) << dashboard.error().message;
    const JsonValue::Array& panels = *dashboard->at("panels").asArray();
    EXPECT_GE(panels.size(), 8U);
    for (const JsonValue& panel : panels)
        EXPECT_FALSE(panel.asObject()->at("targets").asArray()->empty());
}

} // namespace
} // namespace octostore::test
