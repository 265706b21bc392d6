// SPDX-License-Identifier: MIT
#include "plugin/StartOrder.h"

#include <gtest/gtest.h>

namespace octostore::plugin
{

using Order = std::vector<std::size_t>;

TEST(StartOrderTest, PluginsWithoutRequirementsKeepTheOrderGiven)
{
    EXPECT_EQ(startOrder({{"c", {}}, {"a", {}}, {"b", {}}}), (Order{0, 1, 2}));
}

TEST(StartOrderTest, APluginComesBehindThoseItRequires)
{
    EXPECT_EQ(startOrder({{"c", {"b"}}, {"b", {"a"}}, {"x", {}}, {"a", {}}}), (Order{2, 3, 1, 0}));
}

TEST(StartOrderTest, WhatIsOutsideTheGroupDoesNotDelayAPlugin)
{
    EXPECT_EQ(startOrder({{"a", {"elsewhere"}}, {"b", {}}}), (Order{0, 1}));
}

TEST(StartOrderTest, ACircleComesLastAndHoldsNobodyElseUp)
{
    EXPECT_EQ(startOrder({{"a", {"b"}}, {"b", {"a"}}, {"c", {}}, {"d", {"a"}}}),
              (Order{2, 0, 1, 3}));
}

TEST(StartOrderTest, APluginThatRequiresItselfComesLast)
{
    EXPECT_EQ(startOrder({{"a", {"a"}}, {"b", {}}}), (Order{1, 0}));
}

} // namespace octostore::plugin
