// SPDX-License-Identifier: MIT
/// @file
/// The kinds of load that `octostore bench` knows.
#pragma once

#include <octostore/base/Result.h>
#include <octostore/bench/Client.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::bench
{

enum class Workload : std::uint8_t
{
    Locks,     ///< acquire and release, in turn
    Elections, ///< campaign and resign, in turn
    Acquire,   ///< acquire only, every name once
    Renew,     ///< each connection renews a lease of its own
    Status,    ///< each connection asks about a lease of its own
    Mix,       ///< of ten requests six renew, three ask, one acquires or releases
};

std::optional<Workload> parseWorkload(std::string_view name) noexcept;

struct WorkloadOptions
{
    Workload kind = Workload::Locks;
    std::string authority; ///< for the Host header
    std::string basePath;
    std::string token; ///< empty: rooms are used instead of locks
    std::size_t connections = 64;
    /// Spread over the connections; 0: a hundred for each. Only of Locks, Elections and Mix.
    std::size_t names = 0;
    std::chrono::seconds ttl{60};
    std::string run; ///< part of every name, so that two runs do not meet
};

/// One client for each connection. Errors: InvalidInput, when locks are asked for without a token,
/// or a number of names is given that this kind cannot keep to.
Result<std::vector<std::unique_ptr<Client>>> makeClients(const WorkloadOptions& options);

} // namespace octostore::bench
