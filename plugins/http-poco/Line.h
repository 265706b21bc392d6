// SPDX-License-Identifier: MIT
/// @file
/// A connection's socket as its blocking thread uses it.
#pragma once

#include "TaskInbox.h"

#include <octostore/base/Time.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>

namespace octostore::http_poco
{

/// Instants for timeouts; they may be late.
using SteadyTime = std::chrono::steady_clock::time_point;

/// Whatever waits can be woken by the inbox. Thread-safety: thread-affine(the connection's).
class Line
{
public:
    /// Both must outlive this object.
    Line(int socket, TaskInbox& inbox) : _socket(socket), _inbox(inbox) {}

    struct Woken
    {
        bool readable = false;
        bool peerLeft = false; ///< also when it only ended its own side
        bool tasks = false;
        bool timedOut = false;
    };
    enum class For
    {
        Reading,
        PeerLeaving,
        TasksOnly,
    };
    /// Waits for a task, and for the socket as `what` says; runs no task.
    Woken wait(For what, std::optional<SteadyTime> deadline) const;

    /// How many bytes came; 0: none are left and the peer has ended its side, or it broke.
    /// Nothing: none are here yet.
    std::optional<std::size_t> receive(char* buffer, std::size_t size) const;
    /// How many bytes the kernel took at once; nothing: the connection is broken.
    std::optional<std::size_t> send(std::string_view bytes) const;
    /// Sends all; false when it broke or took nothing for `patience`.
    bool sendAll(std::string_view bytes, Milliseconds patience) const;
    /// Ends our side and gives the peer time to take what was sent before the socket is closed:
    /// closing with unread bytes would destroy the answer on its way.
    void linger() const;
    /// Ends both sides at once.
    void shutDown() const;

    int socket() const noexcept { return _socket; }

private:
    const int _socket;
    TaskInbox& _inbox;
};

} // namespace octostore::http_poco
