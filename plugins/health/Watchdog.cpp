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
    std::map<WaitId, Entry> dropped; // as in remove()
    {
        MutexLock lock(_mutex);
        _running = false;
        dropped.swap(_entries);
    }
    _wake.notify_all();
    if (_thread.joinable())
        _thread.join();
}

std::optional<Watchdog::WaitId> Watchdog::add(std::shared_ptr<Executor> executor, Task task)
{
    WaitId added{};
    {
        MutexLock lock(_mutex);
        if (!_running || _entries.size() >= entriesMax)
            return std::nullopt;
        added = WaitId{++_added};
        _entries.emplace(added, Entry{std::chrono::steady_clock::now() + _patience,
                                      std::move(executor), std::move(task)});
    }
    _wake.notify_all();
    return added;
}

void Watchdog::remove(WaitId wait)
{
    // What the task holds goes while the mutex is free.
    std::map<WaitId, Entry>::node_type removed;
    MutexLock lock(_mutex);
    removed = _entries.extract(wait);
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
        const auto first = _entries.begin();
        const auto left = first->second.due - std::chrono::steady_clock::now();
        if (left > left.zero())
        {
            lock.waitFor(_wake, left);
            continue;
        }
        return std::move(_entries.extract(first).mapped());
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
