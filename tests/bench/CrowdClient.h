// SPDX-License-Identifier: MIT
/// @file
/// Clients that are just there.
#pragma once

#include <octostore/bench/Client.h>
#include <octostore/bench/LeaseRequests.h>

#include <string>

namespace octostore::bench
{

/// An idle keep-alive connection, or a candidate that waits in a room. Thread-safety:
/// thread-compatible.
class CrowdClient final : public Client
{
public:
    /// `requests` null: idle, but for one request that shows that the connection works.
    CrowdClient(std::string authority, const LeaseRequests* requests, std::string room);
    std::optional<Operation> next(Phase phase, std::string& out) override;
    Verdict answered(const Answer& answer) override;

private:
    const std::string _authority;
    const LeaseRequests* _requests;
    const std::string _room;
    bool _asked = false;
};

} // namespace octostore::bench
