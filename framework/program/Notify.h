// SPDX-License-Identifier: MIT
/// @file
/// Tells systemd, or whoever gave us NOTIFY_SOCKET, how far we are.
#pragma once

#include <string>
#include <string_view>

namespace octostore::program
{

/// Without a socket every member does nothing; nothing that fails here matters to the server.
/// Thread-safety: immutable.
class Notify
{
public:
    /// The socket of the environment, or none.
    static Notify fromEnvironment();
    /// A leading `@` means the abstract namespace. Empty: none.
    explicit Notify(std::string socket);

    void ready(std::string_view status) const;
    /// In one datagram with the time, so that a unit of type notify-reload understands it too;
    /// ready() ends the reload.
    void reloading() const;
    void stopping() const;
    /// For the watchdog: all is well. Does not wait: where nobody reads, a beat is left out.
    void alive() const;

private:
    void send(std::string_view message, int flags = 0) const;

    const std::string _socket;
};

} // namespace octostore::program
