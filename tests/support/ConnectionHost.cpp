// SPDX-License-Identifier: MIT
#include "ConnectionHost.h"

#include "Loopback.h"

#include <utility>

#include <sys/socket.h>
#include <unistd.h>

namespace octostore::test
{

ConnectionHost::ConnectionHost(Serve serve)
    : _serve(std::move(serve)), _listener(listenOnLoopback(_port))
{
    _accepting = std::thread([this] { accept(); });
}

ConnectionHost::~ConnectionHost()
{
    stop();
    _accepting.join();
    std::vector<std::thread> threads;
    {
        MutexLock lock(_mutex);
        threads.swap(_threads);
    }
    for (std::thread& thread : threads)
        thread.join();
    MutexLock lock(_mutex);
    for (const int socket : _sockets)
        ::close(socket);
    ::close(_listener);
}

void ConnectionHost::adopt(int socket)
{
    MutexLock lock(_mutex);
    _sockets.push_back(socket);
}

void ConnectionHost::stop()
{
    MutexLock lock(_mutex);
    _stopped = true;
    ::shutdown(_listener, SHUT_RDWR);
    for (const int socket : _sockets)
        ::shutdown(socket, SHUT_RDWR);
}

void ConnectionHost::accept()
{
    for (std::size_t number = 0;; ++number)
    {
        const int socket = ::accept4(_listener, nullptr, nullptr, SOCK_CLOEXEC);
        MutexLock lock(_mutex);
        if (socket < 0 || _stopped)
        {
            if (socket >= 0)
                ::close(socket);
            return;
        }
        _sockets.push_back(socket);
        _threads.emplace_back([this, socket, number] { _serve(socket, number); });
    }
}

} // namespace octostore::test
