// SPDX-License-Identifier: MIT
/// @file
/// An executor for a thread that waits for its tasks itself.
#pragma once

#include <octostore/base/Executor.h>
#include <octostore/base/Mutex.h>
#include <octostore/base/Time.h>

#include <condition_variable>
#include <deque>

namespace octostore::program
{

/// Who gives work away and needs the answer shares this with whoever answers: what is posted runs
/// on the thread that called runOne() or runFor(), within that call and never later.
/// Thread-safety: thread-safe; runOne() and runFor() belong to one thread.
class TaskQueue final : public Executor
{
public:
    void post(std::vector<Task> tasks) noexcept override OCTOSTORE_EXCLUDES(_mutex);

    /// Waits for a task and runs it. False: none came within `most`, or stop() was called.
    bool runOne(Milliseconds most) OCTOSTORE_EXCLUDES(_mutex);
    /// Runs tasks as they come, for `most`. False: stop() was called.
    bool runFor(Milliseconds most) OCTOSTORE_EXCLUDES(_mutex);
    /// Nothing runs any more, also of what was posted already.
    void stop() OCTOSTORE_EXCLUDES(_mutex);

private:
    std::condition_variable _changed;
    Mutex _mutex;
    std::deque<Task> _tasks OCTOSTORE_GUARDED_BY(_mutex);
    bool _stopped OCTOSTORE_GUARDED_BY(_mutex) = false;
};

} // namespace octostore::program
