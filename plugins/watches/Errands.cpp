// SPDX-License-Identifier: MIT
#include "Errands.h"

#include <algorithm>
#include <utility>

#include <sys/prctl.h>

namespace octostore::watches
{

Errands::~Errands()
{
    stop();
}

void Errands::start(Milliseconds interval, Task tick)
{
    _thread = std::thread([this, interval, tick = std::move(tick)] { loop(interval, tick); });
}

void Errands::stop()
{
    std::multimap<Time, Task> dropped; // goes while the mutex is free: a task may own anything
    {
        MutexLock lock(_mutex);
        _stopping = true;
        dropped.swap(_tasks);
    }
    _changed.notify_all();
    if (_thread.joinable())
        _thread.join();
}

void Errands::run(Task task, Milliseconds delay)
{
    {
        MutexLock lock(_mutex);
        if (_stopping)
            return;
        _tasks.emplace(std::chrono::steady_clock::now() + delay, std::move(task));
    }
    _changed.notify_one();
}

void Errands::loop(Milliseconds interval, const Task& tick)
{
    prctl(PR_SET_NAME, "watch-errands");
    Time tickAt = std::chrono::steady_clock::now() + interval;
    for (;;)
    {
        Task task;
        {
            MutexLock lock(_mutex);
            if (_stopping)
                return;
            const Time now = std::chrono::steady_clock::now();
            if (!_tasks.empty() && _tasks.begin()->first <= now && now < tickAt)
            {
                task = std::move(_tasks.begin()->second);
                _tasks.erase(_tasks.begin());
            }
            else if (now < tickAt)
            {
                const Time next = _tasks.empty() ? tickAt : std::min(tickAt, _tasks.begin()->first);
                lock.waitFor(_changed, next - now);
                continue;
            }
        }
        if (task)
        {
            task();
            continue;
        }
        tick();
        tickAt = std::chrono::steady_clock::now() + interval;
    }
}

} // namespace octostore::watches
