// SPDX-License-Identifier: MIT
/// What an engine does because other servers write to the same store.
#include "coordination/EngineState.h"

#include <algorithm>
#include <utility>

namespace octostore::coordination
{

namespace
{

std::uint64_t mixed(std::uint64_t& state)
{
    std::uint64_t value = state += 0x9E3779B97F4A7C15U;
    value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
    value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
    return value ^ (value >> 31U);
}

} // namespace

/// Nothing is decided any more about a store that is another one now.
bool Engine::State::refuseIfLost(const Pending& pending)
{
    if (_storeLost)
        refuse(pending.ticket, ErrorCode::Unavailable,
               "The store was restored or moved; ask another server.");
    return _storeLost;
}

/// Sums and the probe say nothing that another server may have changed.
bool Engine::State::needsSync(const Query& query) noexcept
{
    return !std::holds_alternative<GetCounts>(query) && !std::holds_alternative<ProbeStore>(query);
}

/// Keeps the request until a sync that began after its arrival is done; then it is decided anew.
void Engine::State::defer(Pending pending)
{
    _syncs.defer(std::move(pending));
    beginSync();
}

/// A request that may wait can still become a waiter: it keeps its place, and no later one passes
/// it meanwhile.
void Engine::State::deferInOrder(Name& name, Pending pending)
{
    if (pending.request.wait.count() <= 0)
    {
        defer(std::move(pending));
        return;
    }
    hold(name, pending.sync);
    name.activity->pending.push_front(std::move(pending));
}

void Engine::State::hold(Name& name, std::uint64_t sync)
{
    _syncs.hold(name, sync);
    beginSync();
}

void Engine::State::hold(Session& session, std::uint64_t sync)
{
    _syncs.hold(session, sync);
    beginSync();
}

/// One runs at a time; whoever came meanwhile shares the next.
void Engine::State::beginSync()
{
    if (const auto sync = _syncs.begin())
        _output.sync = sync;
}

void Engine::State::caughtUp(backend::ReadId sync, const Result<Revision>& upTo, Now now)
{
    _syncs.ended(sync, upTo.ok());
    if (upTo)
        _revision = std::max(_revision, *upTo);
    else
        notCaughtUp(sync.value(), now);
    release(sync.value(), now);
    for (Pending& pending : _syncs.takeDeferred())
    {
        if (pending.sync <= sync.value())
            route(std::move(pending), now);
        else
            _syncs.defer(std::move(pending));
    }
    resolveBarred(sync.value(), upTo.ok(), now);
    if (_syncs.wanted() || !_barredUntil.empty())
        beginSync();
}

/// What may have changed is not known: nothing is told but that.
void Engine::State::notCaughtUp(std::uint64_t sync, Now now)
{
    _retryAt = now.boot + retryAfter;
    for (Pending& pending : _syncs.takeDeferred())
    {
        if (pending.sync <= sync)
            refuse(pending.ticket, ErrorCode::Unavailable, unreachable);
        else
            _syncs.defer(std::move(pending));
    }
    for (Name* name : _syncs.namesHeldFor(sync))
        refuseHeld(*name, now);
    for (const SessionId id : _syncs.sessionsHeldFor(sync))
        if (Session* session = _sessions.find(id))
            for (const Pending& pending : std::exchange(session->pending, {}))
                refuse(pending.ticket, ErrorCode::Unavailable, unreachable);
}

/// Answers Unavailable to every request and waiter that waits for the sync of `name`.
void Engine::State::refuseHeld(Name& name, Now now)
{
    for (const Pending& pending : std::exchange(name.activity->pending, {}))
        refuse(pending.ticket, ErrorCode::Unavailable, unreachable);
    Queue& waiters = name.activity->waiters;
    for (auto next = waiters.begin(); next != waiters.end();)
    {
        const auto place = next++;
        if (!place->overdue)
            continue;
        const Ticket ticket = place->ticket;
        leave(name, place, now.boot);
        refuse(ticket, ErrorCode::Unavailable, unreachable);
    }
}

/// Goes on with what was held until `sync`.
void Engine::State::release(std::uint64_t sync, Now now)
{
    std::vector<std::string> keys; // settling one of them may make others be forgotten
    for (Name* name : _syncs.namesHeldFor(sync))
    {
        _syncs.release(*name);
        keys.push_back(*name->key);
    }
    for (const SessionId id : _syncs.sessionsHeldFor(sync))
    {
        Session* session = _sessions.find(id);
        OCTOSTORE_ASSERT(session); // held sessions are not forgotten
        _syncs.release(*session);
        settleSession(*session, now);
    }
    for (const std::string& key : keys)
        if (Name* name = _names.find(key))
            settle(*name, now);
}

void Engine::State::adoptDeadline(backend::Deadline& deadline, Milliseconds ttl,
                                  BootTime recoveredAt, Now now)
{
    if (_sharing)
        observe(deadline, ttl, now);
    else
        adopt(deadline, ttl, _limits.clock, recoveredAt, now);
}

/// A deadline that is not ours is counted from when we see it.
void Engine::State::observe(backend::Deadline& deadline, Milliseconds ttl, Now now)
{
    const BootClock::duration time = ttl;
    constexpr BootClock::duration jitterMax = observedJitter;
    const auto jitter = static_cast<std::int64_t>(mixed(_sharing->seed) %
                                                  static_cast<std::uint64_t>(jitterMax.count()));
    deadline.boot = now.boot + time + time / 100 + observedLonger + BootClock::duration(jitter);
    deadline.clock = othersClock;
}

/// Learns what the conditions met, then asks what else has changed and decides again.
void Engine::State::conflictedShared(InFlight work, const backend::Conflict& conflict, Now now)
{
    if (work.name)
        hold(*work.name, nextSync());
    else if (work.work == Work::Session)
        hold(*work.session, nextSync());
    if (work.granted)
        _ledger.ended(*work.granted);
    const bool onlyBarrier = barrierMet(conflict);
    for (const backend::Record& record : conflict.current)
        if (record.version != Revision()) // else the sync will tell
            learn(record, now);
    if (work.work == Work::Probe)
        probed(false, {ErrorCode::Unavailable, unreachable}, now);
    else if (work.work == Work::Store && onlyBarrier && ++work.asked.conflicts < conflictsMax)
        repeatStore(std::move(work));
    else if (work.work == Work::Store)
        refuse(work.asked.ticket, ErrorCode::Conflict, "It has been changed meanwhile.");
    else if (work.work == Work::Session)
        sessionConflicted(std::move(work), now);
    else
    {
        work.asked.sync = nextSync();
        decideAnew(std::move(work), now);
    }
}

void Engine::State::sessionConflicted(InFlight work, Now now)
{
    Session& session = *work.session;
    const auto& command = std::get<SessionCommand>(work.asked.request.operation);
    if (const auto* open = std::get_if<OpenSession>(&command); open && !session.known)
        _sessions.closed(open->principal);
    if (++work.asked.conflicts >= conflictsMax)
        refuse(work.asked.ticket, ErrorCode::Unavailable,
               "The session changes too often; ask again.");
    else if (work.asked.ticket != Ticket(0))
        session.pending.push_front(std::move(work.asked));
    settleSession(session, now);
}

} // namespace octostore::coordination
