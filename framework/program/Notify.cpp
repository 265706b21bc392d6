// SPDX-License-Identifier: MIT
#include "Notify.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace octostore::program
{

Notify Notify::fromEnvironment()
{
    const char* socket = std::getenv("NOTIFY_SOCKET"); // NOLINT(concurrency-mt-unsafe)
    return Notify(socket != nullptr ? socket : "");
}

Notify::Notify(std::string socket) : _socket(std::move(socket)) {}

void Notify::ready(std::string_view status) const
{
    send("READY=1\nSTATUS=" + std::string(status));
}

void Notify::reloading() const
{
    timespec now = {};
    clock_gettime(CLOCK_MONOTONIC, &now);
    const std::int64_t microseconds = now.tv_sec * INT64_C(1'000'000) + now.tv_nsec / 1000;
    send("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(microseconds));
}

void Notify::stopping() const
{
    send("STOPPING=1\nSTATUS=Draining");
}

void Notify::alive() const
{
    // A supervisor that does not read must not hold up the end of the pulse.
    send("WATCHDOG=1", MSG_DONTWAIT);
}

void Notify::send(std::string_view message, int flags) const
{
    sockaddr_un address = {};
    if (_socket.empty() || _socket.size() >= sizeof address.sun_path)
        return;
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, _socket.data(), _socket.size());
    if (_socket.front() == '@')
        address.sun_path[0] = '\0';
    const int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0)
        return;
    // An abstract name ends where the length says, so the length must be exact.
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + _socket.size());
    sendto(descriptor, message.data(), message.size(), MSG_NOSIGNAL | flags,
           reinterpret_cast<const sockaddr*>(&address), length);
    close(descriptor);
}

} // namespace octostore::program
