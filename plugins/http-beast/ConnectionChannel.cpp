// SPDX-License-Identifier: MIT
#include "ConnectionChannel.h"

#include "Connection.h"

#include <octostore/http/StreamQueue.h>

#include <utility>

namespace octostore::http_beast
{

ConnectionChannel::ConnectionChannel(std::weak_ptr<Connection> connection,
                                     std::shared_ptr<IoExecutor> executor)
    : _connection(std::move(connection)), _executor(std::move(executor))
{
}

void ConnectionChannel::send(http::Response response) noexcept
{
    const http::ExchangePtr exchange = _exchange.lock(); // none: it was forgotten unanswered
    if (const auto connection = _connection.lock())
        connection->answer(std::move(response), exchange);
    else if (exchange)
        exchange->delivered(false);
}

std::shared_ptr<http::Stream> ConnectionChannel::openStream(http::Response head) noexcept
{
    const http::ExchangePtr exchange = _exchange.lock();
    if (const auto connection = _connection.lock())
        return connection->openStream(std::move(head), exchange);
    auto ended = std::make_shared<http::StreamQueue>(_executor, 0, [] {});
    ended->end();
    if (exchange)
        exchange->delivered(false);
    return ended;
}

} // namespace octostore::http_beast
