// SPDX-License-Identifier: MIT
/// @file
/// What an exchange knows of its connection.
#pragma once

#include "IoExecutor.h"

#include <octostore/http/Exchange.h>

#include <memory>

namespace octostore::http_beast
{

class Connection;

/// Thread-safety: thread-affine(the connection's I/O thread), but may be let go of anywhere.
class ConnectionChannel final : public http::Channel
{
public:
    ConnectionChannel(std::weak_ptr<Connection> connection, std::shared_ptr<IoExecutor> executor);

    void send(http::Response response) noexcept override;
    std::shared_ptr<http::Stream> openStream(http::Response head) noexcept override;
    std::shared_ptr<Executor> executor() noexcept override { return _executor; }

    /// Whom to tell of the delivery.
    void serve(const http::ExchangePtr& exchange) { _exchange = exchange; }

private:
    const std::weak_ptr<Connection> _connection;
    const std::shared_ptr<IoExecutor> _executor;
    std::weak_ptr<http::Exchange> _exchange;
};

} // namespace octostore::http_beast
