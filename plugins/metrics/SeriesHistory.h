// SPDX-License-Identifier: MIT
/// @file
/// The short history the console draws.
#pragma once

#include "Snapshot.h"

#include <octostore/base/Mutex.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>

namespace octostore::metrics
{

/// One ring: a point each `step`, as many as fit into `age`. Thread-safety: thread-safe.
class SeriesRing
{
public:
    SeriesRing(std::string range, std::chrono::seconds age, std::chrono::seconds step);

    /// Adds a point when a step has passed since the last one; the first snapshot only begins.
    void take(const Snapshot& snapshot) OCTOSTORE_EXCLUDES(_mutex);
    /// `{"range", "step_seconds", "timestamps", "series"}`; a null in a series: nothing happened
    /// that it could be measured by.
    std::string json() const OCTOSTORE_EXCLUDES(_mutex);

    const std::string& range() const noexcept { return _range; }

private:
    static constexpr std::size_t seriesCount = 8;
    struct Point
    {
        std::int64_t at = 0; ///< unix seconds
        std::array<std::optional<double>, seriesCount> values;
    };
    static Point pointOf(const Snapshot& earlier, const Snapshot& now);

    const std::string _range;
    const std::size_t _most;
    const std::chrono::seconds _step;

    mutable Mutex _mutex;
    std::optional<Snapshot> _last OCTOSTORE_GUARDED_BY(_mutex);
    std::deque<Point> _points OCTOSTORE_GUARDED_BY(_mutex);
};

} // namespace octostore::metrics
