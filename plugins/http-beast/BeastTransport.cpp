// SPDX-License-Identifier: MIT
#include "BeastTransport.h"

#include "IoThread.h"
#include "Listener.h"
#include "Service.h"

#include <octostore/http/Peer.h>

#include <algorithm>
#include <future>
#include <thread>
#include <utility>
#include <vector>

namespace octostore::http_beast
{

/// Everything between start() and stop().
struct BeastTransport::Running
{
    Running(const http::TransportOptions& options, http::Dispatcher& dispatcher, const Clock& clock,
            Random& random, const Logger& logger)
        : service(options, dispatcher, clock, random, logger)
    {
        const std::size_t possible = http::connectionsByDescriptorLimit();
        std::size_t& most = service.options.connectionsMax;
        most = most == 0 ? possible : std::min(most, possible);
        unsigned count = options.threads;
        if (count == 0)
            count = std::max(1U, std::thread::hardware_concurrency());
        for (unsigned i = 0; i < count; ++i)
            threads.push_back(std::make_unique<IoThread>(service, i));
    }

    Service service;
    std::vector<std::unique_ptr<IoThread>> threads;
    std::unique_ptr<Listener> listener; // goes before the threads whose loop it uses
};

BeastTransport::BeastTransport(Logger logger) : _logger(std::move(logger)) {}

BeastTransport::~BeastTransport()
{
    stop(Milliseconds{0});
}

Result<void> BeastTransport::start(const http::TransportOptions& options,
                                   http::Dispatcher& dispatcher, const Clock& clock,
                                   Random& random) noexcept
{
    auto socket = http::ListeningSocket::open(options.bind);
    if (!socket)
        return socket.error();
    auto running = std::make_unique<Running>(options, dispatcher, clock, random, _logger);
    running->listener =
        std::make_unique<Listener>(running->service, running->threads, std::move(*socket));
    if (auto opened = running->listener->open(); !opened)
        return opened.error();
    for (const auto& thread : running->threads)
        thread->start();
    _running = std::move(running);
    return {};
}

std::uint16_t BeastTransport::port() const noexcept
{
    return _running ? _running->listener->port() : std::uint16_t{0};
}

std::size_t BeastTransport::connections() const noexcept
{
    return _running ? _running->service.open.value() : 0;
}

std::uint64_t BeastTransport::refusedConnections() const noexcept
{
    return _running ? _running->service.turnedAway.load() : 0;
}

http::TransportLoad BeastTransport::load() const noexcept
{
    http::TransportLoad load;
    if (!_running)
        return load;
    for (const auto& thread : _running->threads)
    {
        const IoExecutor& executor = *thread->executor();
        ++(executor.busy() ? load.busyThreads : load.idleThreads);
        load.queued += executor.queued();
    }
    return load;
}

void BeastTransport::drain() noexcept
{
    if (!_running || _running->service.draining.exchange(true))
        return;
    // Nobody is accepted any more once this returns.
    std::promise<void> closed;
    asio::post(_running->threads.front()->context(),
               [&]
               {
                   _running->listener->close();
                   closed.set_value();
               });
    closed.get_future().wait();
    for (const auto& thread : _running->threads)
        thread->drain();
}

void BeastTransport::stop(Milliseconds patience) noexcept
{
    if (!_running)
        return;
    drain();
    _running->service.open.awaitNone(patience);
    if (const std::size_t left = _running->service.open.value(); left > 0)
        _logger.warning("connections cut", {{"connections", left}});
    for (const auto& thread : _running->threads)
        thread->stop();
    _running.reset();
}

} // namespace octostore::http_beast
