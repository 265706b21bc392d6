// SPDX-License-Identifier: MIT
#include "coordination/Engine.h"

#include "coordination/EngineState.h"

#include <algorithm>

namespace octostore::coordination
{

namespace
{

/// What was not begun within this time is not begun at all (acquire and campaign).
constexpr std::chrono::seconds staleAfter{1};

} // namespace

Engine::Engine(Limits limits) : _state(std::make_unique<State>(std::move(limits))) {}
Engine::~Engine() = default;

void Engine::restore(backend::Record record, BootTime recoveredAt, Now now)
{
    _state->restore(std::move(record), recoveredAt, now);
}
void Engine::restored(Now now)
{
    _state->restored(now);
}
void Engine::share(Sharing sharing)
{
    _state->share(std::move(sharing));
}
void Engine::changes(std::vector<backend::Record> records, Revision upTo, Now now)
{
    _state->changes(std::move(records), upTo, now);
}
void Engine::caughtUp(backend::ReadId sync, const Result<Revision>& upTo, Now now)
{
    _state->caughtUp(sync, upTo, now);
}
void Engine::submit(Ticket ticket, Request request, Now now)
{
    _state->submit(ticket, std::move(request), now);
}
void Engine::abandon(Ticket ticket, Now now)
{
    _state->abandon(ticket, now);
}
void Engine::outcomes(std::vector<backend::Outcome> outcomes, Now now)
{
    _state->outcomes(std::move(outcomes), now);
}
bool Engine::advance(Now now, std::size_t most)
{
    return _state->advance(now, most);
}
std::optional<BootTime> Engine::nextDeadline() const
{
    return _state->nextDeadline();
}
void Engine::drain(Now now)
{
    _state->drain(now);
}
Output Engine::take()
{
    return _state->take();
}
std::size_t Engine::inFlight() const noexcept
{
    return _state->inFlight();
}
void Engine::setLimits(Limits limits)
{
    _state->setLimits(std::move(limits));
}
void Engine::measureSlicesBy(const Clock& clock)
{
    _state->measureSlicesBy(clock);
}

void Engine::startWith(Limits limits)
{
    _state->startWith(std::move(limits));
}
const Limits& Engine::limits() const noexcept
{
    return _state->limits();
}

NameState Engine::stateOf(const std::string& name) const
{
    const Name* known = _state->names().find(name);
    return known ? known->state : NameState{};
}

std::size_t Engine::waitersOf(const std::string& name) const
{
    const Name* known = _state->names().find(name);
    return known && known->activity ? known->activity->present : 0;
}

void Engine::State::restore(backend::Record record, BootTime recoveredAt, Now now)
{
    _revision = std::max(_revision, record.version);
    if (record.key.collection == backend::Collection::Session)
        restoreSession(std::move(record), recoveredAt, now);
    else if (auto* acl = std::get_if<backend::AclRecord>(&record.value))
    {
        NameState& state = _names.get(std::move(record.key.name)).state;
        state.acl = std::make_shared<backend::AclRecord>(std::move(*acl));
        state.aclVersion = record.version;
    }
    else if (auto* lease = std::get_if<backend::LeaseRecord>(&record.value))
    {
        adoptDeadline(lease->deadline, lease->ttl, recoveredAt, now);
        if (lease->state == backend::LeaseState::Held)
            _ledger.granted(*lease);
        Name& name = _names.get(std::move(record.key.name));
        name.state.lease = std::move(*lease);
        name.state.version = record.version;
        join(name);
        reschedule(name, now);
    }
    else if (_sharing && isTurns(record.key))
        learnTurns(std::move(record), now);
    else
    {
        if (_sharing)
            learnMeta(record);
        _records[record.key] = std::move(record);
    }
}

/// Records come in any order: only now every lease has its session, or is known to have none. Then
/// the server died after the session's end was committed and before its names were finished.
void Engine::State::restored(Now now)
{
    for (auto& [key, name] : _names)
    {
        const auto& lease = name.state.lease;
        if (!isHeld(name.state) || lease->session.isNil())
            continue;
        Session& session = _sessions.get(lease->session);
        if (!session.known)
        {
            session.known = true;
            session.state.record.principal = lease->principal;
            session.state.ended = SessionEnd{now, event::Cause::SessionClosed};
            _sessions.ended(session);
        }
        reschedule(name, now);
    }
}

void Engine::State::submit(Ticket ticket, Request request, Now now)
{
    _open.emplace(ticket, Open{});
    // Checked on arrival only: a request that is decided anew after a sync may be older by right.
    if (std::holds_alternative<Command>(request.operation) &&
        priorityOf(request) == Priority::Acquire && now.boot - request.arrived > staleAfter)
    {
        refuse(ticket, ErrorCode::Overloaded, "Too much to do; nothing was changed.");
        return;
    }
    route({ticket, std::move(request), 0, false, nextSync()}, now);
}

/// A request that has just arrived, or whose answer had to wait for a sync.
void Engine::State::route(Pending pending, Now now)
{
    if (refuseIfLost(pending))
        return;
    Request& request = pending.request;
    const Ticket ticket = pending.ticket;
    if (const auto* query = std::get_if<Query>(&request.operation))
    {
        if (needsSync(*query) && !mayTell(pending))
            defer(std::move(pending));
        else
            read(ticket, request, *query, now);
        return;
    }
    if (std::holds_alternative<SessionCommand>(request.operation))
    {
        submitSession(std::move(pending), now);
        return;
    }
    if (std::holds_alternative<StoreRecords>(request.operation))
    {
        store(ticket, std::move(request));
        return;
    }
    // If the lease has just run out, its waiters are served before this newcomer is looked at.
    if (Name* awaited = _names.find(request.name); awaited && awaited->hasPresentWaiters())
        act(*awaited, now);
    Name& name = _names.get(request.name);
    if (!mayExecute(name, now) || (name.activity && !name.activity->pending.empty()))
        name.act().pending.push_back(std::move(pending));
    else
    {
        execute(name, std::move(pending), now);
        settle(name, now);
    }
}

void Engine::State::abandon(Ticket ticket, Now now)
{
    const auto open = _open.find(ticket);
    if (open == _open.end())
        return;
    if (open->second.name)
    {
        Name& name = *open->second.name;
        leave(name, open->second.place, now.boot);
        _open.erase(ticket);
        settle(name, now);
        return;
    }
    // Queued behind a transaction, or part of one: looked at when its turn comes.
    if (!open->second.abandonedAt)
        open->second.abandonedAt = now.boot;
}

bool Engine::State::advance(Now now, std::size_t most)
{
    if (_storeLost)
    {
        if (!_draining)
            drain(now); // nobody is going to be served here any more
        leaveUnknown(now);
        return false;
    }
    // Sessions first: their ends are what the ends of their names wait for.
    const bool sessionsLeft = advanceSessions(now, most);
    fenceAgain(now);
    raiseBarrierAgain(now);
    std::size_t left = most;
    for (; left > 0; --left)
    {
        Name* name = _deadlines.takeDue(now.boot);
        if (!name)
            break;
        act(*name, now);
    }
    for (; left > 0; --left)
    {
        Name* name = _remembered.due(now.boot, _limits.remembered);
        if (!name || !forget(*name, now))
            break;
    }
    const bool waitsLeft = advanceWaits(now, most);
    if (!_listings.empty())
        listSlice(now);
    return left == 0 || waitsLeft || sessionsLeft || !_listings.empty();
}

std::optional<BootTime> Engine::State::nextDeadline() const
{
    if (_storeLost)
        return std::nullopt;
    if (!_listings.empty())
        return BootTime::min(); // its next slice is due at once
    std::optional<BootTime> next = _deadlines.next();
    const auto consider = [&next](std::optional<BootTime> other)
    {
        if (other && (!next || *other < *next))
            next = other;
    };
    if (const auto forgotten = _remembered.next())
        consider(std::max(*forgotten, _retryAt));
    consider(_sessionDeadlines.next());
    consider(_raiseAt);
    if (!_fences.empty())
        consider(_fences.front().first);
    consider(_waitTimers.next());
    return next;
}

void Engine::State::drain(Now now)
{
    _draining = true;
    std::vector<std::pair<Name*, Queue::iterator>> waiting;
    for (auto& [ticket, open] : _open)
        if (open.name)
            waiting.emplace_back(open.name, open.place);
    for (auto& [name, place] : waiting)
    {
        const Ticket ticket = place->ticket;
        remove(*name, place);
        refuse(ticket, ErrorCode::Draining, "The server is stopping; ask again.");
        settle(*name, now);
    }
}

Output Engine::State::take()
{
    return std::exchange(_output, {});
}

} // namespace octostore::coordination
