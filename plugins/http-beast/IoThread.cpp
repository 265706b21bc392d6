// SPDX-License-Identifier: MIT
#include "IoThread.h"

#include "Connection.h"

#include <algorithm>

#include <pthread.h>
#include <unistd.h>

namespace octostore::http_beast
{

namespace
{

constexpr std::size_t scratchSize = 64 * 1024;

/// Deadlines are looked at this often: at least four times within the shortest timeout.
std::chrono::milliseconds tickOf(const http::TransportOptions& options)
{
    const auto shortest =
        std::min({options.requestTimeout, options.keepAliveTimeout, options.writeTimeout});
    return std::clamp<std::chrono::milliseconds>(shortest / 4, std::chrono::milliseconds(10),
                                                 std::chrono::milliseconds(1000));
}

} // namespace

IoThread::IoThread(Service& service, unsigned index)
    : _service(service),
      _index(index),
      _work(_context.get_executor()),
      _ticker(_context),
      _executor(std::make_shared<IoExecutor>(_context)),
      _scratch(scratchSize)
{
}

IoThread::~IoThread() = default;

void IoThread::start()
{
    tick();
    _thread = std::thread(
        [this]() noexcept // whatever is thrown here is a fault of ours: stop the server
        {
            const std::string name = "http-io-" + std::to_string(_index);
            ::pthread_setname_np(::pthread_self(), name.c_str());
            _context.run();
        });
}

void IoThread::adopt(int socket, bool refuse)
{
    asio::post(_context,
               [this, socket, refuse]
               {
                   const IoExecutor::Work work(*_executor);
                   const auto connection = Connection::open(*this, _service, socket, refuse);
                   if (!connection)
                       return;
                   _connections.insert(connection);
                   connection->begin();
               });
}

void IoThread::drain()
{
    asio::post(_context,
               [this]
               {
                   for (const auto& connection : connections())
                       connection->drain();
               });
}

void IoThread::stop()
{
    asio::post(_context,
               [this]
               {
                   for (const auto& connection : connections())
                       connection->close();
                   _executor->stop();
                   _context.stop();
               });
    _thread.join();
}

std::string_view IoThread::date()
{
    return _date.at(_service.clock.wallTime());
}

void IoThread::forget(const std::shared_ptr<Connection>& connection)
{
    _connections.erase(connection);
}

/// A copy: connections leave the set while it is walked through.
std::vector<std::shared_ptr<Connection>> IoThread::connections() const
{
    return {_connections.begin(), _connections.end()};
}

void IoThread::tick()
{
    const SteadyTime now = std::chrono::steady_clock::now();
    std::vector<std::shared_ptr<Connection>> due;
    for (const auto& connection : _connections)
    {
        if (connection->isDue(now))
            due.push_back(connection);
    }
    for (const auto& connection : due)
        connection->timeOut(now);

    _ticker.expires_after(tickOf(_service.options));
    _ticker.async_wait(
        [this](const error_code& failure)
        {
            const IoExecutor::Work work(*_executor);
            if (!failure)
                tick();
        });
}

} // namespace octostore::http_beast
