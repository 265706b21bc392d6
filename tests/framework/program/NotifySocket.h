// SPDX-License-Identifier: MIT
/// @file
/// A stand-in for systemd: the socket that NOTIFY_SOCKET names.
#pragma once

#include <chrono>
#include <string>

namespace octostore::program
{

/// Thread-safety: thread-compatible.
class NotifySocket
{
public:
    /// In the abstract namespace, with a name of its own.
    NotifySocket();
    /// At this path.
    explicit NotifySocket(const std::string& path);
    ~NotifySocket();
    NotifySocket(const NotifySocket&) = delete;
    NotifySocket& operator=(const NotifySocket&) = delete;

    /// As NOTIFY_SOCKET has it.
    const std::string& name() const noexcept { return _name; }
    /// The next datagram; empty: none came in `patience`.
    std::string received(std::chrono::milliseconds patience = {}) const;
    /// The next datagram that is no beat of the watchdog, waited for long.
    std::string state() const;

private:
    void listen();

    const std::string _name;
    int _descriptor = -1;
};

} // namespace octostore::program
