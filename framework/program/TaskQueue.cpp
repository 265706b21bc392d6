// SPDX-License-Identifier: MIT
#include "TaskQueue.h"

#include <chrono>
#include <iterator>
#include <utility>

namespace octostore::program
{

void TaskQueue::post(std::vector<Task> tasks) noexcept
{
    {
        MutexLock lock(_mutex);
        if (!_stopped)
            std::move(tasks.begin(), tasks.end(), std::back_inserter(_tasks));
    }
    _changed.notify_all();
}

bool TaskQueue::runOne(Milliseconds most)
{
    const auto end = std::chrono::steady_clock::now() + most;
    Task task;
    {
        MutexLock lock(_mutex);
        while (_tasks.empty() && !_stopped && std::chrono::steady_clock::now() < end)
            lock.waitFor(_changed, end - std::chrono::steady_clock::now());
        if (_tasks.empty())
            return false;
        task = std::move(_tasks.front());
        _tasks.pop_front();
    }
    task();
    return true;
}

bool TaskQueue::runFor(Milliseconds most)
{
    const auto end = std::chrono::steady_clock::now() + most;
    while (runOne(std::chrono::ceil<Milliseconds>(end - std::chrono::steady_clock::now())))
    {
    }
    MutexLock lock(_mutex);
    return !_stopped;
}

void TaskQueue::stop()
{
    std::deque<Task> dropped; // what its tasks hold goes without the lock
    {
        MutexLock lock(_mutex);
        _stopped = true;
        dropped.swap(_tasks);
    }
    _changed.notify_all();
}

} // namespace octostore::program
