// SPDX-License-Identifier: MIT
/// @file
/// A transport without sockets: keeps what was answered, runs posted tasks when told.
#pragma once

#include <octostore/base/Executor.h>
#include <octostore/http/Exchange.h>
#include <octostore/http/StreamQueue.h>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace octostore::test
{

/// Thread-safety: thread-compatible.
class ManualExecutor final : public Executor
{
public:
    void post(std::vector<Task> tasks) noexcept override
    {
        for (Task& task : tasks)
            _tasks.push_back(std::move(task));
    }
    /// Runs everything posted, also what is posted meanwhile; returns how many tasks that were.
    std::size_t run()
    {
        std::size_t count = 0;
        for (; !_tasks.empty(); ++count)
        {
            const Task task = std::move(_tasks.front());
            _tasks.pop_front();
            task();
        }
        return count;
    }

private:
    std::deque<Task> _tasks;
};

class FakeChannel final : public http::Channel
{
public:
    void send(http::Response response) noexcept override { sent.push_back(std::move(response)); }
    std::shared_ptr<http::Stream> openStream(http::Response head) noexcept override
    {
        sent.push_back(std::move(head));
        stream = std::make_shared<http::StreamQueue>(manual, 1024, [] {});
        return stream;
    }
    std::shared_ptr<Executor> executor() noexcept override { return manual; }

    std::shared_ptr<ManualExecutor> manual = std::make_shared<ManualExecutor>();
    std::vector<http::Response> sent;
    std::shared_ptr<http::StreamQueue> stream;
};

} // namespace octostore::test
