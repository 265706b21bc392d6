// SPDX-License-Identifier: MIT
#include "support/TestSeed.h"

#include <octostore/bench/Histogram.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace octostore::bench
{

using namespace std::chrono_literals;

TEST(HistogramTest, AnEmptyOneSaysNothing)
{
    const Histogram histogram;
    EXPECT_EQ(histogram.count(), 0U);
    EXPECT_EQ(histogram.quantile(0.5), 0ns);
    EXPECT_EQ(histogram.least(), 0ns);
    EXPECT_EQ(histogram.most(), 0ns);
    EXPECT_EQ(histogram.mean(), 0ns);
}

TEST(HistogramTest, QuantilesAreNeverTooSmallAndAtMostOnePartIn64TooGreat)
{
    const auto seed = test::testSeed();
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    std::vector<std::int64_t> values;
    Histogram histogram;
    for (int i = 0; i < 20'000; ++i)
    {
        values.push_back(static_cast<std::int64_t>(random() >> (1 + random() % 63)));
        histogram.record(Duration(values.back()));
    }
    std::sort(values.begin(), values.end());
    for (const double share : {0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 1.0})
    {
        const auto exact = values[static_cast<std::size_t>(std::ceil(share * 20'000)) - 1];
        const auto told = histogram.quantile(share).count();
        EXPECT_GE(told, exact) << share;
        EXPECT_LE(static_cast<double>(told), static_cast<double>(exact) * (1 + 1.0 / 64)) << share;
    }
    EXPECT_EQ(histogram.least().count(), values.front());
    EXPECT_EQ(histogram.most().count(), values.back());
}

TEST(HistogramTest, SmallValuesAreExact)
{
    for (std::int64_t value = 0; value < 64; ++value)
    {
        Histogram histogram;
        histogram.record(Duration(value));
        histogram.record(1h);
        EXPECT_EQ(histogram.quantile(0.5).count(), value);
    }
}

TEST(HistogramTest, ANegativeDurationCountsAsNone)
{
    Histogram histogram;
    histogram.record(-5ns);
    EXPECT_EQ(histogram.count(), 1U);
    EXPECT_EQ(histogram.most(), 0ns);
}

TEST(HistogramTest, TwoAddUp)
{
    Histogram one;
    Histogram two;
    one.record(1ms);
    two.record(3ms);
    two.record(5ms);
    one.add(two);
    EXPECT_EQ(one.count(), 3U);
    EXPECT_EQ(one.mean(), 3ms);
    EXPECT_EQ(one.least(), 1ms);
    EXPECT_EQ(one.most(), 5ms);
    one.add(Histogram());
    EXPECT_EQ(one.least(), 1ms);
}

TEST(HistogramTest, EveryDurationLiesInOneInterval)
{
    Histogram histogram;
    for (int i = 0; i <= 1000; ++i)
        histogram.record(std::chrono::microseconds(i));
    std::uint64_t sum = 0;
    Duration from(0);
    for (Duration to(1000); from < histogram.most(); from = to, to *= 2)
        sum += histogram.between(from, to);
    EXPECT_EQ(sum, 1000U); // the first is 0, which is not above 0
}

} // namespace octostore::bench
