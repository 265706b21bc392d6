// SPDX-License-Identifier: MIT
#include <octostore/base/WorkThread.h>

#include <iterator>
#include <utility>

#include <sys/prctl.h>

namespace octostore
{

WorkThread::~WorkThread()
{
    stop();
}

void WorkThread::start()
{
    _thread = std::thread([this] { run(); });
}

void WorkThread::stop()
{
    std::deque<Task> dropped;
    {
        MutexLock lock(_mutex);
        _stopping = true;
        dropped = std::exchange(_tasks, {});
    }
    _changed.notify_all();
    if (_thread.joinable())
        _thread.join();
}

void WorkThread::post(std::vector<Task> tasks) noexcept
{
    {
        MutexLock lock(_mutex);
        if (_stopping)
            return;
        std::move(tasks.begin(), tasks.end(), std::back_inserter(_tasks));
    }
    _changed.notify_one();
}

void WorkThread::run() noexcept
{
    prctl(PR_SET_NAME, _name);
    for (;;)
    {
        Task task;
        {
            MutexLock lock(_mutex);
            while (_tasks.empty() && !_stopping)
                lock.wait(_changed);
            if (_stopping)
                return;
            task = std::move(_tasks.front());
            _tasks.pop_front();
        }
        task();
    }
}

} // namespace octostore
