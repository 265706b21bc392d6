// SPDX-License-Identifier: MIT
/// @file
/// The transport `beast`: an event loop for each core.
#pragma once

#include <octostore/base/Log.h>
#include <octostore/http/Transport.h>

#include <memory>

namespace octostore::http_beast
{

/// See http::Transport.
class BeastTransport final : public http::Transport
{
public:
    explicit BeastTransport(Logger logger);
    ~BeastTransport() override;

    std::string_view name() const noexcept override { return "beast"; }
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

} // namespace octostore::http_beast
