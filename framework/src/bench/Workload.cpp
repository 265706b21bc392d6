// SPDX-License-Identifier: MIT
#include "LeaseClients.h"

#include <octostore/bench/Workload.h>

#include <array>
#include <utility>

namespace octostore::bench
{

namespace
{

constexpr std::array<std::pair<std::string_view, Workload>, 6> workloads{{
    {"locks", Workload::Locks},
    {"elections", Workload::Elections},
    {"acquire", Workload::Acquire},
    {"renew", Workload::Renew},
    {"status", Workload::Status},
    {"mix", Workload::Mix},
}};

constexpr std::size_t namesForEach = 100;

std::unique_ptr<Client> makeClient(Workload kind, const LeaseSettings& settings)
{
    switch (kind)
    {
    case Workload::Locks:
    case Workload::Elections:
        return std::make_unique<PairClient>(settings);
    case Workload::Acquire:
        return std::make_unique<AcquireClient>(settings);
    case Workload::Renew:
        return std::make_unique<HoldingClient>(settings, HoldingClient::Pattern{Operation::Renew});
    case Workload::Status:
        return std::make_unique<HoldingClient>(settings, HoldingClient::Pattern{Operation::Status});
    case Workload::Mix:
        return std::make_unique<HoldingClient>(
            settings, HoldingClient::Pattern{
                          Operation::Renew, Operation::Status, Operation::Renew, Operation::Renew,
                          Operation::Status, Operation::Acquire, Operation::Renew,
                          Operation::Status, Operation::Renew, Operation::Renew});
    }
    return nullptr;
}

/// The others have a lease for each connection, or a new name each time: a number would do nothing.
bool takesNames(Workload kind) noexcept
{
    return kind == Workload::Locks || kind == Workload::Elections || kind == Workload::Mix;
}

Result<void> checkNames(const WorkloadOptions& options)
{
    if (options.names == 0)
        return {};
    if (!takesNames(options.kind))
        return Error{ErrorCode::InvalidInput,
                     "--names is for locks, elections and mix: acquire takes a new name each time, "
                     "renew and status have one for each connection"};
    // One that it holds, and one that comes and goes.
    if (options.kind == Workload::Mix && options.names < 2 * options.connections)
        return Error{ErrorCode::InvalidInput, "mix needs two names for each connection: --names " +
                                                  std::to_string(2 * options.connections) +
                                                  " or more"};
    return {};
}

} // namespace

std::optional<Workload> parseWorkload(std::string_view name) noexcept
{
    for (const auto& [known, workload] : workloads)
    {
        if (known == name)
            return workload;
    }
    return std::nullopt;
}

Result<std::vector<std::unique_ptr<Client>>> makeClients(const WorkloadOptions& options)
{
    const bool needsLocks = options.kind == Workload::Locks;
    if (needsLocks && options.token.empty())
        return Error{ErrorCode::InvalidInput, "locks need a bearer token"};
    if (const auto names = checkNames(options); !names)
        return names.error();
    Target target{options.authority, options.basePath, options.token};
    if (options.kind == Workload::Elections)
        target.token.clear();

    LeaseSettings settings;
    settings.requests = std::make_shared<const LeaseRequests>(target);
    settings.ttl = options.ttl;
    settings.run = options.run;
    settings.stride = options.connections;
    settings.names = options.names != 0 ? options.names : options.connections * namesForEach;
    std::vector<std::unique_ptr<Client>> clients;
    for (settings.first = 0; settings.first < options.connections; ++settings.first)
        clients.push_back(makeClient(options.kind, settings));
    return clients;
}

} // namespace octostore::bench
