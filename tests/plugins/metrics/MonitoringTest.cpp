// SPDX-License-Identifier: MIT
// Goal: the rules and the dashboard that are given away work with the metrics there are.
#include "PromtoolCheck.h"

#include <octostore/base/Json.h>

#include <gtest/gtest.h>

#include <string>

namespace octostore::test
{
namespace
{

const std::string folder = OCTOSTORE_MONITORING;

TEST(MonitoringTest, PromtoolAcceptsTheRules)
{
    EXPECT_EQ(promtool("check rules '" + folder + "/alerts.yaml'"), "");
}

TEST(MonitoringTest, EveryAlertFiresWhenItShouldAndOnlyThen)
{
    EXPECT_EQ(promtool("test rules '" + folder + "/alerts_test.yaml'"), "");
}

TEST(MonitoringTest, TheDashboardIsJsonWithAQueryInEveryPanel)
{
    std::ostringstream text;
    text << std::ifstream(folder + "/dashboard.json").rdbuf();
    const auto dashboard = readJson(text.str());
    ASSERT_TRUE(dashboard) << dashboard.error().message;
    const JsonValue::Array& panels = *dashboard->at("panels").asArray();
    EXPECT_GE(panels.size(), 8U);
    for (const JsonValue& panel : panels)
        EXPECT_FALSE(panel.asObject()->at("targets").asArray()->empty());
}

} // namespace
} // namespace octostore::test
