// SPDX-License-Identifier: MIT
#include "PocoTransport.h"

#include "Connection.h"

#include <octostore/base/Mutex.h>
#include <octostore/http/ErrorResponse.h>
#include <octostore/http/ListeningSocket.h>
#include <octostore/http/Peer.h>

#include <Poco/Exception.h>
#include <Poco/Net/ServerSocket.h>
#include <Poco/Net/ServerSocketImpl.h>
#include <Poco/Net/TCPServer.h>
#include <Poco/ThreadPool.h>

#include <algorithm>
#include <utility>

namespace octostore::http_poco
{

namespace
{

/// Gives Poco a socket that listens already.
class AdoptedSocketImpl final : public Poco::Net::ServerSocketImpl
{
public:
    explicit AdoptedSocketImpl(int descriptor) { reset(descriptor); }
};

class AdoptedSocket final : public Poco::Net::ServerSocket
{
public:
    explicit AdoptedSocket(int descriptor) : ServerSocket(new AdoptedSocketImpl(descriptor), true)
    {
    }
};

class ConnectionFactory final : public Poco::Net::TCPServerConnectionFactory
{
public:
    ConnectionFactory(Service& service, ConnectionTable& table) : _service(service), _table(table)
    {
    }
    Poco::Net::TCPServerConnection* createConnection(const Poco::Net::StreamSocket& socket) override
    {
        return new Connection(socket, _service, _table);
    }

private:
    Service& _service;
    ConnectionTable& _table;
};

/// Refuses connections above the limit with an answer.
class ConnectionLimit final : public Poco::Net::TCPServerConnectionFilter
{
public:
    ConnectionLimit(Service& service, const ConnectionTable& table, Logger logger)
        : _service(service), _table(table), _logger(std::move(logger))
    {
    }
    bool accept(const Poco::Net::StreamSocket& socket) override
    {
        if (_table.size() < _service.options.connectionsMax)
            return true;
        ++_service.turnedAway;
        _logger.debug("connection refused", {{"open", _table.size()}});
        const http::Response response =
            http::errorResponse({ErrorCode::Overloaded, {}}, RequestId{_service.random.uuid()});
        const std::string date = http::httpDate(_service.clock.wallTime());
        const std::string bytes =
            http::responseHead(response, {http::BodyForm::Length, true, false, date}) +
            response.body;
        // This is the accepting thread: what a fresh socket does not take at once is lost.
        Poco::Net::StreamSocket out(socket);
        out.setBlocking(false);
        out.sendBytes(bytes.data(), static_cast<int>(bytes.size()));
        out.shutdownSend();
        return false;
    }

private:
    Service& _service;
    const ConnectionTable& _table;
    const Logger _logger;
};

/// Each connection needs its socket and an eventfd.
std::size_t connectionsMaxOf(const http::TransportOptions& options)
{
    const std::size_t possible = http::connectionsByDescriptorLimit() / 2;
    return options.connectionsMax == 0 ? possible : std::min(options.connectionsMax, possible);
}

} // namespace

/// Everything between start() and stop().
struct PocoTransport::Running
{
    Running(const http::TransportOptions& options, http::Dispatcher& dispatcher, const Clock& clock,
            Random& random, http::ListeningSocket socket)
        : service(options, dispatcher, clock, random), listening(std::move(socket))
    {
    }

    Service service;
    http::ListeningSocket listening;
    ConnectionTable table;
    std::unique_ptr<Poco::ThreadPool> threads;
    mutable Mutex mutex;
    std::unique_ptr<Poco::Net::TCPServer> server OCTOSTORE_GUARDED_BY(mutex); ///< null: draining

    std::unique_ptr<Poco::Net::TCPServer> takeServer() OCTOSTORE_EXCLUDES(mutex)
    {
        MutexLock lock(mutex);
        return std::move(server);
    }
    std::size_t queued() const OCTOSTORE_EXCLUDES(mutex)
    {
        MutexLock lock(mutex);
        return server ? static_cast<std::size_t>(server->queuedConnections()) : 0;
    }
};

PocoTransport::PocoTransport(Logger logger) : _logger(std::move(logger)) {}

PocoTransport::~PocoTransport()
{
    stop(Milliseconds{0});
}

Result<void> PocoTransport::start(const http::TransportOptions& options,
                                  http::Dispatcher& dispatcher, const Clock& clock,
                                  Random& random) noexcept
{
    auto listening = http::ListeningSocket::open(options.bind);
    if (!listening)
        return listening.error();
    auto running =
        std::make_unique<Running>(options, dispatcher, clock, random, std::move(*listening));
    running->service.options.connectionsMax = connectionsMaxOf(options);
    const auto threadsMax = static_cast<int>(running->service.options.connectionsMax);
    try
    {
        Poco::Net::TCPServerParams::Ptr parameters = new Poco::Net::TCPServerParams;
        parameters->setMaxThreads(threadsMax);
        parameters->setMaxQueued(threadsMax);
        Poco::Net::TCPServerConnectionFilter::Ptr limit =
            new ConnectionLimit(running->service, running->table, _logger);
        running->threads = std::make_unique<Poco::ThreadPool>("http", 1, threadsMax + 1);
        auto server = std::make_unique<Poco::Net::TCPServer>(
            new ConnectionFactory(running->service, running->table), *running->threads,
            AdoptedSocket(running->listening.release()), parameters);
        server->setConnectionFilter(limit);
        server->start();
        MutexLock lock(running->mutex);
        running->server = std::move(server);
    }
    catch (const Poco::Exception& failure)
    {
        return Error{ErrorCode::Unavailable,
                     "cannot serve `" + options.bind + "`: " + failure.displayText()};
    }
    _running = std::move(running);
    return {};
}

std::uint16_t PocoTransport::port() const noexcept
{
    return _running ? _running->listening.port() : std::uint16_t{0};
}

std::size_t PocoTransport::connections() const noexcept
{
    return _running ? _running->table.size() : 0;
}

std::uint64_t PocoTransport::refusedConnections() const noexcept
{
    return _running ? _running->service.turnedAway.load() : 0;
}

/// A connection keeps its thread busy for as long as it is open.
http::TransportLoad PocoTransport::load() const noexcept
{
    http::TransportLoad load;
    if (!_running)
        return load;
    load.busyThreads = _running->table.size();
    const auto threads = static_cast<std::size_t>(_running->threads->allocated());
    load.idleThreads = threads - std::min(threads, load.busyThreads);
    load.queued = _running->queued();
    return load;
}

void PocoTransport::drain() noexcept
{
    if (!_running || _running->service.draining.exchange(true))
        return;
    _running->takeServer().reset(); // threads that serve a connection go on
    _running->table.wakeAll();
}

void PocoTransport::stop(Milliseconds patience) noexcept
{
    if (!_running)
        return;
    drain();
    _running->table.awaitNone(patience);
    if (const std::size_t left = _running->table.size(); left > 0)
        _logger.warning("connections cut", {{"connections", left}});
    _running->service.cut = true;
    _running->table.shutDownAll();
    _running->threads->joinAll();
    _running.reset();
}

} // namespace octostore::http_poco
