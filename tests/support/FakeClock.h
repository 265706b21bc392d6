// SPDX-License-Identifier: MIT
/// @file
/// A clock that moves only when the test says so.
#pragma once

#include <octostore/base/Mutex.h>
#include <octostore/base/Time.h>

#include <list>
#include <string>
#include <utility>

namespace octostore::test
{

/// Starts at boot time 1000 s and wall time 2026-08-03T01:02:03Z.
/// Thread-safety: thread-safe.
class FakeClock final : public Clock
{
public:
    explicit FakeClock(std::string identity = "boot-1:ns-1") { setIdentity(std::move(identity)); }

    BootTime bootTime() const noexcept override
    {
        MutexLock lock(_mutex);
        return _boot;
    }
    WallTime wallTime() const noexcept override
    {
        MutexLock lock(_mutex);
        return _wall;
    }
    const std::string& identity() const noexcept override
    {
        MutexLock lock(_mutex);
        return _identities.back();
    }

    /// Time passes: both clocks move.
    void advance(BootClock::duration duration)
    {
        MutexLock lock(_mutex);
        _boot += duration;
        _wall += duration;
    }
    /// Somebody sets the wall clock; boot time does not notice.
    void stepWall(BootClock::duration duration)
    {
        MutexLock lock(_mutex);
        _wall += duration;
    }
    /// The machine was started again: another clock, which starts where the test says.
    void reboot(std::string identity, BootTime boot)
    {
        MutexLock lock(_mutex);
        _identities.push_back(std::move(identity));
        _boot = boot;
    }
    void setIdentity(std::string identity)
    {
        MutexLock lock(_mutex);
        _identities.push_back(std::move(identity));
    }

private:
    mutable Mutex _mutex;
    BootTime _boot OCTOSTORE_GUARDED_BY(_mutex){std::chrono::seconds(1000)};
    WallTime _wall OCTOSTORE_GUARDED_BY(_mutex){std::chrono::seconds(1'785'718'923)};
    /// All there ever were: identity() gives out references.
    std::list<std::string> _identities OCTOSTORE_GUARDED_BY(_mutex);
};

} // namespace octostore::test
