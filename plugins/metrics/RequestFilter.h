// SPDX-License-Identifier: MIT
/// @file
/// Counts every request that was answered.
#pragma once

#include "EndpointFigures.h"
#include "RouteTable.h"

#include <octostore/base/Time.h>
#include <octostore/http/Route.h>
#include <octostore/metrics/Source.h>

#include <cstdint>

namespace octostore::metrics
{

/// Sees what the filters behind it refuse as well, so it belongs in front. A stream counts when it
/// is opened. Thread-safety: thread-safe.
class RequestFilter final : public http::Filter, public Source
{
public:
    /// `clock` must outlive this object.
    explicit RequestFilter(const Clock& clock) : _clock(clock) {}

    std::optional<http::Response> before(http::Exchange& exchange,
                                         const http::Route& route) noexcept override;
    void after(http::Exchange& exchange, const http::Route& route,
               http::Response& response) noexcept override;
    std::optional<http::Response> denied(http::Exchange& exchange, const http::Route& route,
                                         const Error& error) noexcept override;
    void unmatched(const http::Exchange& exchange,
                   const http::Response& response) noexcept override;
    void collect(Sink& sink) const noexcept override;

    std::uint64_t requests() const noexcept { return _requests.value(); }
    /// Of all routes, without those whose clients waited for a lease because they wanted to.
    HistogramSample durations() const { return _durations.sample(); }
    const EndpointTable& endpointTable() const noexcept { return _endpoints; }

private:
    void count(http::Exchange& exchange, const http::Route& route, int status) noexcept;
    void countEndpoint(std::string_view path, int status, std::chrono::nanoseconds took) noexcept;
    void countRejection(ErrorCode error) noexcept;

    const Clock& _clock;
    RouteTable _routes;
    RouteFigures _unmatched{"none", "any"};
    EndpointTable _endpoints;
    Histogram _durations{requestBounds()};
    Counter _requests;
    Counter _credentialMissing;
    Counter _credentialUnknown;
    Counter _credentialTooWeak;
    Counter _tooLarge;
    Counter _overloaded;
    Counter _draining;
    Counter _atCapacity;
    Gauge _inFlight;
};

} // namespace octostore::metrics
