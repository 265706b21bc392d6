// SPDX-License-Identifier: MIT
#include "MetricsRoutes.h"

#include "PrometheusText.h"
#include "ReferenceDocument.h"

#include <octostore/base/Text.h>
#include <octostore/http/Query.h>

#include <utility>

namespace octostore::metrics
{

namespace
{

/// Scrapers name what they read; everybody else gets the JSON there has always been.
bool wantsText(const http::Request& request)
{
    const std::string* accept = request.headers.find("accept");
    if (accept == nullptr)
        return false;
    const std::string wanted = toLower(*accept);
    return wanted.find("text/plain") != std::string::npos ||
           wanted.find("application/openmetrics-text") != std::string::npos;
}

http::Response documentOf(std::string body, std::string contentType)
{
    http::Response response;
    response.headers.add("content-type", std::move(contentType));
    response.headers.add("vary", "accept");
    response.body = std::move(body);
    return response;
}

} // namespace

std::vector<http::Route> MetricsRoutes::routes()
{
    const auto route =
        [this](std::string pattern, void (MetricsRoutes::*handler)(const http::ExchangePtr&) const)
    {
        http::Route made;
        made.pattern = std::move(pattern);
        made.access = http::Access::Observer;
        made.handler = [this, handler](const http::ExchangePtr& exchange)
        { (this->*handler)(exchange); };
        return made;
    };
    std::vector<http::Route> all;
    all.push_back(route("/metrics", &MetricsRoutes::answerMetrics));
    all.push_back(route("/admin/metrics/timeseries", &MetricsRoutes::answerTimeSeries));
    http::Route text = route("/metrics/prometheus", &MetricsRoutes::answerMetrics);
    text.handler = [this](const http::ExchangePtr& exchange)
    { answer(exchange, &MetricsRoutes::prometheusText, PrometheusText::contentType); };
    all.push_back(std::move(text));
    return all;
}

void MetricsRoutes::answerMetrics(const http::ExchangePtr& exchange) const
{
    if (wantsText(exchange->request()))
        return answer(exchange, &MetricsRoutes::prometheusText, PrometheusText::contentType);
    answer(exchange, &MetricsRoutes::referenceDocument, "application/json");
}

void MetricsRoutes::answer(const http::ExchangePtr& exchange, Render render,
                           std::string contentType) const
{
    const auto respond = [this, exchange, render, contentType](const coordination::Counts& counts)
    { exchange->respond(documentOf((this->*render)(counts), contentType)); };
    if (!_around.sampler.engineAnswers())
        return respond(_around.sampler.counts());

    coordination::Request request;
    request.operation = coordination::Query(coordination::GetCounts{});
    request.id = exchange->id();
    request.arrived = exchange->request().arrived;
    _around.coordinator.submit(std::move(request), exchange->executor(),
                               [this, respond](coordination::Reply reply)
                               {
                                   const auto* counts = std::get_if<coordination::Counts>(&reply);
                                   // Overloaded or draining: the last counts will do.
                                   respond(counts == nullptr ? _around.sampler.counts() : *counts);
                               });
}

std::string MetricsRoutes::prometheusText(const coordination::Counts& counts) const
{
    PrometheusText text;
    _around.server.collect(text, counts);
    for (const Source* source : _around.registry.all<Source>())
        source->collect(text);
    return text.text();
}

std::string MetricsRoutes::referenceDocument(const coordination::Counts& counts) const
{
    return referenceJson({_around.server.uptimeSeconds(), _around.requests.requests(),
                          _around.server.users(), residentBytes(), counts},
                         _around.requests.endpointTable());
}

void MetricsRoutes::answerTimeSeries(const http::ExchangePtr& exchange) const
{
    const auto query = http::Query::parse(exchange->request().query());
    if (!query)
        return exchange->respond(query.error());
    const std::string* window = query->find("window");
    const std::string* range = query->find("range");
    if (range == nullptr)
        return answerMinutes(exchange, window == nullptr ? "1h" : *window);
    if (window != nullptr)
        return exchange->respond(
            Error{ErrorCode::InvalidInput, "Ask for a `window` or for a `range`."});
    const SeriesRing* ring = _around.sampler.series(*range);
    if (ring == nullptr)
        return exchange->respond(
            Error{ErrorCode::InvalidInput, "`range` is one of 10m, 1h, 8h and 24h."});
    exchange->respond(http::jsonResponse(ring->json()));
}

void MetricsRoutes::answerMinutes(const http::ExchangePtr& exchange,
                                  const std::string& window) const
{
    std::optional<std::string> json = _around.sampler.minutes().json(window);
    if (!json)
        return exchange->respond(
            Error{ErrorCode::InvalidInput, "`window` is one of 1h, 12h, 24h and 7d."});
    exchange->respond(http::jsonResponse(*std::move(json)));
}

} // namespace octostore::metrics
