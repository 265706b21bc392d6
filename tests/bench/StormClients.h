// SPDX-License-Identifier: MIT
/// @file
/// Renewals while many other leases end.
#pragma once

#include <octostore/bench/Client.h>
#include <octostore/bench/Histogram.h>
#include <octostore/bench/LeaseRequests.h>

#include <chrono>
#include <string>

namespace octostore::bench
{

/// When the others end, and what renewals took then.
struct Storm
{
    using Clock = std::chrono::steady_clock;

    const LeaseRequests* requests = nullptr;
    std::string run;
    Clock::time_point from; ///< of what counts
    Clock::time_point to;
    Histogram before; ///< renewals answered before `from`
    Histogram during;
};

/// Holds one lease and renews it all the time. Thread-safety: thread-compatible.
class StormRenewer final : public Client
{
public:
    /// `storm` must outlive this object.
    StormRenewer(Storm& storm, std::size_t number);
    std::optional<Operation> next(Phase phase, std::string& out) override;
    Verdict answered(const Answer& answer) override;

private:
    Storm& _storm;
    const std::string _name;
    std::string _credential;
    bool _renewing = false;
    Storm::Clock::time_point _asked;
};

} // namespace octostore::bench
