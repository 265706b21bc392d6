// SPDX-License-Identifier: MIT
#include "Errands.h"

#include <iterator>
#include <utility>

#include <sys/prctl.h>

namespace octostore::webhooks
{

Errands::Errands() : _thread([this] { run(); }) {}

Errands::~Errands()
{
    stop();
}

void Errands::post(std::vector<Task> tasks) noexcept
{
    MutexLock lock(_mutex);
    if (!_ending)
        _tasks.insert(_tasks.end(), std::make_move_iterator(tasks.begin()),
                      std::make_move_iterator(tasks.end()));
    _changed.notify_one();
}

void Errands::stop()
{
    {
        MutexLock lock(_mutex);
        _ending = true;
    }
    _changed.notify_one();
    if (_thread.joinable())
        _thread.join();
}

void Errands::run() noexcept
{
    prctl(PR_SET_NAME, "webhook-store");
    for (std::vector<Task> tasks;; tasks.clear())
    {
        {
            MutexLock lock(_mutex);
            while (_tasks.empty() && !_ending)
                lock.wait(_changed);
            if (_ending)
                return;
            tasks.swap(_tasks);
        }
        for (const Task& task : tasks)
            task();
    }
}

} // namespace octostore::webhooks
