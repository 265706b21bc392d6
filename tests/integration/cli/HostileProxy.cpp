// SPDX-License-Identifier: MIT
#include "HostileProxy.h"

#include "support/Loopback.h"

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

namespace octostore::test
{

namespace
{

constexpr std::size_t mebibyte = std::size_t{1024} * 1024;

/// What there is to read; empty: the end.
std::string receive(int socket)
{
    std::array<char, 65536> piece{};
    const ssize_t got = ::recv(socket, piece.data(), piece.size(), 0);
    return {piece.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
}

/// Waits for the answer, or for the client to give up: then the server must see that too.
std::string receiveAnswer(int client, int server)
{
    std::array<pollfd, 2> polled{{{server, POLLIN, 0}, {client, POLLIN, 0}}};
    ::poll(polled.data(), polled.size(), -1);
    return polled[0].revents != 0 ? receive(server) : std::string();
}

std::string withoutHalfTheBody(const std::string& answer)
{
    const std::size_t body = answer.find("\r\n\r\n") + 4;
    const std::string half = answer.substr(body, (answer.size() - body) / 2);
    return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
           std::to_string(half.size()) + "\r\n\r\n" + half;
}

} // namespace

HostileProxy::HostileProxy(std::uint16_t target)
    : _target(target),
      _choice([](const std::string&) { return Mischief::None; }),
      _host([this](int client, std::size_t) { serve(client); })
{
}

void HostileProxy::setTarget(std::uint16_t target)
{
    MutexLock lock(_mutex);
    _target = target;
}

void HostileProxy::setChoice(Choice choice)
{
    MutexLock lock(_mutex);
    _choice = std::move(choice);
}

void HostileProxy::setDelay(Milliseconds delay)
{
    MutexLock lock(_mutex);
    _delay = delay;
}

void HostileProxy::serve(int client)
{
    const int server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    _host.adopt(server);
    sockaddr_in address = {};
    {
        MutexLock lock(_mutex);
        address = loopback(_target);
    }
    if (::connect(server, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0)
        for (std::string request = receive(client); !request.empty(); request = receive(client))
            if (!passOn(client, server, request))
                break;
    ::shutdown(server, SHUT_RDWR);
    ::shutdown(client, SHUT_RDWR);
}

bool HostileProxy::passOn(int client, int server, const std::string& request)
{
    const Mischief mischief = choose(request.substr(0, request.find('\r')));
    if (mischief == Mischief::Swallow)
        return true;
    if (!sendAll(server, request))
        return false;
    const std::string answer = receiveAnswer(client, server);
    switch (mischief)
    {
    case Mischief::None:
    case Mischief::Swallow:
        return !answer.empty() && sendAll(client, answer);
    case Mischief::DropAnswer:
        return false;
    case Mischief::HalfClose:
        sendAll(client, answer.substr(0, answer.size() / 2));
        return false;
    case Mischief::TruncateJson:
        return sendAll(client, withoutHalfTheBody(answer));
    case Mischief::Oversize:
        sendAll(client, "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(mebibyte + 1) +
                            "\r\n\r\n" + std::string(mebibyte + 1, ' '));
        return false;
    case Mischief::Delay:
    {
        Milliseconds delay{0};
        {
            MutexLock lock(_mutex);
            delay = _delay;
        }
        std::this_thread::sleep_for(delay);
        return sendAll(client, answer);
    }
    }
    return false;
}

Mischief HostileProxy::choose(const std::string& request)
{
    MutexLock lock(_mutex);
    return _choice(request);
}

} // namespace octostore::test
