// SPDX-License-Identifier: MIT
#include "http/SocketOption.h"

#include <octostore/http/Peer.h>

#include <algorithm>
#include <cstring>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>

namespace octostore::http
{

std::string peerAddress(int socket)
{
    sockaddr_storage storage{};
    socklen_t size = sizeof storage;
    auto* address = reinterpret_cast<sockaddr*>(&storage);
    char text[INET6_ADDRSTRLEN] = "unix";
    if (::getpeername(socket, address, &size) != 0)
        return text;
    if (storage.ss_family == AF_INET)
    {
        sockaddr_in v4{};
        std::memcpy(&v4, &storage, sizeof v4);
        ::inet_ntop(AF_INET, &v4.sin_addr, text, sizeof text);
    }
    else if (storage.ss_family == AF_INET6)
    {
        sockaddr_in6 v6{};
        std::memcpy(&v6, &storage, sizeof v6);
        if (IN6_IS_ADDR_V4MAPPED(&v6.sin6_addr))
            ::inet_ntop(AF_INET, &v6.sin6_addr.s6_addr[12], text, sizeof text);
        else
            ::inet_ntop(AF_INET6, &v6.sin6_addr, text, sizeof text);
    }
    return text;
}

void watchPeer(int socket) noexcept
{
    // Fails on local sockets, which need none of this.
    setOption(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
    setOption(socket, IPPROTO_TCP, TCP_KEEPIDLE, 5);
    setOption(socket, IPPROTO_TCP, TCP_KEEPINTVL, 2);
    setOption(socket, IPPROTO_TCP, TCP_KEEPCNT, 3);
    setOption(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, 10'000);
}

bool peerHasLeft(int socket) noexcept
{
    pollfd poll{socket, POLLRDHUP, 0};
    return ::poll(&poll, 1, 0) == 1 && (poll.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

std::size_t connectionsByDescriptorLimit() noexcept
{
    constexpr rlim_t reserved = 200;
    constexpr rlim_t least = 16;
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur < reserved + least)
        return least;
    return static_cast<std::size_t>(std::min<rlim_t>(limit.rlim_cur - reserved, 1'000'000));
}

} // namespace octostore::http
