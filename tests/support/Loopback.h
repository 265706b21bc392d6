// SPDX-License-Identifier: MIT
/// @file
/// What the servers that tests play have in common: a port of their own, and writing it all.
#pragma once

#include <octostore/base/Assert.h>

#include <cstdint>
#include <string>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace octostore::test
{

inline sockaddr_in loopback(std::uint16_t port)
{
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    return address;
}

/// A socket of a free port, which is written to `port`. The caller closes it.
inline int bindToLoopback(std::uint16_t& port)
{
    const int bound = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    OCTOSTORE_ASSERT(::bind(bound, reinterpret_cast<sockaddr*>(&address), size) == 0);
    OCTOSTORE_ASSERT(::getsockname(bound, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    port = ntohs(address.sin_port);
    return bound;
}

/// As bindToLoopback(), and it listens.
inline int listenOnLoopback(std::uint16_t& port)
{
    const int listener = bindToLoopback(port);
    OCTOSTORE_ASSERT(::listen(listener, SOMAXCONN) == 0);
    return listener;
}

/// A port on which nobody listens. One that was merely closed could be another's by now.
class SilentPort
{
public:
    SilentPort() : _socket(bindToLoopback(_number)) {}
    ~SilentPort() { ::close(_socket); }
    SilentPort(const SilentPort&) = delete;
    SilentPort& operator=(const SilentPort&) = delete;

    std::uint16_t number() const noexcept { return _number; }

private:
    std::uint16_t _number = 0;
    const int _socket;
};

/// Whether this machine has an IPv6 loopback address.
inline bool hasIpv6Loopback()
{
    const int probe = ::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in6 address = {};
    address.sin6_family = AF_INET6;
    address.sin6_addr = in6addr_loopback;
    const bool bound =
        probe >= 0 && ::bind(probe, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    if (probe >= 0)
        ::close(probe);
    return bound;
}

/// False: the other side has gone.
inline bool sendAll(int socket, const std::string& bytes)
{
    std::size_t done = 0;
    while (done < bytes.size())
    {
        const ssize_t sent = ::send(socket, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        done += static_cast<std::size_t>(sent);
    }
    return true;
}

} // namespace octostore::test
