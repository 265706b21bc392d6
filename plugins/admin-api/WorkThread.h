// SPDX-License-Identifier: MIT
/// @file
/// A thread for work that would keep others waiting.
#pragma once

#include <octostore/base/Executor.h>
#include <octostore/base/Mutex.h>

#include <condition_variable>
#include <deque>
#include <thread>
#include <vector>

namespace octostore::admin_api
{

/// Thread-safety: thread-safe, but start() and stop() belong to one thread.
class WorkThread final : public Executor
{
public:
    explicit WorkThread(const char* name) : _name(name) {}
    /// Calls stop().
    ~WorkThread() override;

    void start();
    /// Ends behind the task that runs; those behind it are dropped.
    void stop() OCTOSTORE_EXCLUDES(_mutex);
    void post(std::vector<Task> tasks) noexcept override OCTOSTORE_EXCLUDES(_mutex);

private:
    void run() noexcept OCTOSTORE_EXCLUDES(_mutex);

    const char* const _name;
    std::thread _thread;
    Mutex _mutex;
    std::condition_variable _changed;
    std::deque<Task> _tasks OCTOSTORE_GUARDED_BY(_mutex);
    bool _stopping OCTOSTORE_GUARDED_BY(_mutex) = false;
};

} // namespace octostore::admin_api
