// SPDX-License-Identifier: MIT
#include <octostore/client/Cancellation.h>

#include <sys/socket.h>

namespace octostore::client
{

void Cancellation::cancel() noexcept
{
    MutexLock lock(_mutex);
    _cancelled = true;
    if (_socket >= 0)
        ::shutdown(_socket, SHUT_RDWR);
}

bool Cancellation::cancelled() const noexcept
{
    MutexLock lock(_mutex);
    return _cancelled;
}

void Cancellation::watch(int socket) noexcept
{
    MutexLock lock(_mutex);
    _socket = socket;
    if (_cancelled && _socket >= 0)
        ::shutdown(_socket, SHUT_RDWR);
}

Cancellation::Guard::Guard(Cancellation& cancellation, int socket) noexcept
    : _cancellation(cancellation)
{
    _cancellation.watch(socket);
}

Cancellation::Guard::~Guard()
{
    _cancellation.watch(-1);
}

} // namespace octostore::client
