// SPDX-License-Identifier: MIT
/// @file
/// The thread on which the engine's answers to the plugin itself arrive.
#pragma once

#include <octostore/base/Executor.h>
#include <octostore/base/Mutex.h>

#include <condition_variable>
#include <thread>
#include <vector>

namespace octostore::webhooks
{

/// Thread-safety: thread-safe; stop() belongs to one thread.
class Errands final : public Executor
{
public:
    Errands();
    ~Errands() override;

    void post(std::vector<Task> tasks) noexcept override OCTOSTORE_EXCLUDES(_mutex);
    void stop() OCTOSTORE_EXCLUDES(_mutex);

private:
    void run() noexcept OCTOSTORE_EXCLUDES(_mutex);

    Mutex _mutex;
    std::condition_variable _changed;
    std::vector<Task> _tasks OCTOSTORE_GUARDED_BY(_mutex);
    bool _ending OCTOSTORE_GUARDED_BY(_mutex) = false;
    std::thread _thread;
};

} // namespace octostore::webhooks
