// SPDX-License-Identifier: MIT
#include "Listener.h"

#include <octostore/base/ErrnoText.h>

#include <cerrno>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace octostore::http_beast
{

namespace
{

/// So many may be told at once that there are too many; more are closed without a word.
constexpr std::size_t refusedMax = 64;
/// Connections accepted before other work of the thread gets its turn.
constexpr int acceptMax = 64;
constexpr std::chrono::milliseconds pauseTime{100};

} // namespace

Listener::Listener(Service& service, std::vector<std::unique_ptr<IoThread>>& threads,
                   http::ListeningSocket socket)
    : _service(service),
      _threads(threads),
      _listening(std::move(socket)),
      _descriptor(threads.front()->context()),
      _pause(threads.front()->context())
{
}

Result<void> Listener::open()
{
    error_code failure;
    _descriptor.assign(_listening.descriptor(), failure);
    if (failure)
        return Error{ErrorCode::Unavailable, "cannot watch the socket: " + failure.message()};
    _listening.release();
    awaitConnections();
    return {};
}

void Listener::close()
{
    error_code ignored;
    _descriptor.close(ignored);
    _pause.cancel();
}

void Listener::awaitConnections()
{
    _descriptor.async_wait(asio::posix::stream_descriptor::wait_read,
                           [this](const error_code& failure)
                           {
                               if (!failure)
                                   acceptAll();
                           });
}

void Listener::acceptAll()
{
    // The end of a pause may have been on its way already when it was closed.
    if (!_descriptor.is_open())
        return;
    for (int i = 0; i < acceptMax; ++i)
    {
        const int socket =
            ::accept4(_descriptor.native_handle(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (socket >= 0)
        {
            deal(socket);
            continue;
        }
        if (errno == EAGAIN || errno == EWOULDBLOCK)
            break;
        if (errno == ECONNABORTED || errno == EINTR || errno == EPROTO)
            continue;
        // No descriptor or no memory: the connection stays queued, and asking again at once would
        // only burn the processor.
        _service.logger.warning("cannot accept connections", {{"reason", errnoText(errno)}});
        return pause();
    }
    awaitConnections();
}

void Listener::deal(int socket)
{
    const bool refuse = _service.open.value() >= _service.options.connectionsMax;
    if (refuse)
        ++_service.turnedAway;
    if (refuse && _service.refused >= refusedMax)
    {
        ::close(socket);
        return;
    }
    if (refuse)
        ++_service.refused;
    else
        _service.open.add();
    const int on = 1;
    // Fails on local sockets, which do not wait for more anyway.
    static_cast<void>(::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on));
    _threads[_next]->adopt(socket, refuse);
    _next = (_next + 1) % _threads.size();
}

void Listener::pause()
{
    _pause.expires_after(pauseTime);
    _pause.async_wait(
        [this](const error_code& failure)
        {
            if (!failure)
                acceptAll();
        });
}

} // namespace octostore::http_beast
