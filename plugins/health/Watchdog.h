// SPDX-License-Identifier: MIT
/// @file
/// Runs what must be said when nobody else has said anything in time.
#pragma once

#include <octostore/base/Executor.h>
#include <octostore/base/Mutex.h>
#include <octostore/base/Time.h>

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <thread>

namespace octostore::health
{

/// All waits are equally long, so the one added first is due first. It may be late: it says that
/// something has been silent, it never ends anything.
/// Thread-safety: thread-safe, but start() and stop() belong to one thread.
class Watchdog
{
public:
    explicit Watchdog(Milliseconds patience) : _patience(patience) {}
    ~Watchdog() { stop(); }
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

    /// Of one wait; none is given twice.
    enum class WaitId : std::uint64_t
    {
    };

    void start() OCTOSTORE_EXCLUDES(_mutex);
    /// What is not due yet is dropped.
    void stop() noexcept OCTOSTORE_EXCLUDES(_mutex);
    /// Runs `task` on `executor` when the patience is over. Nothing: too many wait already, or the
    /// watchdog does not run; the task is dropped.
    [[nodiscard]] std::optional<WaitId> add(std::shared_ptr<Executor> executor, Task task)
        OCTOSTORE_EXCLUDES(_mutex);
    /// Nothing has to be said any more. No effect on what was due or removed already.
    void remove(WaitId wait) OCTOSTORE_EXCLUDES(_mutex);

private:
    struct Entry
    {
        std::chrono::steady_clock::time_point due;
        std::shared_ptr<Executor> executor;
        Task task;
    };
    /// Waits for the next that is due; nothing once stopped.
    std::optional<Entry> next() OCTOSTORE_EXCLUDES(_mutex);
    void run() OCTOSTORE_EXCLUDES(_mutex);

    static constexpr std::size_t entriesMax = 4096;

    const Milliseconds _patience;
    std::thread _thread;
    std::condition_variable _wake;
    Mutex _mutex;
    std::map<WaitId, Entry> _entries OCTOSTORE_GUARDED_BY(_mutex); ///< in the order they are due
    std::uint64_t _added OCTOSTORE_GUARDED_BY(_mutex) = 0;
    bool _running OCTOSTORE_GUARDED_BY(_mutex) = false;
};

} // namespace octostore::health
