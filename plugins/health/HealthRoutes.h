// SPDX-License-Identifier: MIT
/// @file
/// What anybody may ask about the server: /health, /status, /livez and /readyz.
#pragma once

#include "CheckReport.h"
#include "EngineQuestion.h"

#include <octostore/backend/Backend.h>
#include <octostore/base/Time.h>
#include <octostore/http/Route.h>
#include <octostore/plugin/Plugin.h>

#include <cstdint>
#include <vector>

namespace octostore::health
{

/// What the routes look at; all of it must outlive them.
struct Surroundings
{
    const Clock& clock;
    const backend::Backend& backend;
    coordination::Coordinator& coordinator;
    Watchdog& watchdog;
    /// Not filled any more once requests come.
    const plugin::ExtensionRegistry& registry;
};

/// Alive: the engine answers. Ready: a commit goes through as well. Plugins add their own checks.
/// Thread-safety: thread-safe.
class HealthRoutes final : public http::RouteProvider
{
public:
    explicit HealthRoutes(const Surroundings& surroundings);
    std::vector<http::Route> routes() override;

private:
    enum class Probe : std::uint8_t
    {
        Live,
        Ready,
    };

    void answerHealth(const http::ExchangePtr& exchange) const;
    void answerStatus(const http::ExchangePtr& exchange);
    void answerProbe(const http::ExchangePtr& exchange, Probe probe);
    void answerCheck(const http::ExchangePtr& exchange, Probe probe);
    /// Asks the engine for the check that is ours and answers with `results` and its result.
    void finish(const http::ExchangePtr& exchange, Probe probe, std::vector<CheckResult> results,
                bool verbose);
    void mentionGrants(const http::ExchangePtr& exchange, std::vector<CheckResult> results);
    static CheckResult resultOf(const plugin::HealthCheck& check, Probe probe);

    const Surroundings _around;
    const BootTime _startedAt;
    EngineQuestion _question;
};

} // namespace octostore::health
