// SPDX-License-Identifier: MIT
/// @file
/// Tasks for a thread that waits in poll().
#pragma once

#include <octostore/base/Executor.h>
#include <octostore/base/Mutex.h>

#include <memory>
#include <vector>

namespace octostore::http_poco
{

/// The executor of one connection's thread. Thread-safety: thread-safe; run() is for the thread.
class TaskInbox final : public Executor
{
public:
    /// Null when there is no descriptor left.
    static std::shared_ptr<TaskInbox> open();
    ~TaskInbox() override;
    TaskInbox(const TaskInbox&) = delete;
    TaskInbox& operator=(const TaskInbox&) = delete;

    void post(std::vector<Task> tasks) noexcept override OCTOSTORE_EXCLUDES(_mutex);
    /// Makes descriptor() readable without a task.
    void wake() noexcept;
    /// Runs what was posted until now.
    void run() OCTOSTORE_EXCLUDES(_mutex);
    /// Drops what was posted and all that will be.
    void stop() OCTOSTORE_EXCLUDES(_mutex);
    /// Readable while something waits.
    int descriptor() const noexcept { return _descriptor; }

private:
    explicit TaskInbox(int descriptor) : _descriptor(descriptor) {}

    const int _descriptor;
    Mutex _mutex;
    std::vector<Task> _tasks OCTOSTORE_GUARDED_BY(_mutex);
    bool _stopped OCTOSTORE_GUARDED_BY(_mutex) = false;
};

} // namespace octostore::http_poco
