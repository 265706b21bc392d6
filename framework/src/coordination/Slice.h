// SPDX-License-Identifier: MIT
/// @file
/// How much of a listing is done in one turn of the engine.
#pragma once

#include <octostore/base/Time.h>

#include <chrono>
#include <cstddef>

namespace octostore::coordination
{

/// Names or sessions looked at in one turn, at most.
constexpr std::size_t sliceEntries = 256;
/// Half of what a listing may hold the engine: that memory is cold and the processor shared comes
/// on top.
constexpr std::chrono::microseconds sliceTime{100};
/// Entries between two looks at the clock; so many a slice always gets, or it would not come to an
/// end on a machine that is slow enough.
constexpr std::size_t sliceStep = 16;

/// One slice. Thread-safety: thread-compatible.
class Slice
{
public:
    /// Null: only the number of entries counts.
    explicit Slice(const Clock* clock)
        : _clock(clock), _end(clock == nullptr ? BootTime::max() : clock->bootTime() + sliceTime)
    {
    }

    /// Whether one more entry may be looked at.
    bool next()
    {
        const bool looks = _entries > 0 && _entries % sliceStep == 0;
        if (_entries == sliceEntries || (looks && _clock != nullptr && _clock->bootTime() >= _end))
            return false;
        ++_entries;
        return true;
    }

private:
    const Clock* _clock;
    const BootTime _end;
    std::size_t _entries = 0;
};

} // namespace octostore::coordination
