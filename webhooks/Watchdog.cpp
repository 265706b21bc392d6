// SPDX-License-Identifier: MIT
#include "Watchdog.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace octostore::webhooks
{

namespace
{

constexpr auto tick = std::chrono::milliseconds(250);

} // namespace

Watchdog::Guard::Guard(Watchdog& watchdog, int socket, Clock::time_point deadline)
    : _watchdog(watchdog), _id(watchdog.add(socket, deadline))
{
}

Watchdog::Guard::~Guard()
{
    _watchdog.remove(_id);
}

Watchdog::Watchdog() : _thread([this] { run(); }) {}

Watchdog::~Watchdog()
{
    {
        MutexLock lock(_mutex);
        _ending = true;
    }
    _changed.notify_all();
    _thread.join();
}

std::uint64_t Watchdog::add(int socket, Clock::time_point deadline)
{
    // The number may be somebody else's by the time it is over; the duplicate is ours.
    const int duplicate = ::fcntl(socket, F_DUPFD_CLOEXEC, 0);
    MutexLock lock(_mutex);
    if (_stopped && duplicate >= 0)
        ::shutdown(duplicate, SHUT_RDWR);
    _watched[++_last] = {duplicate, deadline};
    if (_watched.size() == 1)
        _changed.notify_all();
    return _last;
}

void Watchdog::remove(std::uint64_t id)
{
    MutexLock lock(_mutex);
    const auto found = _watched.find(id);
    if (found->second.socket >= 0)
        ::close(found->second.socket);
    _watched.erase(found);
}

void Watchdog::stop()
{
    MutexLock lock(_mutex);
    _stopped = true;
    for (const auto& [id, watched] : _watched)
        if (watched.socket >= 0)
            ::shutdown(watched.socket, SHUT_RDWR);
}

void Watchdog::run() noexcept
{
    prctl(PR_SET_NAME, "webhook-watch");
    MutexLock lock(_mutex);
    while (!_ending)
    {
        if (_watched.empty())
            lock.wait(_changed);
        else
            lock.waitFor(_changed, tick);
        const auto now = Clock::now();
        for (const auto& [id, watched] : _watched)
            if (watched.socket >= 0 && watched.deadline <= now)
                ::shutdown(watched.socket, SHUT_RDWR);
    }
}

} // namespace octostore::webhooks
