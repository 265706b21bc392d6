// SPDX-License-Identifier: MIT
/// @file
/// Who may write to the database next: first come, first served.
#pragma once

#include <octostore/base/Mutex.h>

#include <condition_variable>
#include <cstdint>

namespace octostore::sqlite
{

/// SQLite lets one connection write at a time and the others poll. A committer that begins its next
/// batch at once would never let the trimming of the journal in; here it queues up like everybody.
/// Thread-safety: thread-safe.
class OCTOSTORE_CAPABILITY("mutex") Turn
{
public:
    void lock() OCTOSTORE_ACQUIRE() OCTOSTORE_NO_THREAD_SAFETY_ANALYSIS
    {
        MutexLock lock(_mutex);
        const std::uint64_t mine = _next++;
        while (_serving != mine)
            lock.wait(_changed);
    }
    void unlock() OCTOSTORE_RELEASE() OCTOSTORE_NO_THREAD_SAFETY_ANALYSIS
    {
        {
            MutexLock lock(_mutex);
            ++_serving;
        }
        _changed.notify_all();
    }

private:
    Mutex _mutex;
    std::condition_variable _changed;
    std::uint64_t _next OCTOSTORE_GUARDED_BY(_mutex) = 0;
    std::uint64_t _serving OCTOSTORE_GUARDED_BY(_mutex) = 0;
};

/// Has the turn for a scope.
class OCTOSTORE_SCOPED_CAPABILITY TurnLock
{
public:
    explicit TurnLock(Turn& turn) OCTOSTORE_ACQUIRE(turn) : _turn(turn) { _turn.lock(); }
    ~TurnLock() OCTOSTORE_RELEASE() { _turn.unlock(); }
    TurnLock(const TurnLock&) = delete;
    TurnLock& operator=(const TurnLock&) = delete;

private:
    Turn& _turn;
};

} // namespace octostore::sqlite
