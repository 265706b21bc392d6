// SPDX-License-Identifier: MIT
/// @file
/// A thread that takes work.
#pragma once

#include <octostore/base/Api.h>

#include <functional>
#include <vector>

namespace octostore
{

using Task = std::function<void()>;

/// Thread-safety: thread-safe.
class OCTOSTORE_API Executor
{
public:
    virtual ~Executor();
    /// Runs the tasks in order on the executor's own thread, soon; never within this call. Tasks
    /// posted after the executor stopped are dropped.
    virtual void post(std::vector<Task> tasks) noexcept = 0;
};

} // namespace octostore
