// SPDX-License-Identifier: MIT
/// @file
/// One keep-alive connection of a load, without blocking.
#pragma once

#include "Descriptor.h"

#include <octostore/base/Result.h>
#include <octostore/bench/AnswerReader.h>

#include <cstdint>
#include <optional>
#include <string>

#include <sys/socket.h>

namespace octostore::bench
{

/// Where a server listens.
struct Address
{
    sockaddr_storage storage{};
    socklen_t size = 0;

    /// The first address of `host` where somebody listens: a name often has one for IPv6 and one
    /// for IPv4. A host that begins with / is the path of a socket. Blocks. Errors: InvalidInput,
    /// the host is unknown; Unavailable, nobody listens.
    static Result<Address> find(const std::string& host, std::uint16_t port);
};

/// Thread-safety: thread-compatible.
class Connection
{
public:
    enum class Event : std::uint8_t
    {
        Nothing,
        Connected,
        Broken,
    };

    /// Begins to connect, and makes `epoll` report this socket with `tag`. False: at once refused.
    bool open(const Address& address, int epoll, std::uint32_t tag);
    void close() noexcept;
    bool connected() const noexcept { return _connected; }

    /// Where the next request is written.
    std::string& request() noexcept { return _request; }
    /// Sends what is in request(), now or as soon as the kernel takes it.
    Event send() noexcept;
    /// Handles what epoll reported.
    Event handle(std::uint32_t events) noexcept;
    std::optional<Answer> take() { return _reader.take(); }
    bool broken() const noexcept { return _reader.broken(); }

private:
    Event receive() noexcept;
    void watch(std::uint32_t events) noexcept;

    Descriptor _socket;
    int _epoll = -1;
    std::uint32_t _tag = 0;
    std::uint32_t _watched = 0;
    bool _connected = false;
    std::string _request;
    std::size_t _sent = 0;
    AnswerReader _reader;
};

} // namespace octostore::bench
