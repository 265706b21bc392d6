// SPDX-License-Identifier: MIT
/// @file
/// How values are distributed, in buckets with fixed bounds.
#pragma once

#include <octostore/base/Api.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace octostore::metrics
{

/// Upper bounds of buckets in the unit of the values (durations: seconds), in ascending order; what
/// is above the last falls into one more bucket.
using Bounds = std::vector<double>;

/// What HTTP requests take: 5 ms to 10 s, as OpenTelemetry has them, and finer below.
OCTOSTORE_API Bounds requestBounds();
/// What disks take: 1 ms doubled up to 8.192 s, and finer below.
OCTOSTORE_API Bounds storeBounds();
/// How long people and leases wait: 1 ms to an hour.
OCTOSTORE_API Bounds leaseBounds();
/// How late something is that should be late by milliseconds: 0.1 ms to 10 s.
OCTOSTORE_API Bounds lagBounds();
/// How many stand in a queue: none to 100,000.
OCTOSTORE_API Bounds queueBounds();

/// The state of a histogram at one moment. Counts are of each bucket alone, not cumulative; there
/// is one more than there are bounds.
struct HistogramSample
{
    Bounds bounds;
    std::vector<std::uint64_t> counts;
    double sum = 0; ///< in the unit of the bounds

    OCTOSTORE_API std::uint64_t count() const noexcept;
    /// The value that `share` (0..1) of what was counted since `earlier` does not
    /// pass; between bounds it is interpolated. Negative when nothing was counted since. `earlier`
    /// has the same bounds or is empty.
    OCTOSTORE_API double quantile(double share, const HistogramSample& earlier) const noexcept;
    OCTOSTORE_API double quantile(double share) const noexcept;
};

/// Observing costs a search among the bounds and two relaxed additions, one of them of a double.
/// Thread-safety: thread-safe, lock-free. A sample taken meanwhile may have an observation in its
/// counts and not yet in its sum.
class OCTOSTORE_API Histogram
{
public:
    /// At most `boundsMax` bounds count.
    explicit Histogram(Bounds bounds);
    Histogram(const Histogram&) = delete;
    Histogram& operator=(const Histogram&) = delete;

    /// What is below 0 counts as 0.
    void observe(double value) noexcept;
    /// In seconds.
    void observe(std::chrono::nanoseconds duration) noexcept;
    HistogramSample sample() const;

    static constexpr std::size_t boundsMax = 31;

private:
    const Bounds _bounds;
    std::array<std::atomic<std::uint64_t>, boundsMax + 1> _counts{};
    /// No integer: the nanoseconds of a quarter of a million leases of a day each do not fit into
    /// 64 bits.
    std::atomic<double> _sum{0};
};

} // namespace octostore::metrics
