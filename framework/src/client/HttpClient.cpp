// SPDX-License-Identifier: MIT
#include "Connection.h"
#include "Dial.h"
#include "Proxy.h"

#include <octostore/client/HttpClient.h>

#include <utility>

namespace octostore::client
{

namespace
{

constexpr std::size_t idleMax = 2;

/// Only a connection that was used before can have been closed in the meantime.
bool diedIdle(const HttpOutcome& outcome, const Connection& connection,
              const Cancellation& cancellation)
{
    const auto* failure = std::get_if<TransportFailure>(&outcome);
    return failure != nullptr && failure->fault == TransportFault::Broken &&
           !connection.answered() && !cancellation.cancelled();
}

} // namespace

Result<std::unique_ptr<HttpClient>> HttpClient::create(ServerUrl server, HttpClientOptions options)
{
    std::unique_ptr<Dialing> dialing(
        new Dialing{server, std::move(options), std::nullopt, nullptr});
    dialing->proxy = proxyFor(server, dialing->options.environment);
    if (server.secure())
    {
        auto tls = makeTls(dialing->options.caBundle);
        if (!tls)
            return tls.error();
        dialing->tls = *tls;
    }
    return std::unique_ptr<HttpClient>(new HttpClient(std::move(server), std::move(dialing)));
}

HttpClient::HttpClient(ServerUrl server, std::unique_ptr<Dialing> dialing)
    : _server(std::move(server)), _dialing(std::move(dialing))
{
}

HttpClient::~HttpClient() = default;

HttpOutcome HttpClient::send(const HttpRequest& request, Milliseconds timeout,
                             Cancellation& cancellation) noexcept
{
    if (auto idle = takeIdle())
    {
        HttpOutcome outcome = idle->exchange(request, timeout, cancellation);
        if (!diedIdle(outcome, *idle, cancellation))
        {
            keep(std::move(idle));
            return outcome;
        }
    }
    Connection::Opened opened = Connection::open(*_dialing, timeout, cancellation);
    if (auto* failure = std::get_if<TransportFailure>(&opened))
        return std::move(*failure);
    auto& connection = std::get<std::unique_ptr<Connection>>(opened);
    HttpOutcome outcome = connection->exchange(request, timeout, cancellation);
    keep(std::move(connection));
    return outcome;
}

HttpOutcome HttpClient::stream(const HttpRequest& request, Milliseconds timeout,
                               Milliseconds silence,
                               const std::function<bool(std::string_view)>& sink,
                               Cancellation& cancellation) noexcept
{
    Connection::Opened opened = Connection::open(*_dialing, timeout, cancellation);
    if (auto* failure = std::get_if<TransportFailure>(&opened))
        return std::move(*failure);
    return std::get<std::unique_ptr<Connection>>(opened)->exchange(request, timeout, cancellation,
                                                                   &sink, silence);
}

std::unique_ptr<Connection> HttpClient::takeIdle()
{
    for (;;)
    {
        std::unique_ptr<Connection> connection;
        {
            MutexLock lock(_mutex);
            if (_idle.empty())
                return nullptr;
            connection = std::move(_idle.back());
            _idle.pop_back();
        }
        if (connection->reusable())
            return connection;
    }
}

void HttpClient::keep(std::unique_ptr<Connection> connection)
{
    if (!connection->reusable())
        return;
    MutexLock lock(_mutex);
    if (_idle.size() < idleMax)
        _idle.push_back(std::move(connection));
}

} // namespace octostore::client
