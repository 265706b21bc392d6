// SPDX-License-Identifier: MIT
#include "Watchdog.h"

#include <utility>
#include <vector>

namespace octostore::health
{

void Watchdog::start()
{
    {
        MutexLock lock(_mutex);
        _running = true;
    }
    _thread = std::thread([this] { run(); });
}

void Watchdog::stop() noexcept
{
    {
        MutexLock lock(_mutex);
        _running = false;
        _entries.clear();
    }
    _wake.notify_all();
    if (_thread.joinable())
        _thread.join();
}

bool Watchdog::add(std::shared_ptr<Executor> executor, Task task)
{
    {
        MutexLock lock(_mutex);
        if (!_running || _entries.size() >= entriesMax)
            return false;
        _entries.push_back(
            {std::chrono::steady_clock::now() + _patience, std::move(executor), std::move(task)});
    }
    _wake.notify_all();
    return true;
}

std::optional<Watchdog::Entry> Watchdog::next()
{
    MutexLock lock(_mutex);
    while (_running)
    {
        if (_entries.empty())
        {
            lock.wait(_wake);
            continue;
        }
        const auto left = _entries.front().due - std::chrono::steady_clock::now();
        if (left > left.zero())
        {
            lock.waitFor(_wake, left);
            continue;
        }
        Entry due = std::move(_entries.front());
        _entries.pop_front();
        return due;
    }
    return std::nullopt;
}

void Watchdog::run()
{
    while (std::optional<Entry> due = next())
    {
        std::vector<Task> tasks;
        tasks.push_back(std::move(due->task));
        due->executor->post(std::move(tasks));
    }
}

} // namespace octostore::health
