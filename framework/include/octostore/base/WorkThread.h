// SPDX-License-Identifier: MIT
/// @file
/// A thread for work that would keep others waiting.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Executor.h>
#include <octostore/base/Mutex.h>

#include <condition_variable>
#include <deque>
#include <thread>
#include <vector>

namespace octostore
{

/// Thread-safety: thread-safe, but start() and stop() belong to one thread.
class OCTOSTORE_API WorkThread final : public Executor
{
public:
    /// `name` is what the system shows, of at most 15 characters; it must outlive this object.
    explicit WorkThread(const char* name) : _name(name) {}
    /// Calls stop().
    ~WorkThread() override;

    /// What was posted before runs now.
    void start();
    /// Ends after the task that runs; those that wait are dropped.
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

} // namespace octostore
