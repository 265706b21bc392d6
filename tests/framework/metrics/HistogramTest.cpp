// SPDX-License-Identifier: MIT
#include <octostore/metrics/Histogram.h>
#include <octostore/metrics/Source.h>

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

namespace octostore::metrics
{
namespace
{

using namespace std::chrono_literals;

class HistogramTest : public ::testing::Test
{
protected:
    Histogram _histogram{{0.001, 0.002, 0.004}};
};

TEST_F(HistogramTest, AValueOnABoundBelongsToTheBucketBelowIt)
{
    for (const auto value : {0us, 1000us, 1001us, 2000us, 4000us, 4001us})
        _histogram.observe(value);
    const HistogramSample sample = _histogram.sample();
    EXPECT_EQ(sample.counts, (std::vector<std::uint64_t>{2, 2, 1, 1}));
    EXPECT_EQ(sample.count(), 6U);
    EXPECT_NEAR(sample.sum, 0.012002, 1e-9);
}

TEST_F(HistogramTest, CountsAndSharesAreTheirOwnUnit)
{
    Histogram places({0, 1, 5});
    for (const double inFront : {0.0, 1.0, 2.0, 5.0, 6.0})
        places.observe(inFront);
    EXPECT_EQ(places.sample().counts, (std::vector<std::uint64_t>{1, 1, 2, 1}));
    EXPECT_EQ(places.sample().sum, 14);
}

TEST_F(HistogramTest, EveryBoundOfDurationsTakesTheDurationItWasMadeOf)
{
    for (const auto value : {100us, 250us, 7'500'000us, 900'000'000us})
    {
        const double seconds = std::chrono::duration<double>(value).count();
        Histogram durations({seconds});
        durations.observe(value);
        durations.observe(value + 1ns);
        EXPECT_EQ(durations.sample().counts, (std::vector<std::uint64_t>{1, 1})) << seconds;
    }
}

TEST_F(HistogramTest, ANegativeDurationCountsAsNone)
{
    _histogram.observe(-5ms);
    EXPECT_EQ(_histogram.sample().counts.front(), 1U);
    EXPECT_EQ(_histogram.sample().sum, 0);
}

TEST_F(HistogramTest, TheSumOfLongLeasesNeverWraps)
{
    for (int i = 0; i < 1000; ++i)
        _histogram.observe(24h * 365);
    EXPECT_NEAR(_histogram.sample().sum, 1000.0 * 365 * 24 * 3600, 1);
}

TEST_F(HistogramTest, AQuantileIsInterpolatedBetweenTheBounds)
{
    for (int i = 0; i < 100; ++i)
        _histogram.observe(1500us);
    EXPECT_NEAR(_histogram.sample().quantile(0.5), 0.0015, 1e-9);
    EXPECT_NEAR(_histogram.sample().quantile(1), 0.002, 1e-9);
}

TEST_F(HistogramTest, AQuantileAboveTheLastBoundIsThatBound)
{
    _histogram.observe(1h);
    EXPECT_NEAR(_histogram.sample().quantile(0.99), 0.004, 1e-9);
}

TEST_F(HistogramTest, AQuantileSinceAnEarlierSampleLooksOnlyAtWhatCameSince)
{
    _histogram.observe(3ms);
    const HistogramSample earlier = _histogram.sample();
    EXPECT_LT(_histogram.sample().quantile(0.5, earlier), 0) << "nothing came since";
    _histogram.observe(500us);
    EXPECT_LE(_histogram.sample().quantile(1, earlier), 0.001);
}

TEST_F(HistogramTest, NoObservationOfManyThreadsIsLost)
{
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back(
            [this]
            {
                for (int n = 0; n < 10'000; ++n)
                    _histogram.observe(std::chrono::microseconds(n));
            });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(_histogram.sample().count(), 40'000U);
    EXPECT_NEAR(_histogram.sample().sum, 4 * 9'999 * 10'000 / 2 / 1e6, 1e-3);
}

TEST_F(HistogramTest, TheBoundsForEveryPurposeAscendAndFit)
{
    for (const Bounds& bounds :
         {requestBounds(), storeBounds(), leaseBounds(), lagBounds(), queueBounds()})
    {
        EXPECT_LE(bounds.size(), Histogram::boundsMax);
        for (std::size_t i = 1; i < bounds.size(); ++i)
            EXPECT_LT(bounds[i - 1], bounds[i]);
    }
}

/// Keeps what it is told.
class KeepingSink final : public Sink
{
public:
    void counter(const Metric&, double value, const Labels&) override { counted = value; }
    void gauge(const Metric&, double value, const Labels&) override { measured = value; }
    void histogram(const Metric&, const HistogramSample& sample, const Labels&) override
    {
        observed = sample.count();
    }

    double counted = 0;
    double measured = 0;
    std::uint64_t observed = 0;
};

TEST_F(HistogramTest, EveryPrimitiveGoesToItsOwnKindOfSample)
{
    Counter counter;
    counter.add();
    counter.add(4);
    Gauge gauge;
    gauge.set(7);
    gauge.add(-9);
    _histogram.observe(1ms);

    KeepingSink sink;
    sink.add({"a_total", "A."}, counter);
    sink.add({"b", "B."}, gauge);
    sink.add({"c_seconds", "C."}, _histogram);
    EXPECT_EQ(sink.counted, 5);
    EXPECT_EQ(sink.measured, -2);
    EXPECT_EQ(sink.observed, 1U);
}

} // namespace
} // namespace octostore::metrics
