// SPDX-License-Identifier: MIT
/// @file
/// A thread for what takes long or is for later.
#pragma once

#include <octostore/base/Executor.h>
#include <octostore/base/Mutex.h>
#include <octostore/base/Time.h>

#include <chrono>
#include <condition_variable>
#include <map>
#include <thread>

namespace octostore::watches
{

/// Reads the journal for those who come back after long, and tells everybody that time passes.
/// Bounded by the streams there may be: each has at most one errand.
/// Thread-safety: thread-safe; start() and stop() belong to one thread.
class Errands
{
public:
    Errands() = default;
    ~Errands();
    Errands(const Errands&) = delete;
    Errands& operator=(const Errands&) = delete;

    /// `tick` is run every `interval`.
    void start(Milliseconds interval, Task tick);
    /// What has not begun by then is dropped.
    void stop() OCTOSTORE_EXCLUDES(_mutex);
    /// Runs on the thread, not before `delay` is over. Ignored after stop().
    void run(Task task, Milliseconds delay = Milliseconds(0)) OCTOSTORE_EXCLUDES(_mutex);

private:
    using Time = std::chrono::steady_clock::time_point;

    void loop(Milliseconds interval, const Task& tick);

    std::thread _thread;
    Mutex _mutex;
    std::condition_variable _changed;
    std::multimap<Time, Task> _tasks OCTOSTORE_GUARDED_BY(_mutex);
    bool _stopping OCTOSTORE_GUARDED_BY(_mutex) = false;
};

} // namespace octostore::watches
