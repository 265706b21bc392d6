// SPDX-License-Identifier: MIT
/// @file
/// How bytes become exchanges.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Log.h>
#include <octostore/base/Random.h>
#include <octostore/base/Result.h>
#include <octostore/base/Time.h>
#include <octostore/http/Exchange.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace octostore::http
{

/// Takes exchanges from transports; the router is one. Thread-safety: thread-safe.
class OCTOSTORE_API Dispatcher
{
public:
    virtual ~Dispatcher();
    /// Called on the exchange's thread; answers now or later.
    virtual void dispatch(const ExchangePtr& exchange) noexcept = 0;
};

struct TransportOptions
{
    std::string bind; ///< `0.0.0.0:3000`, `[::]:3000`; port 0 picks one
    std::size_t bodyMax = 64 * 1024;
    std::size_t headMax = 16 * 1024;
    std::size_t headersMax = 100;
    std::size_t targetMax = 8 * 1024;
    Milliseconds requestTimeout{30'000};   ///< from the first byte of a head to the last of a body
    Milliseconds keepAliveTimeout{75'000}; ///< between requests
    Milliseconds writeTimeout{30'000};     ///< without any byte of an answer taken
    std::size_t connectionsMax = 0;        ///< 0: descriptor limit minus 200
    unsigned threads = 0;                  ///< 0: one per core
    std::size_t streamBufferMax = 256 * 1024;
};

/// What the threads of a transport are doing at one moment.
struct TransportLoad
{
    std::size_t busyThreads = 0; ///< they work on something
    std::size_t idleThreads = 0; ///< they wait for something to do
    std::size_t queued = 0;      ///< pieces of work that wait for a thread
};

/// Extension point. All members but port(), connections(), refusedConnections() and load() are
/// called by the program's thread.
class OCTOSTORE_API Transport
{
public:
    static constexpr std::string_view extensionPoint = "http.transport/1";
    virtual ~Transport();
    /// `http.transport` chooses by it.
    virtual std::string_view name() const noexcept = 0;
    /// Listens and serves. Errors: Configuration (bad address), Unavailable (cannot be bound).
    /// Everything passed must outlive stop().
    virtual Result<void> start(const TransportOptions& options, Dispatcher& dispatcher,
                               const Clock& clock, Random& random) noexcept = 0;
    /// The port in use.
    virtual std::uint16_t port() const noexcept = 0;
    virtual std::size_t connections() const noexcept = 0;
    /// How many came while there were as many as there may be, since start(). By default: unknown.
    virtual std::uint64_t refusedConnections() const noexcept { return 0; }
    /// Of this moment. By default: unknown.
    virtual TransportLoad load() const noexcept { return {}; }
    /// Accepts nobody any more; answers carry `connection: close`; idle connections are closed.
    virtual void drain() noexcept = 0;
    /// Waits until every exchange is answered and sent, at most `patience`; then cuts the rest and
    /// joins every thread.
    virtual void stop(Milliseconds patience) noexcept = 0;
};

} // namespace octostore::http
