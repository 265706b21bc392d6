// SPDX-License-Identifier: MIT
#include "coordination/Listings.h"

#include "coordination/SessionRules.h"

#include <octostore/coordination/Name.h>

#include <algorithm>
#include <utility>

namespace octostore::coordination
{

namespace
{

WallTime wallOf(BootTime at, Now now)
{
    return now.wall + (at - now.boot);
}

bool isRoom(const std::string& key)
{
    return !roomOfLeaseName(key).empty();
}

SurveyedName surveyed(const std::string& key, const Name& name, bool live)
{
    SurveyedName seen;
    seen.name = key;
    seen.waiters = name.activity ? name.activity->present : 0;
    seen.hasAcl = name.state.acl != nullptr;
    if (!live)
        return seen;
    const backend::LeaseRecord& lease = *name.state.lease;
    seen.lease = viewOf(name.state);
    seen.lease->lease = {}; // only its holder may know it
    seen.session = lease.session;
    seen.ephemeral = lease.ephemeral;
    seen.acquiredAt = lease.grantedAt;
    return seen;
}

QueuePlace placeOf(const Waiter& waiter, std::size_t position, Now now)
{
    QueuePlace place;
    place.position = position;
    place.present = waiter.present();
    place.since = wallOf(waiter.request.arrived, now);
    place.until = wallOf(waiter.until, now);
    const auto& command = std::get<Command>(waiter.request.operation);
    if (const auto* acquire = std::get_if<Acquire>(&command))
    {
        place.label = acquire->label;
        place.session = acquire->session;
    }
    else if (const auto* campaign = std::get_if<Campaign>(&command))
        place.label = campaign->candidate;
    return place;
}

} // namespace

void Listings::add(Ticket ticket, const ListLocks& list)
{
    _jobs.push_back(ListJob{ticket, list, list.prefix, {}});
}

void Listings::add(Ticket ticket, const SurveyNames& names)
{
    _jobs.push_back(NameSurveyJob{ticket, names, {}, {}});
}

void Listings::add(Ticket ticket, const SurveySessions&)
{
    _jobs.push_back(SessionSurveyJob{ticket, {}, {}});
}

std::optional<Reply> Listings::add(Ticket ticket, const Name* name, const GetQueue& get, Now now)
{
    const std::size_t places = name && name->activity ? name->activity->waiters.size() : 0;
    QueueJob job{ticket, name ? *name->key : std::string(), get};
    job.query.limit = std::min(get.limit, queuePlacesMax);
    if (std::min(get.skip + job.query.limit, places) <= sliceEntries)
        return walk(job, name, Slice(nullptr), now); // to the end
    _jobs.push_back(std::move(job));
    return std::nullopt;
}

Ticket Listings::front() const
{
    return std::visit([](const auto& job) { return job.ticket; }, _jobs.front());
}

std::optional<Reply> Listings::slice(Now now)
{
    auto answer = std::visit([&](auto& job) { return slice(job, now); }, _jobs.front());
    if (answer)
        _jobs.pop_front();
    return answer;
}

std::optional<Reply> Listings::slice(ListJob& job, Now now) const
{
    // A vector that grows copies what it has, all at once.
    if (job.listing.locks.capacity() == 0)
        job.listing.locks.reserve(std::min<std::size_t>(job.query.limit, _ledger.locks()));
    auto next = _names.from(job.cursor);
    const auto inPrefix = [&job](const std::string& key)
    { return key.compare(0, job.query.prefix.size(), job.query.prefix) == 0; };
    for (Slice slice(_clock); next != _names.end() && inPrefix(next->first) && slice.next(); ++next)
    {
        const NameState& state = next->second.state;
        if (!isLive(state, now.boot) || state.lease->kind != backend::LeaseKind::Lock)
            continue;
        ++job.listing.total;
        if (!job.query.after.empty() && next->first <= job.query.after)
            continue;
        if (job.listing.locks.size() < job.query.limit)
            job.listing.locks.push_back(statusOf(next->first, state, now.boot));
        else
            job.listing.more = true;
    }
    if (next == _names.end() || !inPrefix(next->first))
        return Reply(std::move(job.listing));
    job.cursor = next->first;
    return std::nullopt;
}

std::optional<Reply> Listings::slice(NameSurveyJob& job, Now now) const
{
    // Rooms stand together, so that the locks need not be walked over for them.
    const std::string rooms = leaseNameOfRoom("");
    const bool roomsOnly = job.query.kind == backend::LeaseKind::Election;
    if (job.cursor.empty() && roomsOnly)
        job.cursor = rooms;
    auto next = _names.from(job.cursor);
    const auto within = [&]
    {
        return next != _names.end() &&
               (!roomsOnly || next->first.compare(0, rooms.size(), rooms) == 0);
    };
    for (Slice slice(_clock); within() && slice.next(); ++next)
    {
        const Name& name = next->second;
        const bool room = isRoom(next->first);
        if (room && job.query.kind == backend::LeaseKind::Lock)
            continue;
        const bool live = isLive(name.state, now.boot);
        if (live || (room && name.hasPresentWaiters()))
            job.survey.names.push_back(surveyed(next->first, name, live));
    }
    if (!within())
        return Reply(std::move(job.survey));
    job.cursor = next->first;
    return std::nullopt;
}

std::optional<Reply> Listings::slice(SessionSurveyJob& job, Now now) const
{
    auto next = _sessions.from(job.cursor);
    for (Slice slice(_clock); next != _sessions.end() && slice.next(); ++next)
    {
        const Session& session = next->second;
        if (!session.known || !session.state.liveAt(now.boot))
            continue;
        SurveyedSession seen{viewOf(session.state, now.boot), session.state.record.label};
        seen.session.locks = session.names.size();
        job.survey.sessions.push_back(std::move(seen));
    }
    if (next == _sessions.end())
        return Reply(std::move(job.survey));
    job.cursor = next->first;
    return std::nullopt;
}

std::optional<Reply> Listings::slice(QueueJob& job, Now now) const
{
    return walk(job, _names.find(job.name), Slice(_clock), now);
}

/// What is taken out of the queue in front of where a walk stands still counts for it: positions
/// are those at which the places were met.
std::optional<Reply> Listings::walk(QueueJob& job, const Name* name, Slice slice, Now now)
{
    const Queue* waiters = name && name->activity ? &name->activity->waiters : nullptr;
    if (!std::exchange(job.begun, true) && waiters && !waiters->empty())
        job.next = waiters->begin();
    std::vector<QueuePlace>& places = job.view.places;
    while (job.next && places.size() < job.query.limit)
    {
        if (!slice.next())
            return std::nullopt;
        if (job.walked >= job.query.skip)
            places.push_back(placeOf(**job.next, job.walked, now));
        ++job.walked;
        if (++*job.next == waiters->end())
            job.next.reset();
    }
    job.view.total = job.next ? std::max(waiters->size(), job.walked + 1) : job.walked;
    return Reply(std::move(job.view));
}

void Listings::stepOver(const Name& name, Queue::iterator place)
{
    auto* job = _jobs.empty() ? nullptr : std::get_if<QueueJob>(&_jobs.front());
    if (!job || !job->next || &**job->next != &*place)
        return;
    if (++*job->next == name.activity->waiters.end())
        job->next.reset();
}

} // namespace octostore::coordination
