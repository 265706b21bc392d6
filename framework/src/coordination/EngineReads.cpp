// SPDX-License-Identifier: MIT
#include "coordination/EngineState.h"

#include <octostore/coordination/Name.h>

#include <algorithm>
#include <utility>

namespace octostore::coordination
{

void Engine::State::read(Ticket ticket, const Request& request, const Query& query, Now now)
{
    static const NameState unknown;
    const Name* name = _names.find(request.name);
    const NameState& state = name ? name->state : unknown;
    if (std::holds_alternative<GetStatus>(query))
    {
        Status status = statusOf(request.name, state, now.boot);
        status.asOf = _revision;
        status.waiters = name && name->activity ? name->activity->present : 0;
        reply(ticket, std::move(status));
    }
    else if (const auto* fence = std::get_if<CheckFence>(&query))
    {
        Fence answer;
        if (isLive(state, now.boot))
        {
            answer.live = state.lease->term;
            answer.current = state.lease->term == fence->term;
        }
        reply(ticket, answer);
    }
    else if (const auto* list = std::get_if<ListLocks>(&query))
        _listings.add(ticket, *list);
    else if (const auto* names = std::get_if<SurveyNames>(&query))
        _listings.add(ticket, *names);
    else if (const auto* sessions = std::get_if<SurveySessions>(&query))
        _listings.add(ticket, *sessions);
    else if (const auto* queue = std::get_if<GetQueue>(&query))
    {
        if (auto answer = _listings.add(ticket, name, *queue, now))
            reply(ticket, std::move(*answer));
    }
    else if (const auto* get = std::get_if<GetSession>(&query))
        readSession(ticket, *get, now);
    else if (const auto* of = std::get_if<GetRecords>(&query))
    {
        Records found;
        for (auto next = _records.lower_bound({of->collection, {}});
             next != _records.end() && next->first.collection == of->collection; ++next)
            found.records.push_back(next->second);
        reply(ticket, std::move(found));
    }
    else if (std::holds_alternative<GetCounts>(query))
        reply(ticket, counts(now));
    else
        probe(ticket, now);
}

void Engine::State::readSession(Ticket ticket, const GetSession& get, Now now)
{
    const Session* session = _sessions.find(get.session);
    const SessionState* state = _sessions.stateOf(get.session);
    const auto refusal = sessionRefusal(state, get.principal, now.boot);
    if (refusal && refusal->code != ErrorCode::SessionExpired)
    {
        reply(ticket, Refused{*refusal, std::nullopt, std::nullopt});
        return;
    }
    SessionView view = viewOf(*state, now.boot);
    view.locks = static_cast<std::size_t>(
        std::count_if(session->names.begin(), session->names.end(),
                      [now](const Name* name) { return isLive(name->state, now.boot); }));
    reply(ticket, view);
}

/// One slice of the listing in front, if anybody waits for it.
void Engine::State::listSlice(Now now)
{
    const Ticket ticket = _listings.front();
    if (isAbandoned(ticket))
    {
        _open.erase(ticket);
        _listings.dropFront();
    }
    else if (auto answer = _listings.slice(now))
        reply(ticket, std::move(*answer));
}

Counts Engine::State::counts(Now now) const
{
    Counts counts;
    counts.locks = _ledger.locks();
    counts.rooms = _ledger.rooms();
    counts.sessions = _sessions.open();
    counts.lockQueues = _lockQueues.counts();
    counts.roomQueues = _roomQueues.counts();
    counts.acquired = _acquired;
    counts.released = _released;
    counts.expired = _expired;
    counts.revision = _revision;
    counts.roomsResigned = _remembered.rooms(Leaderless::Resigned);
    counts.roomsLost = _remembered.rooms(Leaderless::Lost);
    if (_limits.grantsFrom && now.boot < *_limits.grantsFrom)
        counts.grantsAt = now.wall + (*_limits.grantsFrom - now.boot);
    return counts;
}

void Engine::State::probe(Ticket ticket, Now now)
{
    if (_probe.believed(now.boot))
    {
        reply(ticket, StoreWorks{});
        return;
    }
    if (!_probe.join(ticket))
        return; // one is on its way
    backend::Transaction transaction;
    transaction.puts.push_back(
        {{backend::Collection::Meta, "probe"}, backend::MetaRecord{toRfc3339(now.wall)}});
    InFlight work;
    work.work = Work::Probe;
    send(std::move(work), std::move(transaction), Priority::Keep);
}

void Engine::State::probed(bool works, const Error& error, Now now)
{
    for (const Ticket ticket : _probe.answered(works, now.boot))
    {
        if (works)
            reply(ticket, StoreWorks{});
        else
            reply(ticket, Refused{error, std::nullopt, std::nullopt});
    }
}

} // namespace octostore::coordination
