// SPDX-License-Identifier: MIT
#include "coordination/EngineState.h"
#include "coordination/Slice.h"

#include <octostore/coordination/Name.h>

#include <algorithm>
#include <iterator>
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

/// True: there is more.
bool Engine::State::slice(NameSurveyJob& job, Now now)
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
    for (Slice slice(_sliceClock); within() && slice.next(); ++next)
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
    {
        reply(job.ticket, std::move(job.survey));
        return false;
    }
    job.cursor = next->first;
    return true;
}

/// True: there is more.
bool Engine::State::slice(SessionSurveyJob& job, Now now)
{
    auto next = _sessions.from(job.cursor);
    for (Slice slice(_sliceClock); next != _sessions.end() && slice.next(); ++next)
    {
        const Session& session = next->second;
        if (!session.known || !session.state.liveAt(now.boot))
            continue;
        SurveyedSession seen{viewOf(session.state, now.boot), session.state.record.label};
        seen.session.locks = session.names.size();
        job.survey.sessions.push_back(std::move(seen));
    }
    if (next == _sessions.end())
    {
        reply(job.ticket, std::move(job.survey));
        return false;
    }
    job.cursor = next->first;
    return true;
}

void Engine::State::readQueue(Ticket ticket, const Name* name, const GetQueue& get, Now now)
{
    QueueView view;
    if (name && name->activity)
    {
        const Queue& waiters = name->activity->waiters;
        view.total = waiters.size();
        const std::size_t first = std::min(get.skip, waiters.size());
        auto next = std::next(waiters.begin(), static_cast<std::ptrdiff_t>(first));
        const std::size_t most = std::min(get.limit, queuePlacesMax);
        for (; next != waiters.end() && view.places.size() < most; ++next)
            view.places.push_back(placeOf(*next, first + view.places.size(), now));
    }
    reply(ticket, std::move(view));
}

} // namespace octostore::coordination
