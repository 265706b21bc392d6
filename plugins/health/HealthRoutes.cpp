// SPDX-License-Identifier: MIT
#include "HealthRoutes.h"

#include <octostore/base/Json.h>
#include <octostore/http/UserCount.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string_view>
#include <utility>

namespace octostore::health
{

namespace
{

// Names of the checks that are ours: what each proves.
constexpr std::string_view engineCheck = "engine";
constexpr std::string_view storeCheck = "store";

std::string statusJson(const coordination::Counts& counts, std::uint64_t uptimeSeconds,
                       std::uint64_t users)
{
    JsonWriter json;
    json.beginObject()
        .field("active_locks", static_cast<std::uint64_t>(counts.locks + counts.rooms))
        .field("status", "ok")
        .field("total_acquires", counts.acquired)
        .field("total_releases", counts.released)
        .field("total_users", users)
        .field("uptime_seconds", uptimeSeconds)
        .endObject();
    return json.take();
}

} // namespace

HealthRoutes::HealthRoutes(const Surroundings& surroundings)
    : _around(surroundings),
      _startedAt(surroundings.clock.bootTime()),
      _question(surroundings.coordinator, surroundings.watchdog)
{
}

std::vector<http::Route> HealthRoutes::routes()
{
    const auto route =
        [](std::string pattern, std::function<void(const http::ExchangePtr&)> handler)
    {
        http::Route made;
        made.pattern = std::move(pattern);
        made.handler = std::move(handler);
        return made;
    };
    std::vector<http::Route> all;
    all.push_back(route("/health", [this](const auto& exchange) { answerHealth(exchange); }));
    all.push_back(route("/status", [this](const auto& exchange) { answerStatus(exchange); }));
    for (const Probe probe : {Probe::Live, Probe::Ready})
    {
        const std::string path = probe == Probe::Live ? "/livez" : "/readyz";
        all.push_back(
            route(path, [this, probe](const auto& exchange) { answerProbe(exchange, probe); }));
        all.push_back(route(path + "/{check}",
                            [this, probe](const auto& exchange) { answerCheck(exchange, probe); }));
    }
    return all;
}

void HealthRoutes::answerHealth(const http::ExchangePtr& exchange) const
{
    JsonWriter json;
    json.beginObject()
        .field("db_size_bytes", _around.backend.sizeBytes())
        .field("status", "ok")
        .field("storage", "wal")
        .endObject();
    exchange->respond(http::jsonResponse(json.take()));
}

void HealthRoutes::answerStatus(const http::ExchangePtr& exchange)
{
    _question.ask(
        exchange, coordination::GetCounts{},
        [this, exchange](Result<coordination::Reply> reply)
        {
            if (!reply)
                return exchange->respond(reply.error());
            const auto* counts = std::get_if<coordination::Counts>(&*reply);
            if (counts == nullptr)
                return exchange->respond(Error{ErrorCode::Internal, "not the counts asked for"});
            const std::uint64_t users = http::userCount(_around.registry.all<http::AuthProvider>());
            const auto uptime = std::chrono::duration_cast<std::chrono::seconds>(
                _around.clock.bootTime() - _startedAt);
            exchange->respond(http::jsonResponse(
                statusJson(*counts, static_cast<std::uint64_t>(uptime.count()), users)));
        });
}

void HealthRoutes::answerProbe(const http::ExchangePtr& exchange, Probe probe)
{
    const ProbeOptions options = ProbeOptions::parse(exchange->request().query());
    std::vector<CheckResult> results;
    for (const plugin::HealthCheck* check : _around.registry.all<plugin::HealthCheck>())
    {
        if (options.excluded.count(check->name()) == 0)
            results.push_back(resultOf(*check, probe));
    }
    if (options.excluded.count(probe == Probe::Live ? engineCheck : storeCheck) != 0)
        return exchange->respond(report(results, options.verbose));
    finish(exchange, probe, std::move(results), options.verbose);
}

void HealthRoutes::answerCheck(const http::ExchangePtr& exchange, Probe probe)
{
    const ProbeOptions options = ProbeOptions::parse(exchange->request().query());
    const std::string& name = exchange->parameter("check");
    if (name == (probe == Probe::Live ? engineCheck : storeCheck))
        return finish(exchange, probe, {}, options.verbose);
    for (const plugin::HealthCheck* check : _around.registry.all<plugin::HealthCheck>())
    {
        if (check->name() == name)
            return exchange->respond(report({resultOf(*check, probe)}, options.verbose));
    }
    exchange->respond(Error{ErrorCode::NotFound, "there is no such check"});
}

void HealthRoutes::finish(const http::ExchangePtr& exchange, Probe probe,
                          std::vector<CheckResult> results, bool verbose)
{
    const bool live = probe == Probe::Live;
    const coordination::Query query = live ? coordination::Query(coordination::GetCounts{})
                                           : coordination::Query(coordination::ProbeStore{});
    _question.ask(exchange, query,
                  [this, exchange, live, verbose,
                   results = std::move(results)](Result<coordination::Reply> reply) mutable
                  {
                      CheckResult ours{std::string(live ? engineCheck : storeCheck), {}};
                      // Who says that it is draining is alive.
                      const bool draining = !reply && reply.error().code == ErrorCode::Draining;
                      if (!reply && !(live && draining))
                          ours.outcome = Error{reply.error().code, publicReason(reply.error())};
                      results.insert(results.begin(), std::move(ours));
                      if (live || !verbose || !reply)
                          return exchange->respond(report(results, verbose));
                      mentionGrants(exchange, std::move(results));
                  });
}

/// A restored store is ready: who has a lease keeps it. But it should be known that nobody gets
/// one.
void HealthRoutes::mentionGrants(const http::ExchangePtr& exchange,
                                 std::vector<CheckResult> results)
{
    _question.ask(
        exchange, coordination::GetCounts{},
        [exchange, results = std::move(results)](Result<coordination::Reply> reply) mutable
        {
            const auto* counts = reply ? std::get_if<coordination::Counts>(&*reply) : nullptr;
            if (counts != nullptr && counts->grantsAt)
                results.front().note = ", but the store was restored: no grants before " +
                                       toRfc3339(*counts->grantsAt);
            exchange->respond(report(results, true));
        });
}

CheckResult HealthRoutes::resultOf(const plugin::HealthCheck& check, Probe probe)
{
    return {std::string(check.name()), probe == Probe::Live ? check.live() : check.ready()};
}

} // namespace octostore::health
