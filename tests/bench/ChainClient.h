// SPDX-License-Identifier: MIT
/// @file
/// Candidates of one room that lead one after the other.
#pragma once

#include <octostore/bench/Client.h>
#include <octostore/bench/Histogram.h>
#include <octostore/bench/LeaseRequests.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace octostore::bench
{

/// One room, its leader and how long it took to get from one to the next.
struct Chain
{
    const LeaseRequests* requests = nullptr;
    Histogram* gaps = nullptr;
    std::string room;
    std::chrono::seconds ttl{60};
    bool resign = true; ///< else each leader lets its lease run out
    /// When the current leader sent its resignation, or its deadline; wall time, as the server
    /// tells deadlines in it, and on one machine there is only one.
    std::optional<std::chrono::system_clock::time_point> end;
};

/// Campaigns with a wait, leads, gives up, and waits again. With three of them in a room one is
/// always waiting. Thread-safety: thread-compatible.
class ChainClient final : public Client
{
public:
    /// `chain` must outlive this object.
    explicit ChainClient(Chain& chain) : _chain(chain) {}
    std::optional<Operation> next(Phase phase, std::string& out) override;
    Verdict answered(const Answer& answer) override;

private:
    Verdict granted(std::string_view body);

    Chain& _chain;
    std::string _token;
    bool _campaigning = false;
};

} // namespace octostore::bench
