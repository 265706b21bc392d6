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

/// A socket that listens on a free port, which is written to `port`. The caller closes it.
inline int listenOnLoopback(std::uint16_t& port)
{
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    OCTOSTORE_ASSERT(::bind(listener, reinterpret_cast<sockaddr*>(&address), size) == 0);
    OCTOSTORE_ASSERT(::listen(listener, SOMAXCONN) == 0);
    OCTOSTORE_ASSERT(::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    port = ntohs(address.sin_port);
    return listener;
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
