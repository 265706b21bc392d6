// SPDX-License-Identifier: MIT
/// @file
/// Why the leaders of rooms that have none are gone.
#pragma once

#include <octostore/event/Event.h>

#include <cstddef>
#include <unordered_map>
#include <utility>

namespace octostore::metrics
{

/// Keeps the newest, at least half of `most`: rooms that nobody ever leads again must not keep out
/// the others. Thread-safety: thread-compatible.
class RecentCauses
{
public:
    explicit RecentCauses(std::size_t most) : _half(most / 2) {}

    void note(std::size_t key, event::Cause cause)
    {
        if (_newer.size() >= _half)
            _older = std::exchange(_newer, {});
        _newer[key] = cause;
    }
    /// What was noted last, which is forgotten with this; None: it is not known.
    event::Cause take(std::size_t key)
    {
        const auto older = _older.extract(key);
        if (const auto newer = _newer.extract(key))
            return newer.mapped();
        return older ? older.mapped() : event::Cause::None;
    }

private:
    using Causes = std::unordered_map<std::size_t, event::Cause>;

    const std::size_t _half;
    Causes _newer;
    Causes _older;
};

} // namespace octostore::metrics
