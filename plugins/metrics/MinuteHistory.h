// SPDX-License-Identifier: MIT
/// @file
/// The week of minutes that the reference's time series has.
#pragma once

#include "Snapshot.h"

#include <octostore/base/Mutex.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace octostore::metrics
{

/// One point for each whole minute; the current one is not among them. Thread-safety: thread-safe.
class MinuteHistory
{
public:
    /// Closes the minute when the clock has passed into another.
    void take(const Snapshot& snapshot) OCTOSTORE_EXCLUDES(_mutex);
    /// `{"window", "timestamps", ...}`; nothing: there is no such window.
    std::optional<std::string> json(std::string_view window) const OCTOSTORE_EXCLUDES(_mutex);

    static constexpr std::size_t minutesMax = 7 * 24 * 60;

private:
    struct Minute
    {
        std::int64_t at = 0; ///< its beginning, unix seconds
        std::uint64_t requests = 0;
        std::uint64_t acquired = 0;
        std::uint64_t released = 0;
        std::uint64_t live = 0; ///< leases at its end
    };
    static std::int64_t minuteOf(const Snapshot& snapshot);

    mutable Mutex _mutex;
    std::optional<Snapshot> _begin OCTOSTORE_GUARDED_BY(_mutex); ///< of the current minute
    std::deque<Minute> _minutes OCTOSTORE_GUARDED_BY(_mutex);
};

} // namespace octostore::metrics
