// SPDX-License-Identifier: MIT
#include "Line.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include <poll.h>
#include <sys/socket.h>

namespace octostore::http_poco
{

namespace
{

constexpr std::chrono::seconds lingerTime{1};
constexpr std::size_t lingerMax = 1024 * 1024;

/// Rounded up: waking early would spin.
int timeoutOf(std::optional<SteadyTime> deadline)
{
    if (!deadline)
        return -1;
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(*deadline - std::chrono::steady_clock::now());
    return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 3'600'000));
}

bool wouldBlock(int error)
{
    return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

} // namespace

Line::Woken Line::wait(For what, std::optional<SteadyTime> deadline) const
{
    // poll() passes over a negative descriptor.
    const int socket = what == For::TasksOnly ? -1 : _socket;
    const short events = what == For::Reading ? POLLIN : POLLRDHUP;
    std::array<pollfd, 2> polled = {{{socket, events, 0}, {_inbox.descriptor(), POLLIN, 0}}};
    Woken woken;
    if (::poll(polled.data(), polled.size(), timeoutOf(deadline)) < 0)
        return woken; // interrupted: whoever waits looks again
    woken.readable = (polled[0].revents & POLLIN) != 0;
    woken.peerLeft = (polled[0].revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)) != 0;
    woken.tasks = polled[1].revents != 0;
    woken.timedOut = deadline && std::chrono::steady_clock::now() >= *deadline;
    return woken;
}

std::optional<std::size_t> Line::receive(char* buffer, std::size_t size) const
{
    const ssize_t count = ::recv(_socket, buffer, size, MSG_DONTWAIT);
    if (count >= 0)
        return static_cast<std::size_t>(count);
    return wouldBlock(errno) ? std::nullopt : std::optional<std::size_t>(0);
}

std::optional<std::size_t> Line::send(std::string_view bytes) const
{
    const ssize_t count = ::send(_socket, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count >= 0)
        return static_cast<std::size_t>(count);
    return wouldBlock(errno) ? std::optional<std::size_t>(0) : std::nullopt;
}

bool Line::sendAll(std::string_view bytes, Milliseconds patience) const
{
    SteadyTime deadline = std::chrono::steady_clock::now() + patience;
    while (!bytes.empty())
    {
        const auto sent = send(bytes);
        if (!sent)
            return false;
        if (*sent > 0)
        {
            bytes.remove_prefix(*sent);
            deadline = std::chrono::steady_clock::now() + patience;
            continue;
        }
        // Not through wait(): a task that comes meanwhile would make it spin.
        pollfd polled{_socket, POLLOUT, 0};
        if (::poll(&polled, 1, timeoutOf(deadline)) == 0)
            return false;
    }
    return true;
}

void Line::linger() const
{
    ::shutdown(_socket, SHUT_WR);
    const SteadyTime deadline = std::chrono::steady_clock::now() + lingerTime;
    std::array<char, 4096> buffer{};
    for (std::size_t dropped = 0; dropped < lingerMax;)
    {
        pollfd polled{_socket, POLLIN, 0};
        if (::poll(&polled, 1, timeoutOf(deadline)) <= 0)
            return;
        const auto count = receive(buffer.data(), buffer.size());
        if (count && *count == 0)
            return;
        dropped += count.value_or(0);
    }
}

void Line::shutDown() const
{
    ::shutdown(_socket, SHUT_RDWR);
}

} // namespace octostore::http_poco
