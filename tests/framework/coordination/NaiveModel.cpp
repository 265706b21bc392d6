// SPDX-License-Identifier: MIT
/// @file
/// The rules of leases and queues a second time; see NaiveModelChange.cpp for who has a lease
/// already and NaiveModelCheck.cpp for the comparisons.
#include "NaiveModel.h"

#include <algorithm>

namespace octostore::coordination::test
{

using event::Cause;

namespace
{

Milliseconds ttlOf(const Command& command)
{
    if (const auto* acquire = std::get_if<Acquire>(&command))
        return acquire->ttl;
    return std::get<Campaign>(command).ttl;
}

/// Who may claim a kept place and shares a lease; empty: nobody but the one caller.
std::string identityOf(const Command& command)
{
    if (const auto* acquire = std::get_if<Acquire>(&command))
        return acquire->holder.toString();
    const auto& campaign = std::get<Campaign>(command);
    return campaign.candidateKey.empty() ? "" : campaign.candidate + " " + campaign.candidateKey;
}

Milliseconds whole(BootClock::duration time)
{
    return std::chrono::duration_cast<Milliseconds>(time);
}

} // namespace

void NaiveModel::submit(Ticket ticket, const std::string& name, const Command& command,
                        Milliseconds wait, BootTime now)
{
    Name& known = _names[name];
    if (std::holds_alternative<Acquire>(command) || std::holds_alternative<Campaign>(command))
        ask({ticket, identityOf(command), command, now, now + wait}, known, wait, now);
    else
        change(ticket, known, command, now);
}

void NaiveModel::ask(Place place, Name& name, Milliseconds wait, BootTime now)
{
    if (name.lease && isOwn(*name.lease, place.command))
        return again(name, place.ticket, ttlOf(place.command), Milliseconds(0), now);
    auto refused = refusal(name, place.command);
    if (!refused)
        return grant(name, place, wait.count() > 0, now);
    if (wait.count() == 0 || refused->kind == Expected::Kind::Refused)
    {
        refused->ticket = place.ticket;
        _due.push_back(*refused);
        return;
    }
    for (Place& kept : name.places)
        if (!kept.present() && !kept.identity.empty() && kept.identity == place.identity)
        {
            kept = place;
            return;
        }
    name.places.push_back(place);
}

bool NaiveModel::isOwn(const Lease& lease, const Command& command) const
{
    if (const auto* acquire = std::get_if<Acquire>(&command))
        return lease.holder == acquire->holder;
    const auto& campaign = std::get<Campaign>(command);
    return !campaign.candidateKey.empty() && lease.label == campaign.candidate &&
           lease.key == campaign.candidateKey;
}

bool NaiveModel::isLimited(const Command& command) const
{
    if (const auto* acquire = std::get_if<Acquire>(&command))
        return leasesOf(acquire->principal) >= _limits.leasesPerPrincipalMax;
    return liveRooms() >= _limits.liveRoomsMax;
}

std::optional<NaiveModel::Expected> NaiveModel::refusal(const Name& name,
                                                        const Command& command) const
{
    Expected told;
    const bool lock = std::holds_alternative<Acquire>(command);
    if (!name.lease && name.coolingUntil)
    {
        told.kind = Expected::Kind::Delayed;
        told.availableAt = *name.coolingUntil;
        told.delay = name.delay;
        return told;
    }
    // A lock's limit comes before its holder, a room's capacity after its leader.
    if ((lock || !name.lease) && isLimited(command))
    {
        told.codes = {lock ? ErrorCode::LockLimitExceeded : ErrorCode::CapacityExceeded};
        return told;
    }
    if (!name.lease)
        return std::nullopt;
    told.kind = Expected::Kind::Held;
    told.lease = name.lease;
    return told;
}

void NaiveModel::again(Name& name, Ticket ticket, Milliseconds ttl, Milliseconds waited,
                       BootTime now)
{
    name.lease->deadline = std::max(name.lease->deadline, now + ttl);
    name.lease->pristine = false;
    Expected told;
    told.ticket = ticket;
    told.kind = Expected::Kind::Granted;
    told.lease = name.lease;
    told.waited = waited;
    _due.push_back(told);
}

void NaiveModel::grant(Name& name, const Place& place, bool waited, BootTime now)
{
    Lease lease;
    lease.grant = std::make_shared<Grant>();
    if (const auto* acquire = std::get_if<Acquire>(&place.command))
    {
        lease.holder = acquire->holder;
        lease.principal = acquire->principal;
        lease.label = acquire->label;
        lease.lease = acquire->freshLease;
        lease.metadata = acquire->metadata;
        lease.delay = acquire->lockDelay;
    }
    else
    {
        const auto& campaign = std::get<Campaign>(place.command);
        lease.label = campaign.candidate;
        lease.key = campaign.candidateKey;
        lease.metadata = campaign.metadata;
    }
    lease.deadline = now + ttlOf(place.command);
    name.lease = lease;
    name.coolingUntil.reset();
    name.past.reset();
    Expected told;
    told.ticket = place.ticket;
    told.kind = Expected::Kind::Granted;
    told.name = &name;
    told.lease = lease;
    told.fresh = true;
    told.waited = waited ? whole(now - place.arrived) : Milliseconds(0);
    _due.push_back(told);

    for (auto other = name.places.begin(); other != name.places.end();)
    {
        const auto same = other++;
        if (!same->present() || same->identity.empty() || same->identity != place.identity)
            continue;
        again(name, same->ticket, ttlOf(same->command), whole(now - same->arrived), now);
        name.places.erase(same);
    }
}

void NaiveModel::end(Name& name, Cause cause, BootTime at)
{
    const Lease& lease = *name.lease;
    name.past = Past{lease.grant, lease.principal, lease.lease, cause, at};
    name.delay = cause == Cause::Undelivered ? Milliseconds(0) : lease.delay;
    if (name.delay.count() > 0)
        name.coolingUntil = at + name.delay;
    name.lease.reset();
}

void NaiveModel::serve(Name& name, BootTime now)
{
    for (auto next = name.places.begin(); next != name.places.end();)
    {
        const auto place = next++;
        if (name.lease || name.coolingUntil || !place->present())
            continue;
        const Place served = *place;
        name.places.erase(place);
        auto refused = refusal(name, served.command);
        if (!refused)
        {
            grant(name, served, true, now);
            return;
        }
        refused->ticket = served.ticket;
        _due.push_back(*refused);
    }
}

void NaiveModel::abandon(Ticket ticket, BootTime now)
{
    for (auto& [key, name] : _names)
        for (auto place = name.places.begin(); place != name.places.end(); ++place)
        {
            if (place->ticket != ticket)
                continue;
            place->ticket = Ticket(0);
            place->until = now + std::chrono::seconds(5);
            if (place->identity.empty())
                name.places.erase(place);
            return;
        }
}

void NaiveModel::waitOver(Name& name, std::list<Place>::iterator place)
{
    if (!place->present())
    {
        name.places.erase(place);
        return;
    }
    auto told = refusal(name, place->command);
    if (!told)
        return; // it is being served
    std::size_t present = 0, all = 0;
    for (auto other = name.places.begin(); other != place; ++other, ++all)
        present += other->present() ? 1 : 0;
    told->ticket = place->ticket;
    told->position = {present, all};
    _due.push_back(*told);
    place->ticket = Ticket(0);
    place->until += std::chrono::seconds(5);
    if (place->identity.empty())
        name.places.erase(place);
}

void NaiveModel::restart()
{
    for (auto& [key, name] : _names)
    {
        name.places.clear();
        if (name.lease)
            name.lease->pristine = false;
    }
}

std::optional<BootTime> NaiveModel::nextOf(const Name& name)
{
    std::optional<BootTime> next;
    const auto consider = [&next](BootTime other) { next = next ? std::min(*next, other) : other; };
    if (name.lease)
        consider(name.lease->deadline);
    if (name.coolingUntil)
        consider(*name.coolingUntil);
    for (const Place& place : name.places)
        consider(place.until);
    return next;
}

std::optional<BootTime> NaiveModel::nextEvent() const
{
    std::optional<BootTime> next;
    for (const auto& [key, name] : _names)
    {
        // The end of a delay and of a kept place matter only to who waits.
        std::optional<BootTime> own;
        const bool awaited = std::any_of(name.places.begin(), name.places.end(),
                                         [](const Place& place) { return place.present(); });
        if (name.lease || awaited)
            own = nextOf(name);
        if (own && (!next || *own < *next))
            next = own;
    }
    return next;
}

void NaiveModel::passName(Name& name, BootTime now)
{
    if (name.lease && name.lease->deadline <= now)
        end(name, Cause::Ttl, name.lease->deadline);
    if (name.coolingUntil && *name.coolingUntil <= now)
        name.coolingUntil.reset();
    serve(name, now);
    for (auto next = name.places.begin(); next != name.places.end();)
    {
        const auto place = next++;
        if (place->until <= now)
            waitOver(name, place);
    }
}

void NaiveModel::passTo(BootTime now)
{
    for (;;)
    {
        Name* first = nullptr;
        BootTime when = now;
        for (auto& [key, name] : _names)
            if (const auto next = nextOf(name); next && *next <= when)
            {
                first = &name;
                when = *next;
            }
        if (!first)
            return;
        passName(*first, when);
    }
}

std::size_t NaiveModel::leasesOf(PrincipalId principal) const
{
    std::size_t count = 0;
    for (const auto& [key, name] : _names)
        count += name.lease && !name.lease->lease.isNil() && name.lease->principal == principal;
    return count;
}

std::size_t NaiveModel::liveRooms() const
{
    std::size_t count = 0;
    for (const auto& [key, name] : _names)
        count += name.lease && name.lease->lease.isNil();
    return count;
}

std::vector<Ticket> NaiveModel::waiting() const
{
    std::vector<Ticket> tickets;
    for (const auto& [key, name] : _names)
        for (const Place& place : name.places)
            if (place.present())
                tickets.push_back(place.ticket);
    return tickets;
}

} // namespace octostore::coordination::test
