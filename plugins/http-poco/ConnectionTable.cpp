// SPDX-License-Identifier: MIT
#include "ConnectionTable.h"

#include <chrono>
#include <utility>

#include <sys/socket.h>

namespace octostore::http_poco
{

void ConnectionTable::add(int socket, std::shared_ptr<TaskInbox> inbox)
{
    MutexLock lock(_mutex);
    _connections[socket] = std::move(inbox);
}

void ConnectionTable::remove(int socket)
{
    MutexLock lock(_mutex);
    _connections.erase(socket);
    _removed.notify_all();
}

std::size_t ConnectionTable::size() const
{
    MutexLock lock(_mutex);
    return _connections.size();
}

void ConnectionTable::wakeAll()
{
    MutexLock lock(_mutex);
    for (const auto& [socket, inbox] : _connections)
        inbox->wake();
}

void ConnectionTable::shutDownAll()
{
    MutexLock lock(_mutex);
    for (const auto& [socket, inbox] : _connections)
    {
        ::shutdown(socket, SHUT_RDWR);
        inbox->wake();
    }
}

void ConnectionTable::awaitNone(Milliseconds patience)
{
    const auto deadline = std::chrono::steady_clock::now() + patience;
    MutexLock lock(_mutex);
    while (!_connections.empty())
    {
        const auto left = deadline - std::chrono::steady_clock::now();
        if (left <= left.zero())
            return;
        lock.waitFor(_removed, left);
    }
}

} // namespace octostore::http_poco
