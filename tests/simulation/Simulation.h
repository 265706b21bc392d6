// SPDX-License-Identifier: MIT
/// @file
/// Servers, a store and clients in one thread and virtual time; everything follows from a seed.
#pragma once

#include "Planted.h"
#include "World.h"

#include <cstdint>
#include <string>

namespace octostore::simulation
{

struct Plan
{
    std::uint64_t seed = 1;
    bool shared = true;
    std::uint64_t servers = 3; ///< exclusive: 1
    std::uint64_t clients = 6;
    std::chrono::seconds length{60}; ///< with faults; then as long as it takes to end everything
    bool calm = false;               ///< no faults
    bool crashes = false;            ///< though it is calm: of servers
    bool restores = false;           ///< the store, from copies made earlier
    unsigned locks = 3;
    Bug bug = Bug::None;
};

struct Report
{
    std::string verdict; ///< the first broken promise; empty: none
    std::size_t commits = 0;
    std::uint64_t steps = 0;
};

/// `counters` is added to.
Report simulate(const Plan& plan, Counters& counters);

} // namespace octostore::simulation
