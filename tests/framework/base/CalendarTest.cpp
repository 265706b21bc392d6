// SPDX-License-Identifier: MIT
#include <octostore/base/Calendar.h>

#include <gtest/gtest.h>

#include <array>

namespace octostore
{
namespace
{

using namespace std::chrono_literals;

/// Year, month, day, hour, minute, second.
std::optional<WallTime> at(const std::array<int, 6>& date)
{
    std::tm parts{};
    parts.tm_year = date[0] - 1900;
    parts.tm_mon = date[1] - 1;
    parts.tm_mday = date[2];
    parts.tm_hour = date[3];
    parts.tm_min = date[4];
    parts.tm_sec = date[5];
    return timeOf(parts);
}

TEST(CalendarTest, ADateIsTheInstantThatIsWrittenLikeIt)
{
    EXPECT_EQ(at({1970, 1, 1, 0, 0, 0}), WallTime(0s));
    EXPECT_EQ(at({2026, 8, 3, 1, 2, 3}), WallTime(1'785'718'923s));
    EXPECT_EQ(at({2000, 2, 29, 0, 0, 0}), WallTime(951'782'400s));
    EXPECT_EQ(toRfc3339(*at({1678, 1, 1, 0, 0, 0})), "1678-01-01T00:00:00Z");
    EXPECT_EQ(toRfc3339(*at({2261, 12, 31, 23, 59, 59})), "2261-12-31T23:59:59Z");
}

TEST(CalendarTest, WhatIsNoDateOrDoesNotFitIsNothing)
{
    const std::array<std::array<int, 6>, 14> wrong{{{9999, 12, 31, 23, 59, 59},
                                                    {2262, 1, 1, 0, 0, 0},
                                                    {1677, 12, 31, 23, 59, 59},
                                                    {-999, 1, 1, 0, 0, 0},
                                                    {2'147'483'647, 1, 1, 0, 0, 0},
                                                    {2026, 0, 1, 0, 0, 0},
                                                    {2026, 13, 1, 0, 0, 0},
                                                    {2026, 257, 1, 0, 0, 0},
                                                    {2026, 1, 0, 0, 0, 0},
                                                    {2026, 2, 29, 0, 0, 0},
                                                    {2026, 1, 1, 24, 0, 0},
                                                    {2026, 1, 1, 0, 60, 0},
                                                    {2026, 1, 1, 0, 0, 60},
                                                    {2026, 1, 1, 0, 0, -1}}};
    for (const auto& date : wrong)
        EXPECT_FALSE(at(date)) << testing::PrintToString(date);
}

TEST(CalendarTest, TheOffsetStandsWhereTheZWas)
{
    EXPECT_EQ(toRfc3339WithOffset(WallTime(1'785'718'923s)), "2026-08-03T01:02:03+00:00");
    EXPECT_EQ(toRfc3339WithOffset(WallTime(1'785'718'923'007ms)), "2026-08-03T01:02:03.007+00:00");
}

} // namespace
} // namespace octostore
