// SPDX-License-Identifier: MIT
/// @file
/// Random commands that meet each other: few names, few holders, credentials that were true once.
#include "RandomCommands.h"

#include <octostore/coordination/Name.h>

#include <cstdlib>
#include <iostream>

namespace octostore::coordination::test
{

namespace
{
constexpr std::size_t knownMax = 3;
constexpr std::uint64_t principals = 4;
} // namespace

Limits smallLimits()
{
    Limits limits;
    limits.clock = "this-boot";
    limits.leasesPerPrincipalMax = 2;
    limits.liveRoomsMax = 2;
    return limits;
}

RandomCommands::RandomCommands(std::uint64_t seed) : _random(seed) {}

std::string RandomCommands::name()
{
    const std::uint64_t pick = below(8);
    if (pick < 5)
        return "jobs/" + std::to_string(pick);
    return leaseNameOfRoom("room-000" + std::to_string(pick));
}

Milliseconds RandomCommands::wait()
{
    return Milliseconds(oneIn(2) ? 0 : 1 + below(20'000));
}

BootClock::duration RandomCommands::pause()
{
    const std::uint64_t longest = oneIn(10) ? 8'000'000'000 : 400'000'000;
    return BootClock::duration(1 + below(longest));
}

Command RandomCommands::acquire()
{
    const std::uint64_t principal = 1 + below(principals);
    Acquire acquire = acquireBy(principal, ttl(), 0);
    if (oneIn(2)) // one of two sessions
        acquire.holder = idOf<HolderId>(100 + principal * 2 + below(2));
    acquire.freshLease = idOf<LeaseId>(1'000'000 + ++_fresh);
    if (oneIn(3))
        acquire.lockDelay = Milliseconds(1 + below(3'000));
    if (oneIn(3))
        acquire.metadata = std::to_string(_fresh);
    return acquire;
}

Command RandomCommands::campaign()
{
    const std::string candidate = "candidate" + std::to_string(below(4));
    Campaign campaign = campaignBy(candidate, ttl(), ++_fresh);
    if (oneIn(2))
        campaign.candidateKey = "a-key-of-somebody-" + std::to_string(below(2));
    if (oneIn(3))
        campaign.metadata = std::to_string(_fresh);
    return campaign;
}

Command RandomCommands::command(const std::string& name)
{
    const bool lock = roomOfLeaseName(name).empty();
    if (below(100) < 45)
        return lock ? acquire() : campaign();
    return change(name);
}

Command RandomCommands::change(const std::string& name)
{
    const bool lock = roomOfLeaseName(name).empty();
    Known known;
    // Mostly what is true now, sometimes what was, sometimes another name's, sometimes nonsense.
    const std::vector<Known>& mine = _known[oneIn(20) ? this->name() : name];
    if (!mine.empty() && !oneIn(20))
        known = oneIn(5) ? mine[below(mine.size())] : mine.back();
    if (oneIn(30))
        known.credential.holder = idOf<HolderId>(1 + below(principals));
    switch (below(16))
    {
    case 0:
        return ForceEnd{known.term, "random"};
    case 1:
    case 2:
        return EndOfLease{event::Cause::Undelivered, known.receipt};
    case 3:
    case 4:
    case 5:
    case 6:
    case 7:
        if (lock)
            return Release{known.credential};
        return Resign{known.token};
    default:
        if (lock)
            return Renew{known.credential, ttl()};
        return Renew{known.token, ttl()};
    }
}

void RandomCommands::learn(const std::string& name, const Reply& reply)
{
    const auto* granted = std::get_if<Granted>(&reply);
    if (!granted)
        return;
    std::vector<Known>& known = _known[name];
    Known fresh;
    // Any token of the account works: a session's locks are shown with the account.
    std::uint64_t holder = granted->lease.holder.uuid.bytes[15];
    if (holder > 100)
        holder = (holder - 100) / 2;
    fresh.credential = {idOf<HolderId>(holder), granted->lease.lease};
    fresh.token = granted->token.value_or(LeaderToken{});
    fresh.term = granted->lease.term;
    if (granted->fresh)
        fresh.receipt = granted->receipt;
    if (known.size() == knownMax)
        known.erase(known.begin());
    known.push_back(fresh);
}

} // namespace octostore::coordination::test
