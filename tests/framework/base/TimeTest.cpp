// SPDX-License-Identifier: MIT
#include <octostore/base/Time.h>

#include <gtest/gtest.h>

#include <support/FakeClock.h>

namespace octostore
{
namespace
{

using namespace std::chrono_literals;

class TimeTest : public testing::Test
{
};

TEST_F(TimeTest, FractionsHaveTheFewestDigitsThatLoseNothing)
{
    const WallTime time(1'785'718'923s);
    EXPECT_EQ(toRfc3339(time), "2026-08-03T01:02:03Z");
    EXPECT_EQ(toRfc3339(time + 100ms), "2026-08-03T01:02:03.100Z");
    EXPECT_EQ(toRfc3339(time + 7ms), "2026-08-03T01:02:03.007Z");
    EXPECT_EQ(toRfc3339(time + 1us), "2026-08-03T01:02:03.000001Z");
    EXPECT_EQ(toRfc3339(time + 123'456us), "2026-08-03T01:02:03.123456Z");
    EXPECT_EQ(toRfc3339(time + 123'456'789ns), "2026-08-03T01:02:03.123456789Z");
    EXPECT_EQ(toRfc3339(time + 10ns), "2026-08-03T01:02:03.000000010Z");
}

TEST_F(TimeTest, DatesFollowTheCalendar)
{
    EXPECT_EQ(toRfc3339(WallTime(0s)), "1970-01-01T00:00:00Z");
    EXPECT_EQ(toRfc3339(WallTime(-1ns)), "1969-12-31T23:59:59.999999999Z");
    EXPECT_EQ(toRfc3339(WallTime(951'782'400s)), "2000-02-29T00:00:00Z");
    EXPECT_EQ(toRfc3339(WallTime(4'107'542'399s)), "2100-02-28T23:59:59Z");
    EXPECT_EQ(toRfc3339(WallTime(4'107'542'400s)), "2100-03-01T00:00:00Z");
}

TEST_F(TimeTest, MillisecondsAreRoundedDownAndNeverNegative)
{
    EXPECT_EQ(wholeMilliseconds(0ns), 0U);
    EXPECT_EQ(wholeMilliseconds(999'999ns), 0U);
    EXPECT_EQ(wholeMilliseconds(1ms), 1U);
    EXPECT_EQ(wholeMilliseconds(1999us), 1U);
    EXPECT_EQ(wholeMilliseconds(-1ns), 0U);
    EXPECT_EQ(wholeMilliseconds(BootClock::duration::min()), 0U);
}

TEST_F(TimeTest, TheMachinesClocksRunAndKeepTheirIdentity)
{
    const SystemClock clock;
    const SystemClock other;
    const Now first = clock.now();
    EXPECT_GT(first.boot, BootTime());
    EXPECT_GT(first.wall, WallTime(1'600'000'000s));
    EXPECT_GE(clock.bootTime(), first.boot);
    EXPECT_EQ(clock.identity(), other.identity());
    EXPECT_NE(clock.identity().find(':'), std::string::npos);
}

TEST_F(TimeTest, AFakeClockMovesOnlyWhenTold)
{
    test::FakeClock clock;
    const Now first = clock.now();
    EXPECT_EQ(toRfc3339(first.wall), "2026-08-03T01:02:03Z");
    clock.advance(5s);
    clock.stepWall(-1h);
    EXPECT_EQ(clock.bootTime() - first.boot, 5s);
    EXPECT_EQ(clock.wallTime() - first.wall, 5s - 1h);
    const std::string& before = clock.identity();
    clock.setIdentity("other");
    EXPECT_EQ(clock.identity(), "other");
    EXPECT_NE(before, "other");
}

} // namespace
} // namespace octostore
