// SPDX-License-Identifier: MIT
/// @file
/// A journal in memory that forgets when it is told to.
#pragma once

#include <octostore/base/Mutex.h>
#include <octostore/event/Journal.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace octostore::test
{

/// Thread-safety: thread-safe.
class MemoryJournal final : public event::Journal
{
public:
    void add(const std::vector<event::EventPtr>& batch)
    {
        MutexLock lock(_mutex);
        _events.insert(_events.end(), batch.begin(), batch.end());
    }
    /// Events up to here are not in memory any more, but can be read.
    void age(Sequence upTo)
    {
        MutexLock lock(_mutex);
        _recentAfter = upTo;
    }
    /// Events up to here are forgotten.
    void trim(Sequence upTo)
    {
        MutexLock lock(_mutex);
        _trimmed = upTo;
        _recentAfter = std::max(_recentAfter, upTo);
        std::erase_if(_events,
                      [upTo](const event::EventPtr& event) { return event->sequence <= upTo; });
    }

    /// As trim(), but only when the next read() has begun.
    void trimAtRead(Sequence upTo)
    {
        MutexLock lock(_mutex);
        _trimAtRead = upTo;
    }

    Result<std::vector<event::EventPtr>> read(Sequence after, std::size_t limit) noexcept override
    {
        std::optional<Sequence> upTo;
        {
            MutexLock lock(_mutex);
            upTo.swap(_trimAtRead);
        }
        if (upTo)
            trim(*upTo);
        MutexLock lock(_mutex);
        return behind(after, limit);
    }
    std::optional<std::vector<event::EventPtr>> recent(Sequence after,
                                                       std::size_t limit) const noexcept override
    {
        MutexLock lock(_mutex);
        if (after < _recentAfter)
            return std::nullopt;
        return behind(after, limit);
    }
    Sequence trimmed() const noexcept override
    {
        MutexLock lock(_mutex);
        return _trimmed;
    }
    Sequence newest() const noexcept override
    {
        MutexLock lock(_mutex);
        return _events.empty() ? _trimmed : _events.back()->sequence;
    }

private:
    std::vector<event::EventPtr> behind(Sequence after, std::size_t limit) const
        OCTOSTORE_REQUIRES(_mutex)
    {
        std::vector<event::EventPtr> found;
        for (const event::EventPtr& event : _events)
            if (event->sequence > after && found.size() < limit)
                found.push_back(event);
        return found;
    }

    mutable Mutex _mutex;
    std::vector<event::EventPtr> _events OCTOSTORE_GUARDED_BY(_mutex);
    Sequence _recentAfter OCTOSTORE_GUARDED_BY(_mutex);
    Sequence _trimmed OCTOSTORE_GUARDED_BY(_mutex);
    std::optional<Sequence> _trimAtRead OCTOSTORE_GUARDED_BY(_mutex);
};

} // namespace octostore::test
