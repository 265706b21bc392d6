// SPDX-License-Identifier: MIT
#include "Connection.h"

#include <octostore/base/ErrnoText.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/un.h>

namespace octostore::bench
{

namespace
{

/// For a place in the queue of a path.
constexpr timeval connectPatience{5, 0};

Result<Address> findPath(const std::string& path)
{
    sockaddr_un local{};
    if (path.size() >= sizeof local.sun_path)
        return Error{ErrorCode::InvalidInput, path + ": too long for a socket"};
    local.sun_family = AF_UNIX;
    path.copy(local.sun_path, path.size());
    Address address;
    address.size = sizeof local;
    std::memcpy(&address.storage, &local, sizeof local);
    const Descriptor probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (::connect(probe.get(), reinterpret_cast<const sockaddr*>(&address.storage), address.size) ==
        0)
        return address;
    return Error{ErrorCode::Unavailable, "cannot connect to " + path + ": " + errnoText(errno)};
}

} // namespace

Result<Address> Address::find(const std::string& host, std::uint16_t port)
{
    if (host.substr(0, 1) == "/")
        return findPath(host);
    const std::string service = std::to_string(port);
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (const int fault = ::getaddrinfo(host.c_str(), service.c_str(), &hints, &found); fault != 0)
        return Error{ErrorCode::InvalidInput, host + ": " + ::gai_strerror(fault)};
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> list(found, &::freeaddrinfo);
    int fault = 0;
    for (const addrinfo* each = found; each != nullptr; each = each->ai_next)
    {
        const Descriptor probe(::socket(each->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
        if (::connect(probe.get(), each->ai_addr, each->ai_addrlen) == 0)
        {
            Address address;
            std::memcpy(&address.storage, each->ai_addr, each->ai_addrlen);
            address.size = each->ai_addrlen;
            return address;
        }
        fault = errno;
    }
    return Error{ErrorCode::Unavailable,
                 "cannot connect to " + host + " port " + service + ": " + errnoText(fault)};
}

bool Connection::open(const Address& address, int epoll, std::uint32_t tag)
{
    close();
    // A path whose queue is full refuses those who do not wait (unix(7), EAGAIN).
    const bool waits = address.storage.ss_family == AF_UNIX;
    _socket.reset(::socket(address.storage.ss_family,
                           SOCK_STREAM | SOCK_CLOEXEC | (waits ? 0 : SOCK_NONBLOCK), 0));
    if (_socket.get() < 0)
        return false;
    const int on = 1;
    if (waits)
        ::setsockopt(_socket.get(), SOL_SOCKET, SO_SNDTIMEO, &connectPatience,
                     sizeof connectPatience);
    else
        ::setsockopt(_socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    const auto* to = reinterpret_cast<const sockaddr*>(&address.storage);
    if (::connect(_socket.get(), to, address.size) != 0 && errno != EINPROGRESS)
        return false;
    if (waits && ::fcntl(_socket.get(), F_SETFL, O_NONBLOCK) != 0)
        return false;
    _epoll = epoll;
    _tag = tag;
    watch(EPOLLOUT);
    return true;
}

void Connection::close() noexcept
{
    _socket.reset();
    _watched = 0;
    _connected = false;
    _request.clear();
    _sent = 0;
    _reader.reset();
}

void Connection::watch(std::uint32_t events) noexcept
{
    if (events == _watched)
        return;
    epoll_event event{};
    event.events = events;
    event.data.u32 = _tag;
    ::epoll_ctl(_epoll, _watched == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, _socket.get(), &event);
    _watched = events;
}

Connection::Event Connection::send() noexcept
{
    while (_sent < _request.size())
    {
        const ssize_t taken =
            ::send(_socket.get(), _request.data() + _sent, _request.size() - _sent, MSG_NOSIGNAL);
        if (taken < 0 && errno == EAGAIN)
        {
            watch(EPOLLIN | EPOLLOUT);
            return Event::Nothing;
        }
        if (taken < 0)
            return Event::Broken;
        _sent += static_cast<std::size_t>(taken);
    }
    _request.clear();
    _sent = 0;
    watch(EPOLLIN);
    return Event::Nothing;
}

Connection::Event Connection::handle(std::uint32_t events) noexcept
{
    if (!_connected)
    {
        int fault = 0;
        socklen_t size = sizeof fault;
        ::getsockopt(_socket.get(), SOL_SOCKET, SO_ERROR, &fault, &size);
        if (fault != 0 || (events & EPOLLOUT) == 0)
            return Event::Broken;
        _connected = true;
        watch(EPOLLIN);
        return Event::Connected;
    }
    if ((events & EPOLLOUT) != 0 && send() == Event::Broken)
        return Event::Broken;
    if ((events & ~static_cast<std::uint32_t>(EPOLLOUT)) != 0)
        return receive();
    return Event::Nothing;
}

/// One read for each event: what is left is reported again.
Connection::Event Connection::receive() noexcept
{
    constexpr std::size_t most = 4096;
    const ssize_t size = ::recv(_socket.get(), _reader.room(most), most, 0);
    if (size > 0)
    {
        _reader.wrote(static_cast<std::size_t>(size));
        return Event::Nothing;
    }
    return size < 0 && errno == EAGAIN ? Event::Nothing : Event::Broken;
}

} // namespace octostore::bench
