// SPDX-License-Identifier: MIT
/// @file
/// Runs what must be said when nobody else has said anything in time.
#pragma once

#include <octostore/base/Executor.h>
#include <octostore/base/Mutex.h>
#include <octostore/base/Time.h>

#include <condition_variable>
#include <deque>
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

    void start() OCTOSTORE_EXCLUDES(_mutex);
    /// What is not due yet is dropped.
    void stop() noexcept OCTOSTORE_EXCLUDES(_mutex);
    /// Runs `task` on `executor` when the patience is over. False: too many wait already, or the
    /// watchdog does not run; the task is dropped.
    [[nodiscard]] bool add(std::shared_ptr<Executor> executor, Task task)
        OCTOSTORE_EXCLUDES(_mutex);

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
    std::deque<Entry> _entries OCTOSTORE_GUARDED_BY(_mutex);
    bool _running OCTOSTORE_GUARDED_BY(_mutex) = false;
};

} // namespace octostore::health
