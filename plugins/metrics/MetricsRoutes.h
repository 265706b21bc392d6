// SPDX-License-Identifier: MIT
/// @file
/// /metrics in both its forms, and the histories.
#pragma once

#include "RequestFilter.h"
#include "Sampler.h"
#include "ServerFigures.h"

#include <octostore/coordination/Coordinator.h>
#include <octostore/http/Route.h>
#include <octostore/plugin/Plugin.h>

#include <functional>
#include <string>
#include <vector>

namespace octostore::metrics
{

/// What the routes look at; all of it must outlive them.
struct Surroundings
{
    const Clock& clock;
    coordination::Coordinator& coordinator;
    /// Not filled any more once requests come.
    const plugin::ExtensionRegistry& registry;
    const ServerFigures& server;
    const RequestFilter& requests;
    const Sampler& sampler;
};

/// While the engine does not answer, its last counts are shown: numbers are wanted most when
/// something is wrong. Thread-safety: thread-safe.
class MetricsRoutes final : public http::RouteProvider
{
public:
    explicit MetricsRoutes(const Surroundings& surroundings) : _around(surroundings) {}
    std::vector<http::Route> routes() override;

private:
    using Render = std::string (MetricsRoutes::*)(const coordination::Counts&) const;

    /// Answers with what `render` makes of the engine's counts.
    void answer(const http::ExchangePtr& exchange, Render render, std::string contentType) const;
    void answerMetrics(const http::ExchangePtr& exchange) const;
    void answerTimeSeries(const http::ExchangePtr& exchange) const;
    void answerMinutes(const http::ExchangePtr& exchange, const std::string& window) const;
    std::string prometheusText(const coordination::Counts& counts) const;
    std::string referenceDocument(const coordination::Counts& counts) const;

    const Surroundings _around;
};

} // namespace octostore::metrics
