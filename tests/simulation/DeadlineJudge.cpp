// SPDX-License-Identifier: MIT
#include "DeadlineJudge.h"

#include <algorithm>

namespace octostore::simulation
{

namespace
{

/// Nothing that conversions between clocks may round away.
constexpr Duration roundedAway = std::chrono::microseconds(1);

/// What a promised time is worth by any other clock.
Duration certainOf(Duration time)
{
    return time * 99 / 100;
}

const backend::LeaseRecord* heldIn(const backend::Record& record)
{
    const auto* lease = std::get_if<backend::LeaseRecord>(&record.value);
    return lease && lease->state == backend::LeaseState::Held ? lease : nullptr;
}

Term termOf(const backend::Record& record, const backend::LeaseRecord& lease)
{
    return lease.term == Term() ? Term(record.version.value()) : lease.term;
}

} // namespace

void DeadlineJudge::broken(const std::string& what)
{
    if (_verdict.empty())
        _verdict = "G4: " + what;
}

void DeadlineJudge::granted(const std::string& name, Term term)
{
    _grants.emplace(Lease(name, term), Grant{});
}

void DeadlineJudge::renewArrives(const std::string& name, Term term, Milliseconds ttl)
{
    if (const auto grant = _grants.find({name, term}); grant != _grants.end())
        grant->second.renewed.emplace(ttl, _world.bootTime());
}

/// A renew for less, and not counted from before it came.
bool DeadlineJudge::isAskedFor(const Grant& grant, Milliseconds ttl, BootTime deadline) const
{
    const auto arrived = grant.renewed.find(ttl);
    return ttl < grant.ttl && arrived != grant.renewed.end() &&
           deadline >= arrived->second + certainOf(ttl);
}

void DeadlineJudge::shorten(Grant& grant, BootTime deadline)
{
    grant.promised = std::min(grant.promised, deadline);
    grant.shorter.push_back({_world.bootTime(), deadline});
}

void DeadlineJudge::changed(const backend::Record& record)
{
    const auto* lease = heldIn(record);
    if (!lease)
        return;
    const auto found = _grants.find({record.key.name, termOf(record, *lease)});
    const auto clock = _clocks.find(std::string(lease->deadline.clock.view()));
    if (found == _grants.end() || clock == _clocks.end())
        return;
    Grant& grant = found->second;
    const BootTime deadline = clock->second->world(lease->deadline.boot);
    if (isAskedFor(grant, lease->ttl, deadline))
    {
        _world.count("lease renewed for less");
        shorten(grant, deadline);
    }
    else if (deadline + roundedAway < grant.promised)
        broken("shortened though its holder did not ask for that: " + record.key.name);
    grant.ttl = lease->ttl;
}

/// What was committed since it was asked may have made it shorter; nothing before that did.
bool DeadlineJudge::told(const std::string& name, Term term, BootTime asked, BootTime deadline)
{
    const auto found = _grants.find({name, term});
    if (found == _grants.end())
        return false;
    Grant& grant = found->second;
    grant.latest = std::max(grant.latest, deadline);
    for (const Shorter& shorter : grant.shorter)
        if (shorter.since >= asked)
            deadline = std::min(deadline, shorter.deadline);
    grant.promised = std::max(grant.promised, deadline);
    if (grant.ended && *grant.ended + roundedAway < deadline)
        broken("promised beyond its end: " + name);
    return true;
}

void DeadlineJudge::endedByTime(const std::string& name, Term term)
{
    Grant& grant = _grants[{name, term}];
    grant.ended = _world.bootTime();
    if (*grant.ended + roundedAway < grant.promised)
        broken("ended before its deadline: " + name);
    if (*grant.ended + roundedAway < grant.latest)
        _world.count("lease ended at its shorter deadline");
}

void DeadlineJudge::restored(const std::vector<backend::Record>& records)
{
    for (auto& [lease, grant] : _grants)
        if (const auto then = _copy.find(lease); then != _copy.end())
            grant.ended = then->second.ended;
    for (const backend::Record& record : records)
        if (const auto* lease = heldIn(record))
        {
            Grant& grant = _grants[{record.key.name, termOf(record, *lease)}];
            grant.ttl = lease->ttl;
            shorten(grant, _world.bootTime() + certainOf(lease->ttl));
        }
}

} // namespace octostore::simulation
