// SPDX-License-Identifier: MIT
#include <octostore/client/Duration.h>

#include <gtest/gtest.h>

namespace octostore::client
{

using namespace std::chrono_literals;

TEST(DurationTest, EachUnitIsUnderstoodAndABareIntegerIsSeconds)
{
    EXPECT_EQ(*parseDuration("1500ms"), 1500ms);
    EXPECT_EQ(*parseDuration("30s"), 30s);
    EXPECT_EQ(*parseDuration("30"), 30s);
    EXPECT_EQ(*parseDuration("2m"), 2min);
    EXPECT_EQ(*parseDuration("24h"), 24h);
    EXPECT_EQ(*parseDuration("0"), 0ms);
    EXPECT_EQ(*parseDuration("86400"), 24h);
}

TEST(DurationTest, WhatIsNoDurationIsRefused)
{
    for (const char* text :
         {"", "s", "-1s", "1.5s", "1 s", " 1", "1S", "1d", "0x10", "1s1s", "+1", "25h", "86401",
          "86400001ms", "9223372036854775807h", "99999999999999999999"})
        EXPECT_FALSE(parseDuration(text)) << text;
}

} // namespace octostore::client
