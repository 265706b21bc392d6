// SPDX-License-Identifier: MIT
#include "coordination/Probe.h"

#include <chrono>
#include <utility>

namespace octostore::coordination
{

namespace
{

/// A good answer of the store is believed for this long.
constexpr std::chrono::seconds probeBelieved{1};

} // namespace

bool Probe::believed(BootTime now) const noexcept
{
    return _workedAt && now - *_workedAt < probeBelieved;
}

bool Probe::join(Ticket ticket)
{
    _waiting.push_back(ticket);
    return _waiting.size() == 1;
}

std::vector<Ticket> Probe::answered(bool works, BootTime now)
{
    if (works)
        _workedAt = now;
    return std::exchange(_waiting, {});
}

} // namespace octostore::coordination
