// SPDX-License-Identifier: MIT
/// @file
/// The transport `poco`: a thread for each connection.
#pragma once

#include <octostore/base/Log.h>
#include <octostore/http/Transport.h>

#include <memory>

namespace octostore::http_poco
{

/// See http::Transport.
class PocoTransport final : public http::Transport
{
public:
    explicit PocoTransport(Logger logger);
    /// stop() must have been called.
    ~PocoTransport() override;

    std::string_view name() const noexcept override { return "poco"; }
    Result<void> start(const http::TransportOptions& options, http::Dispatcher& dispatcher,
                       const Clock& clock, Random& random) noexcept override;
    std::uint16_t port() const noexcept override;
    std::size_t connections() const noexcept override;
    std::uint64_t refusedConnections() const noexcept override;
    http::TransportLoad load() const noexcept override;
    void drain() noexcept override;
    void stop(Milliseconds patience) noexcept override;

private:
    struct Running;

    const Logger _logger;
    std::unique_ptr<Running> _running;
};

} // namespace octostore::http_poco
