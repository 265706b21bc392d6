// SPDX-License-Identifier: MIT
#include <octostore/metrics/Histogram.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace octostore::metrics
{

namespace
{

/// A duration that is a bound counts as not above it: both become seconds by this one division.
double secondsOf(std::chrono::nanoseconds duration)
{
    return std::chrono::duration<double>(duration).count();
}

Bounds ofMicroseconds(const std::vector<std::int64_t>& microseconds)
{
    Bounds bounds;
    bounds.reserve(microseconds.size());
    for (const std::int64_t bound : microseconds)
        bounds.push_back(secondsOf(std::chrono::microseconds(bound)));
    return bounds;
}

Bounds cut(Bounds bounds)
{
    if (bounds.size() > Histogram::boundsMax)
        bounds.resize(Histogram::boundsMax);
    return bounds;
}

} // namespace

Bounds requestBounds()
{
    return ofMicroseconds({250, 500, 1'000, 2'500, 5'000, 10'000, 25'000, 50'000, 75'000, 100'000,
                           250'000, 500'000, 750'000, 1'000'000, 2'500'000, 5'000'000, 7'500'000,
                           10'000'000});
}

Bounds storeBounds()
{
    std::vector<std::int64_t> bounds{125, 250, 500};
    for (std::int64_t bound = 1'000; bound <= 8'192'000; bound *= 2)
        bounds.push_back(bound);
    return ofMicroseconds(bounds);
}

Bounds leaseBounds()
{
    return ofMicroseconds({1'000, 5'000, 10'000, 50'000, 100'000, 500'000, 1'000'000, 2'500'000,
                           5'000'000, 10'000'000, 30'000'000, 60'000'000, 120'000'000, 300'000'000,
                           900'000'000, 3'600'000'000});
}

Bounds lagBounds()
{
    return ofMicroseconds({100, 250, 500, 1'000, 2'500, 5'000, 10'000, 25'000, 50'000, 100'000,
                           250'000, 500'000, 1'000'000, 2'500'000, 10'000'000});
}

Bounds queueBounds()
{
    return {0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1'000, 2'000, 5'000, 10'000, 100'000};
}

std::uint64_t HistogramSample::count() const noexcept
{
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

double HistogramSample::quantile(double share) const noexcept
{
    return quantile(share, HistogramSample());
}

double HistogramSample::quantile(double share, const HistogramSample& earlier) const noexcept
{
    const auto since = [&](std::size_t bucket)
    {
        const std::uint64_t before = bucket < earlier.counts.size() ? earlier.counts[bucket] : 0;
        return static_cast<double>(counts[bucket] - std::min(before, counts[bucket]));
    };
    double total = 0;
    for (std::size_t bucket = 0; bucket < counts.size(); ++bucket)
        total += since(bucket);
    if (total == 0)
        return -1;

    const double wanted = std::clamp(share, 0.0, 1.0) * total;
    double below = 0;
    for (std::size_t bucket = 0; bucket < bounds.size(); ++bucket)
    {
        const double here = since(bucket);
        if (here > 0 && below + here >= wanted)
        {
            const double lower = bucket == 0 ? 0 : bounds[bucket - 1];
            return lower + (bounds[bucket] - lower) * (wanted - below) / here;
        }
        below += here;
    }
    // Above the last bound nothing better is known.
    return bounds.empty() ? 0 : bounds.back();
}

Histogram::Histogram(Bounds bounds) : _bounds(cut(std::move(bounds))) {}

void Histogram::observe(std::chrono::nanoseconds duration) noexcept
{
    observe(secondsOf(duration));
}

void Histogram::observe(double value) noexcept
{
    const double counted = std::max(value, 0.0);
    const auto bucket = std::lower_bound(_bounds.begin(), _bounds.end(), counted);
    _counts[static_cast<std::size_t>(bucket - _bounds.begin())].fetch_add(
        1, std::memory_order_relaxed);
    _sum.fetch_add(counted, std::memory_order_relaxed);
}

HistogramSample Histogram::sample() const
{
    HistogramSample taken;
    taken.bounds = _bounds;
    taken.counts.reserve(_bounds.size() + 1);
    for (std::size_t bucket = 0; bucket <= _bounds.size(); ++bucket)
        taken.counts.push_back(_counts[bucket].load(std::memory_order_relaxed));
    taken.sum = _sum.load(std::memory_order_relaxed);
    return taken;
}

} // namespace octostore::metrics
