// SPDX-License-Identifier: MIT
#include "Scenarios.h"

#include "ChainClient.h"
#include "CrowdClient.h"
#include "EtcdClient.h"
#include "FillClient.h"
#include "StormClients.h"

#include <octostore/base/Json.h>
#include <octostore/bench/LoadLoop.h>
#include <octostore/bench/Report.h>

#include <deque>
#include <iostream>
#include <memory>
#include <vector>

#include <unistd.h>

namespace octostore::bench
{

namespace
{

using namespace std::chrono_literals;
using Clients = std::vector<std::unique_ptr<Client>>;

LoadOptions loadOf(const Setting& setting)
{
    LoadOptions load;
    load.host = setting.host;
    load.port = setting.port;
    load.duration = setting.duration;
    return load;
}

Target roomsOf(const Setting& setting)
{
    return {setting.authority, "", ""};
}

Result<std::unique_ptr<const LeaseRequests>> locksOf(const Setting& setting)
{
    if (setting.token.empty())
        return Error{ErrorCode::InvalidInput, "OCTOSTORE_TOKEN must have a token"};
    return std::make_unique<const LeaseRequests>(Target{setting.authority, "", setting.token});
}

void field(JsonWriter& json, std::string_view name, const Histogram& latency)
{
    const auto us = [](Duration duration)
    { return std::chrono::duration<double, std::micro>(duration).count(); };
    json.key(name)
        .beginObject()
        .field("count", latency.count())
        .field("p50_us", us(latency.quantile(0.5)))
        .field("p99_us", us(latency.quantile(0.99)))
        .field("max_us", us(latency.most()))
        .endObject();
}

/// A failed request spoils what was measured: it is an error, not a figure.
Result<LoadResult> run(const LoadOptions& load, const Clients& clients)
{
    auto result = runLoad(load, clients);
    if (result && result->failures() != 0)
        return Error{ErrorCode::Internal,
                     std::to_string(result->failures()) +
                         " requests failed; the first: " + result->firstFailure};
    return result;
}

Result<void> chainScenario(const Setting& setting, bool resign)
{
    constexpr std::size_t candidates = 3;
    const LeaseRequests requests(roomsOf(setting));
    Histogram gaps;
    std::deque<Chain> chains;
    Clients clients;
    for (std::size_t room = 0; room < setting.rooms; ++room)
    {
        chains.push_back({&requests, &gaps, "bench-" + setting.run + "-" + std::to_string(room),
                          resign ? 60s : 5s, resign, std::nullopt});
        for (std::size_t i = 0; i < candidates; ++i)
            clients.push_back(std::make_unique<ChainClient>(chains.back()));
    }
    LoadOptions load = loadOf(setting);
    load.cleanUp = 100ms;
    if (const auto result = run(load, clients); !result)
        return result.error();
    JsonWriter json;
    json.beginObject().field("kind", resign ? "hand-over" : "expiry");
    json.field("rooms", static_cast<std::uint64_t>(setting.rooms));
    field(json, "gap", gaps);
    std::cout << json.endObject().take() << "\n";
    return {};
}

Result<void> fill(const Setting& setting, Filling& filling, Clients& clients)
{
    auto requests = locksOf(setting);
    if (!requests)
        return requests.error();
    filling.requests = *std::move(requests);
    filling.run = setting.run;
    filling.names = setting.names;
    for (std::size_t i = 0; i < setting.connections; ++i)
        clients.push_back(std::make_unique<FillClient>(filling));
    return {};
}

} // namespace

Result<void> etcdScenario(const Setting& setting)
{
    Clients clients;
    for (std::size_t i = 0; i < setting.connections; ++i)
        clients.push_back(
            std::make_unique<EtcdClient>(setting.authority, setting.run, i, setting.connections));
    const auto result = run(loadOf(setting), clients);
    if (!result)
        return result.error();
    std::cout << jsonReport("etcd", setting.connections, *result) << "\n";
    return {};
}

Result<void> handOverScenario(const Setting& setting)
{
    return chainScenario(setting, true);
}

Result<void> expiryScenario(const Setting& setting)
{
    return chainScenario(setting, false);
}

Result<void> fillScenario(const Setting& setting)
{
    Filling filling;
    Clients clients;
    filling.ttl = [] { return 3600s; };
    if (auto made = fill(setting, filling, clients); !made)
        return made.error();
    LoadOptions load = loadOf(setting);
    load.warmUp = 0s;
    load.duration = 1h;
    const auto result = run(load, clients);
    if (!result)
        return result.error();
    std::cout << jsonReport("fill", setting.connections, *result) << "\n";
    return {};
}

Result<void> stormScenario(const Setting& setting)
{
    constexpr std::size_t renewers = 16;
    constexpr auto lead = 30s; // for the leases to be there when they end
    Filling filling;
    Clients clients;
    if (auto made = fill(setting, filling, clients); !made)
        return made.error();
    const auto end = Storm::Clock::now() + lead;
    // Whole seconds up to an instant in [end, end + 1 s).
    filling.ttl = [end]
    { return std::chrono::ceil<std::chrono::seconds>(end - Storm::Clock::now()); };
    Storm storm{filling.requests.get(), setting.run, end, end + 5s, {}, {}};
    for (std::size_t i = 0; i < renewers; ++i)
        clients.push_back(std::make_unique<StormRenewer>(storm, i));
    LoadOptions load = loadOf(setting);
    load.warmUp = 0s;
    load.duration = 1h;
    const auto result = run(load, clients);
    if (!result)
        return result.error();
    JsonWriter json;
    json.beginObject().field("kind", "storm");
    json.field("leases", static_cast<std::uint64_t>(setting.names));
    field(json, "before", storm.before);
    field(json, "during", storm.during);
    std::cout << json.endObject().take() << "\n";
    return {};
}

Result<void> crowdScenario(const Setting& setting)
{
    const LeaseRequests requests(roomsOf(setting));
    Clients clients;
    for (std::size_t i = 0; i < setting.idle; ++i)
        clients.push_back(std::make_unique<CrowdClient>(setting.authority, nullptr, ""));
    for (std::size_t i = 0; i < setting.waiters; ++i)
        clients.push_back(std::make_unique<CrowdClient>(setting.authority, &requests,
                                                        "bench-crowd-" + std::to_string(i % 10)));
    LoadOptions load = loadOf(setting);
    load.warmUp = 0s;
    load.duration = 1h;
    load.cleanUp = 0s;
    load.stay = true;
    load.stopDescriptor = STDIN_FILENO;
    const auto result = runLoad(load, clients);
    if (!result)
        return result.error();
    std::cout << jsonReport("crowd", clients.size(), *result) << "\n";
    return {};
}

} // namespace octostore::bench
