// SPDX-License-Identifier: MIT
#include "IoExecutor.h"

#include <iterator>

namespace octostore::http_beast
{

void IoExecutor::post(std::vector<Task> tasks) noexcept
{
    MutexLock lock(_mutex);
    if (_context == nullptr || tasks.empty())
        return;
    const bool first = _tasks.empty();
    if (first)
        _tasks = std::move(tasks);
    else
        _tasks.insert(_tasks.end(), std::make_move_iterator(tasks.begin()),
                      std::make_move_iterator(tasks.end()));
    if (first)
        asio::post(*_context, [this] { run(); });
}

std::size_t IoExecutor::queued() const
{
    MutexLock lock(_mutex);
    return _tasks.size();
}

void IoExecutor::run()
{
    const Work work(*this);
    std::vector<Task> tasks = takeTasks();
    // Let go of what a task holds before the next one runs.
    for (Task& task : tasks)
        std::exchange(task, nullptr)();
}

std::vector<Task> IoExecutor::takeTasks()
{
    MutexLock lock(_mutex);
    return std::exchange(_tasks, {});
}

void IoExecutor::stop()
{
    {
        MutexLock lock(_mutex);
        _context = nullptr;
    }
    takeTasks(); // what they hold goes while the mutex is free: it may post
}

} // namespace octostore::http_beast
