// SPDX-License-Identifier: MIT
/// @file
/// The connections that are open, so that others can wake and cut them.
#pragma once

#include "TaskInbox.h"

#include <octostore/base/Mutex.h>
#include <octostore/base/Time.h>

#include <condition_variable>
#include <cstddef>
#include <map>
#include <memory>

namespace octostore::http_poco
{

/// Thread-safety: thread-safe.
class ConnectionTable
{
public:
    void add(int socket, std::shared_ptr<TaskInbox> inbox) OCTOSTORE_EXCLUDES(_mutex);
    /// Before the socket is closed.
    void remove(int socket) OCTOSTORE_EXCLUDES(_mutex);
    std::size_t size() const OCTOSTORE_EXCLUDES(_mutex);
    /// Makes every connection look at what has changed.
    void wakeAll() OCTOSTORE_EXCLUDES(_mutex);
    /// Ends every connection's reads and writes.
    void shutDownAll() OCTOSTORE_EXCLUDES(_mutex);
    /// Blocks until no connection is left, at most for `patience`.
    void awaitNone(Milliseconds patience) OCTOSTORE_EXCLUDES(_mutex);

private:
    mutable Mutex _mutex;
    std::condition_variable _removed;
    std::map<int, std::shared_ptr<TaskInbox>> _connections OCTOSTORE_GUARDED_BY(_mutex);
};

} // namespace octostore::http_poco
