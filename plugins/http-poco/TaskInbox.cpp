// SPDX-License-Identifier: MIT
#include "TaskInbox.h"

#include <cstdint>
#include <iterator>
#include <utility>

#include <sys/eventfd.h>
#include <unistd.h>

namespace octostore::http_poco
{

std::shared_ptr<TaskInbox> TaskInbox::open()
{
    const int descriptor = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return descriptor < 0 ? nullptr : std::shared_ptr<TaskInbox>(new TaskInbox(descriptor));
}

TaskInbox::~TaskInbox()
{
    ::close(_descriptor);
}

void TaskInbox::post(std::vector<Task> tasks) noexcept
{
    {
        MutexLock lock(_mutex);
        if (_stopped)
            return;
        _tasks.insert(_tasks.end(), std::make_move_iterator(tasks.begin()),
                      std::make_move_iterator(tasks.end()));
    }
    wake();
}

void TaskInbox::wake() noexcept
{
    const std::uint64_t one = 1;
    static_cast<void>(::write(_descriptor, &one, sizeof one) < 0);
}

void TaskInbox::run()
{
    std::uint64_t count = 0;
    static_cast<void>(::read(_descriptor, &count, sizeof count) < 0);
    std::vector<Task> tasks;
    {
        MutexLock lock(_mutex);
        tasks.swap(_tasks);
    }
    for (Task& task : tasks)
        std::exchange(task, nullptr)();
}

void TaskInbox::stop()
{
    // A task may hold the last reference to something that posts: not while the mutex is held.
    std::vector<Task> dropped;
    {
        MutexLock lock(_mutex);
        _stopped = true;
        dropped.swap(_tasks);
    }
}

} // namespace octostore::http_poco
