// SPDX-License-Identifier: MIT
/// @file
/// An executor that runs what is posted when the test says so.
#pragma once

#include <octostore/base/Executor.h>
#include <octostore/base/Mutex.h>

#include <cstddef>
#include <deque>
#include <iterator>
#include <utility>
#include <vector>

namespace octostore::test
{

/// Thread-safety: thread-safe; tasks run on the thread that calls run(), with no lock held.
class ManualExecutor final : public Executor
{
public:
    void post(std::vector<Task> tasks) noexcept override
    {
        MutexLock lock(_mutex);
        std::move(tasks.begin(), tasks.end(), std::back_inserter(_tasks));
        _posted.notify_all();
    }
    /// Until something is posted that has not run.
    void waitForOne()
    {
        MutexLock lock(_mutex);
        while (_tasks.empty())
            lock.wait(_posted);
    }
    /// Runs everything posted, also what is posted meanwhile; returns how many tasks that were.
    std::size_t run()
    {
        std::size_t count = 0;
        for (std::deque<Task> tasks = take(); !tasks.empty(); tasks = take())
        {
            for (const Task& task : tasks)
                task();
            count += tasks.size();
        }
        return count;
    }

private:
    std::deque<Task> take()
    {
        MutexLock lock(_mutex);
        return std::exchange(_tasks, {});
    }

    Mutex _mutex;
    std::condition_variable _posted;
    std::deque<Task> _tasks OCTOSTORE_GUARDED_BY(_mutex);
};

} // namespace octostore::test
