// SPDX-License-Identifier: MIT
#include "ReceiverCrowd.h"

#include "support/Loopback.h"

#include <array>
#include <charconv>
#include <string_view>

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace octostore::bench
{

namespace
{

/// The value of a header as the server writes it; empty: there is none.
std::string_view valueOf(std::string_view head, std::string_view name)
{
    const std::size_t at = head.find(name);
    if (at == std::string_view::npos)
        return {};
    const std::size_t begin = at + name.size();
    return head.substr(begin, head.find('\r', begin) - begin);
}

void watch(int epoll, int descriptor)
{
    epoll_event wanted{};
    wanted.events = EPOLLIN;
    wanted.data.fd = descriptor;
    ::epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &wanted);
}

} // namespace

ReceiverCrowd::ReceiverCrowd()
    : _listener(test::listenOnLoopback(_port)),
      _epoll(::epoll_create1(EPOLL_CLOEXEC)),
      _stop(::eventfd(0, EFD_CLOEXEC))
{
    watch(_epoll, _listener);
    watch(_epoll, _stop);
    _thread = std::thread([this] { run(); });
}

ReceiverCrowd::~ReceiverCrowd()
{
    ::eventfd_write(_stop, 1);
    _thread.join();
    for (const auto& [socket, buffer] : _buffers)
        ::close(socket);
    for (const int descriptor : {_listener, _epoll, _stop})
        ::close(descriptor);
}

std::size_t ReceiverCrowd::distinct(const std::string& path) const
{
    MutexLock lock(_mutex);
    const auto found = _seen.find(path);
    return found == _seen.end() ? 0 : found->second.size();
}

std::size_t ReceiverCrowd::requests() const
{
    MutexLock lock(_mutex);
    return _requests;
}

void ReceiverCrowd::run()
{
    std::array<epoll_event, 64> ready{};
    for (;;)
    {
        const int count = ::epoll_wait(_epoll, ready.data(), static_cast<int>(ready.size()), -1);
        for (int i = 0; i < count; ++i)
        {
            const int descriptor = ready[static_cast<std::size_t>(i)].data.fd;
            if (descriptor == _stop)
                return;
            if (descriptor == _listener)
                accept();
            else if (!read(descriptor))
            {
                _buffers.erase(descriptor);
                ::close(descriptor);
            }
        }
    }
}

void ReceiverCrowd::accept()
{
    const int socket = ::accept4(_listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0)
        return;
    _buffers[socket];
    watch(_epoll, socket);
}

/// False: the connection is over.
bool ReceiverCrowd::read(int socket)
{
    std::array<char, 16384> bytes{};
    const ssize_t got = ::recv(socket, bytes.data(), bytes.size(), 0);
    if (got <= 0)
        return false;
    std::string& buffer = _buffers[socket];
    buffer.append(bytes.data(), static_cast<std::size_t>(got));
    return take(socket, buffer);
}

/// Every request that is here whole. False: the connection is over.
bool ReceiverCrowd::take(int socket, std::string& buffer)
{
    constexpr std::string_view end = "\r\n\r\n";
    for (std::size_t headEnd = buffer.find(end); headEnd != std::string::npos;
         headEnd = buffer.find(end))
    {
        const std::string_view head = std::string_view(buffer).substr(0, headEnd + 2);
        const std::string_view length = valueOf(head, "Content-Length: ");
        std::size_t size = 0;
        std::from_chars(length.data(), length.data() + length.size(), size);
        if (buffer.size() < headEnd + end.size() + size)
            return true;
        const std::size_t path = head.find(' ') + 1;
        const std::string where(head.substr(path, head.find(' ', path) - path));
        {
            MutexLock lock(_mutex);
            ++_requests;
            _seen[where].emplace(valueOf(head, "webhook-id: "));
        }
        buffer.erase(0, headEnd + end.size() + size);
        if (!where.starts_with("/hang") &&
            !test::sendAll(socket, "HTTP/1.1 204 No Content\r\n\r\n"))
            return false;
    }
    return true;
}

} // namespace octostore::bench
