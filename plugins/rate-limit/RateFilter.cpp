// SPDX-License-Identifier: MIT
#include "RateFilter.h"

#include <octostore/http/ErrorResponse.h>
#include <octostore/metrics/Rejections.h>

#include <string>
#include <utility>

namespace octostore::rate_limit
{

namespace
{

http::IpAddress clientOf(const http::Exchange& exchange, const RateSettings& settings)
{
    const http::Request& request = exchange.request();
    return http::clientAddress(request.peer, request.headers, settings.trust).client();
}

void addHeaders(http::Response& response, std::uint32_t budget, const Standing& standing)
{
    response.headers.set("ratelimit-limit", std::to_string(budget));
    response.headers.set("ratelimit-remaining", std::to_string(standing.remaining));
    response.headers.set("ratelimit-reset", std::to_string(standing.secondsLeft));
}

/// Whether the body was refused before anything was asked of the engine.
bool isBodyRefused(const http::Response& response) noexcept
{
    return response.error == ErrorCode::PayloadTooLarge ||
           response.error == ErrorCode::UnsupportedMediaType ||
           response.error == ErrorCode::Malformed || response.error == ErrorCode::Unprocessable;
}

/// A wrong admin key without a bearer token counts as well, although it is answered as if no
/// credential had come.
bool isGuess(const http::Request& request, const Error& error) noexcept
{
    if (error.code == ErrorCode::AuthenticationFailed)
        return true;
    return error.code == ErrorCode::AuthenticationRequired &&
           (request.headers.find("x-admin-key") != nullptr ||
            request.headers.find("x-octostore-admin-key") != nullptr);
}

http::Response refusal(const http::Exchange& exchange, const Standing& standing, std::string why,
                       std::string members = {})
{
    http::ErrorDetails details;
    details.members = std::move(members);
    details.retryAfterSeconds = standing.secondsLeft;
    return http::errorResponse({ErrorCode::RateLimited, std::move(why)}, exchange.id(), details);
}

} // namespace

RateFilter::RateFilter(const Clock& clock, RateSettings settings, std::size_t clientsMax)
    : _clock(clock),
      _requests(clientsMax),
      _failures(clientsMax),
      _settings(std::make_shared<const RateSettings>(std::move(settings)))
{
}

void RateFilter::replace(RateSettings settings)
{
    auto next = std::make_shared<const RateSettings>(std::move(settings));
    MutexLock lock(_mutex);
    _settings = std::move(next);
}

std::shared_ptr<const RateSettings> RateFilter::settings() const
{
    MutexLock lock(_mutex);
    return _settings;
}

std::optional<http::Response> RateFilter::before(http::Exchange& exchange,
                                                 const http::Route& route) noexcept
{
    if (!route.admission)
        return std::nullopt;
    const auto settings = this->settings();
    const std::uint32_t budget = settings->requestsPerMinute;
    const Standing standing =
        _requests.admit(clientOf(exchange, *settings), budget, _clock.bootTime());
    if (standing.admitted)
        return std::nullopt;
    _requestsRefused.add();
    http::Response refused = refusal(exchange, standing,
                                     "This address may make " + std::to_string(budget) +
                                         " election requests a minute; wait as long as told.");
    addHeaders(refused, budget, standing);
    return refused;
}

void RateFilter::after(http::Exchange& exchange, const http::Route& route,
                       http::Response& response) noexcept
{
    if (!route.admission)
        return;
    const auto settings = this->settings();
    const http::IpAddress client = clientOf(exchange, *settings);
    if (isBodyRefused(response))
        _requests.refund(client);
    const std::uint32_t budget = settings->requestsPerMinute;
    addHeaders(response, budget, _requests.look(client, budget, _clock.bootTime()));
}

std::optional<http::Response> RateFilter::denied(http::Exchange& exchange,
                                                 const http::Route& /*route*/,
                                                 const Error& error) noexcept
{
    if (!isGuess(exchange.request(), error))
        return std::nullopt;
    const auto settings = this->settings();
    if (settings->failuresPerMinute == 0)
        return std::nullopt;
    const Standing standing = _failures.admit(clientOf(exchange, *settings),
                                              settings->failuresPerMinute, _clock.bootTime());
    if (standing.admitted)
        return std::nullopt;
    _guessesRefused.add();
    return refusal(exchange, standing,
                   "Too many wrong credentials came from this address; good ones are still "
                   "accepted.",
                   R"("reason":"wrong_credentials")");
}

void RateFilter::collect(metrics::Sink& sink) const noexcept
{
    sink.add(metrics::rejections, _requestsRefused, {{"reason", "request_budget"}});
    sink.add(metrics::rejections, _guessesRefused, {{"reason", "wrong_credentials"}});
    sink.gauge({"octostore_rate_limited_clients", "Clients that have a budget under way."},
               static_cast<double>(_requests.clients()), {{"budget", "requests"}});
    sink.gauge({"octostore_rate_limited_clients", "Clients that have a budget under way."},
               static_cast<double>(_failures.clients()), {{"budget", "wrong_credentials"}});
}

} // namespace octostore::rate_limit
