// SPDX-License-Identifier: MIT
/// @file
/// An address to which no connection comes about.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace octostore::test
{

/// A port of 127.0.0.2 where nobody accepts: once its queue is full, the kernel answers nobody.
/// Thread-safety: thread-compatible.
class DeafPort
{
public:
    explicit DeafPort(std::uint16_t port)
    {
        _address.sin_family = AF_INET;
        _address.sin_port = htons(port);
        ::inet_pton(AF_INET, "127.0.0.2", &_address.sin_addr);
        _sockets.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        EXPECT_EQ(::bind(_sockets.front(), address(), sizeof _address), 0);
        EXPECT_EQ(::listen(_sockets.front(), 0), 0);
        for (int i = 0; i < 4; ++i)
        {
            _sockets.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
            (void)::connect(_sockets.back(), address(), sizeof _address);
        }
    }
    ~DeafPort()
    {
        for (const int socket : _sockets)
            ::close(socket);
    }
    DeafPort(const DeafPort&) = delete;
    DeafPort& operator=(const DeafPort&) = delete;

private:
    sockaddr* address() { return reinterpret_cast<sockaddr*>(&_address); }

    sockaddr_in _address{};
    std::vector<int> _sockets;
};

} // namespace octostore::test
