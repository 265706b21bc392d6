// SPDX-License-Identifier: MIT
/// @file
/// The receivers of webhooks: one port, one path for each.
#pragma once

#include <octostore/base/Mutex.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <thread>

namespace octostore::bench
{

/// Takes everything, and answers 204 on every path but those below `/hang`, where it answers never.
/// Thread-safety: thread-safe.
class ReceiverCrowd
{
public:
    ReceiverCrowd();
    ~ReceiverCrowd();
    ReceiverCrowd(const ReceiverCrowd&) = delete;
    ReceiverCrowd& operator=(const ReceiverCrowd&) = delete;

    std::string url() const { return "http://127.0.0.1:" + std::to_string(_port); }
    /// Deliveries that came to this path, each counted once.
    std::size_t distinct(const std::string& path) const OCTOSTORE_EXCLUDES(_mutex);
    /// Requests to all paths.
    std::size_t requests() const OCTOSTORE_EXCLUDES(_mutex);

private:
    void run();
    void accept();
    bool read(int socket);
    bool take(int socket, std::string& buffer) OCTOSTORE_EXCLUDES(_mutex);

    std::uint16_t _port = 0;
    int _listener = -1; ///< made after the port that it writes down
    int _epoll = -1;
    int _stop = -1;
    std::map<int, std::string> _buffers; ///< by socket; of the thread
    mutable Mutex _mutex;
    std::map<std::string, std::set<std::string>> _seen OCTOSTORE_GUARDED_BY(_mutex);
    std::size_t _requests OCTOSTORE_GUARDED_BY(_mutex) = 0;
    std::thread _thread;
};

} // namespace octostore::bench
