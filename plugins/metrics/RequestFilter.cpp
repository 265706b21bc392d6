// SPDX-License-Identifier: MIT
#include "RequestFilter.h"

#include <octostore/base/Json.h>
#include <octostore/http/ErrorResponse.h>
#include <octostore/http/Query.h>
#include <octostore/metrics/Rejections.h>

namespace octostore::metrics
{

namespace
{

constexpr std::string_view waitField = "wait_seconds";

/// Events are waited for with a query.
bool queryWaits(std::string_view text)
{
    if (text.find(waitField) == std::string_view::npos)
        return false;
    const auto query = http::Query::parse(text);
    const std::string* seconds = query ? query->find(waitField) : nullptr;
    return seconds != nullptr && *seconds != "0";
}

/// Whether the client asked to be kept waiting: what it took is then no figure of the server.
bool wantsToWait(const http::Exchange& exchange)
{
    const auto wait = exchange.json().find(waitField);
    if (wait == exchange.json().end())
        return queryWaits(exchange.request().query());
    const std::int64_t* seconds = wait->second.asInteger();
    return seconds != nullptr && *seconds > 0;
}

} // namespace

std::optional<http::Response> RequestFilter::before(http::Exchange&, const http::Route&) noexcept
{
    _inFlight.add(1);
    return std::nullopt;
}

void RequestFilter::after(http::Exchange& exchange, const http::Route& route,
                          http::Response& response) noexcept
{
    _inFlight.add(-1);
    if (response.status == http::clientLeft)
    {
        // No answer: it belongs to no other sum.
        if (RouteFigures* figures = _routes.find(route))
            figures->countLeft();
        return;
    }
    count(exchange, route, response.status);
    if (response.error)
        countRejection(*response.error);
}

void RequestFilter::countRejection(ErrorCode error) noexcept
{
    if (error == ErrorCode::PayloadTooLarge)
        _tooLarge.add();
    else if (error == ErrorCode::Overloaded)
        _overloaded.add();
    else if (error == ErrorCode::Draining)
        _draining.add();
    else if (error == ErrorCode::CapacityExceeded)
        _atCapacity.add();
}

std::optional<http::Response> RequestFilter::denied(http::Exchange& exchange,
                                                    const http::Route& route,
                                                    const Error& error) noexcept
{
    if (error.code == ErrorCode::AuthenticationRequired)
        _credentialMissing.add();
    else if (error.code == ErrorCode::AuthenticationFailed)
        _credentialUnknown.add();
    else
        _credentialTooWeak.add();
    count(exchange, route, http::statusOf(error.code));
    return std::nullopt;
}

void RequestFilter::count(http::Exchange& exchange, const http::Route& route, int status) noexcept
{
    const auto took = _clock.bootTime() - exchange.request().arrived;
    if (!wantsToWait(exchange))
        _durations.observe(took);
    if (RouteFigures* figures = _routes.find(route))
        figures->count(status, took);
    countEndpoint(route.pattern, status, took);
}

void RequestFilter::countEndpoint(std::string_view path, int status,
                                  std::chrono::nanoseconds took) noexcept
{
    _requests.add();
    if (const auto endpoint = endpointOf(path))
        _endpoints[static_cast<std::size_t>(*endpoint)].count(status, took);
}

void RequestFilter::unmatched(const http::Exchange& exchange,
                              const http::Response& response) noexcept
{
    const http::Request& request = exchange.request();
    const auto took = _clock.bootTime() - request.arrived;
    _unmatched.count(response.status, took);
    // What could not be read was never a request to the reference.
    if (!request.fault)
        countEndpoint(request.path(), response.status, took);
}

void RequestFilter::collect(Sink& sink) const noexcept
{
    _routes.collect(sink);
    _unmatched.collect(sink);
    sink.add({"octostore_http_inflight_requests", "Requests that are not answered yet."},
             _inFlight);
    sink.add(rejections, _tooLarge, {{"reason", "too_large"}});
    sink.add(rejections, _overloaded, {{"reason", "overloaded"}});
    sink.add(rejections, _draining, {{"reason", "draining"}});
    sink.add(rejections, _atCapacity, {{"reason", "capacity"}});
    const Metric failures{"octostore_auth_failures_total",
                          "Requests refused for their credential."};
    sink.add(failures, _credentialMissing, {{"reason", "missing"}});
    sink.add(failures, _credentialUnknown, {{"reason", "unknown"}});
    sink.add(failures, _credentialTooWeak, {{"reason", "forbidden"}});
}

} // namespace octostore::metrics
