// SPDX-License-Identifier: MIT
/// @file
/// A delivery log on a disk that is stuck.
#pragma once

#include "DeliveryStore.h"

#include <octostore/base/Mutex.h>

#include <condition_variable>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace octostore::test
{

/// Writes wait until they are released; what is written is only counted.
/// Thread-safety: thread-safe.
class StuckStore final : public webhooks::DeliveryStore
{
public:
    bool write(const std::vector<webhooks::DeliveryNote>& notes) noexcept override
    {
        MutexLock lock(_mutex);
        _stuck = true;
        _changed.notify_all();
        while (!_released)
            lock.wait(_changed);
        _written += notes.size();
        return true;
    }
    std::vector<webhooks::DeliveryRow> list(const webhooks::DeliveryQuery&) noexcept override
    {
        return {};
    }
    std::optional<webhooks::DeliveryDetail> find(const std::string&,
                                                 webhooks::DeliveryKey) noexcept override
    {
        return std::nullopt;
    }
    webhooks::DeliveryStats stats(const std::string&, WallTime) noexcept override { return {}; }
    void trim(WallTime, const webhooks::DeliveryLogLimits&) noexcept override {}

    /// Until the first write waits.
    void waitUntilStuck()
    {
        MutexLock lock(_mutex);
        while (!_stuck)
            lock.wait(_changed);
    }
    void release()
    {
        MutexLock lock(_mutex);
        _released = true;
        _changed.notify_all();
    }
    std::size_t written() const
    {
        MutexLock lock(_mutex);
        return _written;
    }

private:
    mutable Mutex _mutex;
    std::condition_variable _changed;
    bool _stuck OCTOSTORE_GUARDED_BY(_mutex) = false;
    bool _released OCTOSTORE_GUARDED_BY(_mutex) = false;
    std::size_t _written OCTOSTORE_GUARDED_BY(_mutex) = 0;
};

} // namespace octostore::test
