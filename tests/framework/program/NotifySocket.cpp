// SPDX-License-Identifier: MIT
#include "NotifySocket.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace octostore::program
{

namespace
{

std::string freshName()
{
    static std::atomic<int> number{0};
    return "@octostore-notify-" + std::to_string(getpid()) + "-" + std::to_string(++number);
}

} // namespace

NotifySocket::NotifySocket() : _name(freshName())
{
    listen();
}

NotifySocket::NotifySocket(const std::string& path) : _name(path)
{
    listen();
}

NotifySocket::~NotifySocket()
{
    close(_descriptor);
}

void NotifySocket::listen()
{
    _descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    _name.copy(address.sun_path, sizeof address.sun_path - 1);
    if (_name.front() == '@')
        address.sun_path[0] = '\0';
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + _name.size());
    EXPECT_EQ(bind(_descriptor, reinterpret_cast<sockaddr*>(&address), length), 0) << _name;
}

std::string NotifySocket::received(std::chrono::milliseconds patience) const
{
    pollfd poll = {_descriptor, POLLIN, 0};
    if (::poll(&poll, 1, static_cast<int>(patience.count())) != 1)
        return "";
    std::string text(512, '\0');
    const ssize_t size = recv(_descriptor, text.data(), text.size(), 0);
    text.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    return text;
}

std::string NotifySocket::state() const
{
    std::string text;
    do
    {
        text = received(std::chrono::seconds(60));
    } while (text == "WATCHDOG=1");
    return text;
}

} // namespace octostore::program
