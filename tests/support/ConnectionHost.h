// SPDX-License-Identifier: MIT
/// @file
/// A port of a test's own, and a thread for each connection to it.
#pragma once

#include <octostore/base/Mutex.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace octostore::test
{

/// Listens on a free port of 127.0.0.1. Thread-safety: thread-safe.
class ConnectionHost
{
public:
    /// Runs on the connection's thread. `number` counts from 0. It shuts the socket down, but does
    /// not close it: that is done at the end, so that its number stays ours.
    using Serve = std::function<void(int socket, std::size_t number)>;

    explicit ConnectionHost(Serve serve);
    /// stop(), and waits for the threads: what `serve` uses must outlive this.
    ~ConnectionHost();
    ConnectionHost(const ConnectionHost&) = delete;
    ConnectionHost& operator=(const ConnectionHost&) = delete;

    std::uint16_t port() const noexcept { return _port; }
    /// Takes a socket that ends with the connections.
    void adopt(int socket) OCTOSTORE_EXCLUDES(_mutex);
    /// Ends every connection and accepts no more.
    void stop() OCTOSTORE_EXCLUDES(_mutex);

private:
    void accept();

    const Serve _serve;
    std::uint16_t _port = 0;
    const int _listener;

    Mutex _mutex;
    bool _stopped OCTOSTORE_GUARDED_BY(_mutex) = false;
    std::vector<int> _sockets OCTOSTORE_GUARDED_BY(_mutex);
    std::vector<std::thread> _threads OCTOSTORE_GUARDED_BY(_mutex);
    std::thread _accepting;
};

} // namespace octostore::test
