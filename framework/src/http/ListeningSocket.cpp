// SPDX-License-Identifier: MIT
#include "http/SocketOption.h"

#include <octostore/http/BindAddress.h>
#include <octostore/http/ListeningSocket.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace octostore::http
{

namespace
{

constexpr mode_t localSocketMode = 0660;

struct SocketAddress
{
    sockaddr_storage storage{};
    socklen_t size = 0;

    const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
};

template <class Native>
SocketAddress wrap(const Native& native)
{
    SocketAddress address;
    std::memcpy(&address.storage, &native, sizeof native);
    address.size = sizeof native;
    return address;
}

SocketAddress toNative(const BindAddress& bind)
{
    switch (bind.kind)
    {
    case BindAddress::Kind::Ipv4:
    {
        sockaddr_in v4{};
        v4.sin_family = AF_INET;
        v4.sin_port = htons(bind.port);
        ::inet_pton(AF_INET, bind.host.c_str(), &v4.sin_addr);
        return wrap(v4);
    }
    case BindAddress::Kind::Ipv6:
    {
        sockaddr_in6 v6{};
        v6.sin6_family = AF_INET6;
        v6.sin6_port = htons(bind.port);
        ::inet_pton(AF_INET6, bind.host.c_str(), &v6.sin6_addr);
        return wrap(v6);
    }
    case BindAddress::Kind::Unix:
    {
        sockaddr_un local{};
        local.sun_family = AF_UNIX;
        bind.host.copy(local.sun_path, sizeof local.sun_path - 1);
        return wrap(local);
    }
    }
    return {};
}

std::uint16_t portOf(int descriptor)
{
    sockaddr_storage storage{};
    socklen_t size = sizeof storage;
    if (::getsockname(descriptor, reinterpret_cast<sockaddr*>(&storage), &size) != 0)
        return 0;
    if (storage.ss_family == AF_INET)
    {
        sockaddr_in v4{};
        std::memcpy(&v4, &storage, sizeof v4);
        return ntohs(v4.sin_port);
    }
    if (storage.ss_family == AF_INET6)
    {
        sockaddr_in6 v6{};
        std::memcpy(&v6, &storage, sizeof v6);
        return ntohs(v6.sin6_port);
    }
    return 0;
}

/// A socket that a killed server left behind is in the way of its successor; one that somebody
/// answers on is not ours to remove.
void removeStaleSocket(const std::string& path, const SocketAddress& address)
{
    struct stat status
    {
    };
    if (::lstat(path.c_str(), &status) != 0 || !S_ISSOCK(status.st_mode))
        return;
    const int probe = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (probe < 0)
        return;
    if (::connect(probe, address.get(), address.size) != 0 && errno == ECONNREFUSED)
        ::unlink(path.c_str());
    ::close(probe);
}

} // namespace

Result<ListeningSocket> ListeningSocket::open(std::string_view text)
{
    const auto bind = BindAddress::parse(text);
    if (!bind)
        return bind.error();
    const SocketAddress address = toNative(*bind);
    const auto failed = [text](const char* what)
    {
        return Error{ErrorCode::Unavailable, std::string(what) + " `" + std::string(text) +
                                                 "`: " + std::generic_category().message(errno)};
    };

    ListeningSocket socket;
    const int family = address.storage.ss_family;
    socket._descriptor = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (socket._descriptor < 0)
        return failed("cannot make a socket for");
    if (bind->kind == BindAddress::Kind::Unix)
        removeStaleSocket(bind->host, address);
    else if (!setOption(socket._descriptor, SOL_SOCKET, SO_REUSEADDR, 1))
        return failed("cannot prepare");
    if (bind->kind == BindAddress::Kind::Ipv6 &&
        !setOption(socket._descriptor, IPPROTO_IPV6, IPV6_V6ONLY, 0))
        return failed("cannot prepare");
    if (::bind(socket._descriptor, address.get(), address.size) != 0)
        return failed("cannot bind");
    if (bind->kind == BindAddress::Kind::Unix)
    {
        socket._path = bind->host;
        // Before anybody can connect: a proxy has a user of its own and shares the group.
        if (::chmod(bind->host.c_str(), localSocketMode) != 0)
            return failed("cannot set the mode of");
    }
    if (::listen(socket._descriptor, SOMAXCONN) != 0)
        return failed("cannot listen on");
    socket._port = portOf(socket._descriptor);
    return socket;
}

ListeningSocket::ListeningSocket(ListeningSocket&& other) noexcept
    : _descriptor(other.release()), _port(other._port), _path(std::exchange(other._path, {}))
{
}

ListeningSocket::~ListeningSocket()
{
    if (_descriptor >= 0)
        ::close(_descriptor);
    if (!_path.empty())
        ::unlink(_path.c_str());
}

int ListeningSocket::release() noexcept
{
    return std::exchange(_descriptor, -1);
}

} // namespace octostore::http
