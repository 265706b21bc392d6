// SPDX-License-Identifier: MIT
/// @file
/// Tasks for an I/O thread.
#pragma once

#include "Asio.h"

#include <octostore/base/Executor.h>
#include <octostore/base/Mutex.h>

#include <atomic>
#include <cstddef>
#include <vector>

namespace octostore::http_beast
{

/// First in, first out, whoever posts; Asio alone does not promise that to a context of one thread.
/// May outlive its thread: exchanges keep it. Thread-safety: thread-safe.
class IoExecutor final : public Executor
{
public:
    /// `context` must live until stop(), and this object until the context runs no more.
    explicit IoExecutor(asio::io_context& context) : _context(&context) {}

    /// However many tasks gather until the thread looks, one wake-up.
    void post(std::vector<Task> tasks) noexcept override OCTOSTORE_EXCLUDES(_mutex);
    /// Drops what was posted and all that will be.
    void stop() OCTOSTORE_EXCLUDES(_mutex);
    /// Tasks that wait for the thread.
    std::size_t queued() const OCTOSTORE_EXCLUDES(_mutex);

    /// Whether the thread is at work.
    bool busy() const noexcept { return _busy.load(std::memory_order_relaxed); }
    /// Marks the thread as at work while it lives; every handler of the thread has one.
    class Work
    {
    public:
        explicit Work(IoExecutor& executor) : _busy(executor._busy)
        {
            _busy.store(true, std::memory_order_relaxed);
        }
        ~Work() { _busy.store(false, std::memory_order_relaxed); }
        Work(const Work&) = delete;
        Work& operator=(const Work&) = delete;

    private:
        std::atomic<bool>& _busy;
    };

private:
    void run() OCTOSTORE_EXCLUDES(_mutex);
    std::vector<Task> takeTasks() OCTOSTORE_EXCLUDES(_mutex);

    std::atomic<bool> _busy{false};
    mutable Mutex _mutex;
    asio::io_context* _context OCTOSTORE_GUARDED_BY(_mutex);
    std::vector<Task> _tasks OCTOSTORE_GUARDED_BY(_mutex);
};

} // namespace octostore::http_beast
