// SPDX-License-Identifier: MIT
#include "coordination/EngineState.h"

#include <algorithm>
#include <utility>

namespace octostore::coordination
{

namespace
{

using backend::LeaseState;

const Command& commandOf(const Pending& pending)
{
    return std::get<Command>(pending.request.operation);
}

Subject subjectOf(const Request& request)
{
    return {request.name, request.actor, request.id};
}

bool asksForLease(const Command& command)
{
    return std::holds_alternative<Acquire>(command) || std::holds_alternative<Campaign>(command);
}

bool endsLease(const Command& command)
{
    return std::holds_alternative<Release>(command) || std::holds_alternative<Resign>(command) ||
           std::holds_alternative<ForceEnd>(command) || std::holds_alternative<EndOfLease>(command);
}

/// Server time from the arrival of a request that may wait to this decision.
void setWaited(Reply& reply, const Request& request, Now now)
{
    auto* granted = std::get_if<Granted>(&reply);
    if (granted && request.wait.count() > 0)
        granted->waited = std::chrono::duration_cast<Milliseconds>(now.boot - request.arrived);
}

bool isFreshGrant(const Write& write)
{
    const auto* granted = std::get_if<Granted>(&write.reply);
    return granted && granted->fresh;
}

} // namespace

void Engine::State::execute(Name& name, Pending pending, Now now)
{
    if (refuseIfLost(pending))
        return;
    const Command& command = commandOf(pending);
    if (const auto* over = std::get_if<EndOfLease>(&command);
        over && over->receipt && over->receipt->answers != name.answers)
    {
        // The lease was answered for again since that grant: somebody relies on it.
        refuse(pending.ticket, ErrorCode::LeaseGone, "The grant has been answered for since.");
        return;
    }
    Decision decision =
        decide(subjectOf(pending.request), name.state, scopeOf(command), _limits, command, now);
    const bool tells =
        std::holds_alternative<Answer>(decision) ||
        (std::holds_alternative<Wait>(decision) && pending.request.wait.count() <= 0);
    if (tells && !mayTell(pending))
    {
        deferInOrder(name, std::move(pending));
        return;
    }
    if (auto* told = std::get_if<Answer>(&decision))
    {
        setWaited(told->reply, pending.request, now);
        answer(name, pending, std::move(told->reply), now);
        return;
    }
    if (auto* waiting = std::get_if<Wait>(&decision))
    {
        wait(name, std::move(pending), std::move(waiting->reply));
        return;
    }
    Write write = std::get<Write>(std::move(decision));
    if (endsLease(command))
        endWithHandOver(name, {std::move(pending), std::move(write)}, now);
    else if (asksForLease(command) && isAbandoned(pending.ticket))
        _open.erase(pending.ticket); // nobody would use the grant
    else if (isFreshGrant(write) && othersTurn(name))
        behindOthers(name, std::move(pending));
    else if (isFreshGrant(write) && name.hasPresentWaiters() && pending.request.wait.count() <= 0 &&
             serveWaiters(name, now))
        name.activity->pending.push_front(std::move(pending)); // behind them
    else if (isFreshGrant(write) && name.hasPresentWaiters())
        wait(name, std::move(pending),
             Refused{{ErrorCode::Unavailable, "Others wait in front; ask again."}, {}, {}});
    else
        commit(name, std::move(pending), std::move(write), now);
}

/// A transaction about the name, or the end of the session its lease depends on, is awaited.
bool Engine::State::mayExecute(const Name& name, Now now) const
{
    return !name.busy() && !name.waitsForSession(now.boot);
}

/// Works off what has queued about a name that is not busy, then schedules it.
void Engine::State::settle(Name& name, Now now)
{
    while (mayExecute(name, now) && name.activity)
    {
        // Waits that ran out meanwhile get the state committed now, before anything further changes
        // it.
        if (name.activity->overdue > 0)
            answerOverdue(name, now);
        if (name.activity->pending.empty())
            break;
        Pending next = std::move(name.activity->pending.front());
        name.activity->pending.pop_front();
        execute(name, std::move(next), now);
    }
    reschedule(name, now);
    _names.drop(name);
}

void Engine::State::commit(Name& name, Pending asked, Write write, Now now)
{
    InFlight work;
    work.name = &name;
    work.after = std::move(write.after);
    work.reply = std::move(write.reply);
    setWaited(work.reply, asked.request, now);
    if (const auto* granted = std::get_if<Granted>(&work.reply); granted && granted->fresh)
    {
        work.granted = work.after.lease;
        _ledger.granted(*work.granted);
        takeTurn(name, write.transaction, work);
    }
    work.session = sessionOf(commandOf(asked));
    if (work.session)
        ++work.session->inFlight;
    work.base = name.state.version;
    if (_sharing && std::holds_alternative<ChangeAcl>(commandOf(asked)))
    {
        work.base = name.state.aclVersion;
        conditionOnBarrier(write.transaction);
    }
    work.asked = std::move(asked);
    name.act().busy = true;
    Priority priority = priorityOf(work.asked.request);
    if (name.turns())
        priority = std::min(priority, Priority::HandOver); // somebody waits on another server
    send(std::move(work), std::move(write.transaction), priority);
}

void Engine::State::send(InFlight work, backend::Transaction transaction, Priority priority)
{
    transaction.id = backend::TransactionId(++_lastTransaction);
    transaction.priority = priority;
    if (_sharing)
        transaction.conditions.push_back({{backend::Collection::Meta, "incarnation"},
                                          backend::Condition::Kind::AtVersion,
                                          _sharing->incarnation});
    work.event = transaction.event;
    work.barrier = _barrier;
    _inFlight.emplace(transaction.id, std::move(work));
    _output.commits.push_back(std::move(transaction));
}

/// Ends the lease and, if the head waiter may have the name at once, grants to it in the same
/// transaction.
void Engine::State::endWithHandOver(Name& name, Ending ending, Now now)
{
    if (!grantNext(name, &ending, now))
        commit(name, std::move(ending.asked), std::move(ending.write), now);
}

/// Grants to the first present waiter that may have the name; the ones before it that may not are
/// answered. False: nobody was granted to.
bool Engine::State::grantNext(Name& name, Ending* ending, Now now)
{
    if (!name.hasPresentWaiters() || othersTurn(name))
        return false;
    const NameState& free = ending ? ending->write.after : name.state;
    Queue& waiters = name.activity->waiters;
    for (auto next = waiters.begin(); next != waiters.end();)
    {
        const auto place = next++;
        if (!place->present() || place->overdue)
            continue;
        const Command& command = std::get<Command>(place->request.operation);
        Decision decision = decide(subjectOf(place->request), free,
                                   scopeAfter(ending ? &*name.state.lease : nullptr, command),
                                   _limits, command, now);
        if (std::holds_alternative<Wait>(decision))
            return false; // a lock delay
        if (auto* told = std::get_if<Answer>(&decision))
        {
            if (!mayTell(*place))
            {
                hold(name, place->sync);
                return false;
            }
            const Ticket ticket = place->ticket;
            remove(name, place);
            reply(ticket, std::move(told->reply));
            continue;
        }
        grantTo(name, place, std::get<Write>(std::move(decision)), ending, now);
        return true;
    }
    return false;
}

void Engine::State::grantTo(Name& name, Queue::iterator place, Write write, Ending* ending, Now now)
{
    InFlight work;
    Priority priority = Priority::HandOver;
    if (ending)
    {
        // A release stays in its class; an expiry with a waiter is a hand-over.
        priority = std::min(priority, priorityOf(ending->asked.request));
        work.ended = std::move(ending->asked);
        work.endedReply = std::move(ending->write.reply);
        write = handOver(std::move(ending->write), std::move(write));
    }
    work.name = &name;
    work.after = std::move(write.after);
    work.reply = std::move(write.reply);
    setWaited(work.reply, place->request, now);
    work.asked = {place->ticket, place->request, 0, false, place->sync};
    work.base = name.state.version;
    work.session = sessionOf(commandOf(work.asked));
    if (work.session)
        ++work.session->inFlight;
    work.served = remove(name, place);
    work.granted = work.after.lease;
    _ledger.granted(*work.granted);
    takeTurn(name, write.transaction, work);
    name.activity->busy = true;
    send(std::move(work), std::move(write.transaction), priority);
}

void Engine::State::reply(Ticket ticket, Reply reply)
{
    const auto open = _open.find(ticket);
    if (open == _open.end())
        return;
    const bool wanted = !open->second.abandonedAt;
    _open.erase(open);
    if (wanted)
        _output.replies.emplace_back(ticket, std::move(reply));
}

void Engine::State::refuse(Ticket ticket, ErrorCode code, const char* message)
{
    reply(ticket, Refused{{code, message}, std::nullopt, std::nullopt});
}

Scope Engine::State::scopeOf(const Command& command)
{
    Scope scope;
    if (const auto* acquire = std::get_if<Acquire>(&command))
        scope.leasesOfPrincipal = _ledger.ofPrincipal(acquire->principal);
    if (const Session* session = sessionOf(command); session && session->known)
        scope.session = &session->state;
    scope.liveRooms = _ledger.rooms();
    return scope;
}

/// As scopeOf(), once `ending` has ended.
Scope Engine::State::scopeAfter(const backend::LeaseRecord* ending, const Command& command)
{
    Scope scope = scopeOf(command);
    const auto* acquire = std::get_if<Acquire>(&command);
    if (ending && acquire && acquire->principal == ending->principal)
        --scope.leasesOfPrincipal;
    if (ending && ending->kind == backend::LeaseKind::Election)
        --scope.liveRooms;
    return scope;
}

bool Engine::State::isAbandoned(Ticket ticket) const
{
    const auto open = _open.find(ticket);
    return open != _open.end() && open->second.abandonedAt.has_value();
}

/// When the engine has to do something about the name of its own accord.
std::optional<BootTime> Engine::State::dueOf(const Name& name, BootTime now) const
{
    if (name.busy() || name.waitsForSession(now))
        return std::nullopt; // what it waits for schedules it again
    const auto turn = turnDue(name, now);
    if (const auto over = endDue(name))
        return std::max(std::min(*over, turn.value_or(*over)), _retryAt);
    if (turn)
        return std::max(*turn, _retryAt);
    if (!name.hasPresentWaiters())
        return std::nullopt;
    return std::max(coolingUntil(name.state, now).value_or(now), _retryAt);
}

/// When the end of its lease has to be recorded; nothing: it is not held.
std::optional<BootTime> Engine::State::endDue(const Name& name) const
{
    if (!isHeld(name.state))
        return std::nullopt;
    if (!name.state.session || !name.state.session->ended)
        return name.state.lease->deadline.boot;
    // Of the names of one session those with waiters come first.
    return name.hasPresentWaiters() ? BootTime::min() : endOf(name.state).at.boot;
}

void Engine::State::reschedule(Name& name, Now now)
{
    if (const auto due = dueOf(name, now.boot))
        _deadlines.schedule(name, *due);
    const auto& lease = name.state.lease;
    BootTime forgottenAt = BootTime::max();
    if (lease && lease->state != LeaseState::Held && !name.busy())
        forgottenAt = lease->state == LeaseState::Vacant ? lease->deadline.boot
                                                         : lease->deadline.boot + rememberedFor;
    _remembered.set(name, forgottenAt);
}

/// An entry of the deadlines came up.
void Engine::State::act(Name& name, Now now)
{
    serveWaiters(name, now);
    settle(name, now);
}

/// Ends what is over and grants to who waits, if that is due by now. False: nothing was begun.
bool Engine::State::serveWaiters(Name& name, Now now)
{
    const auto due = dueOf(name, now.boot);
    if (!due || *due > now.boot)
        return false;
    const auto over = endDue(name);
    const auto changes = turnDue(name, now.boot);
    if (over && *over <= now.boot)
        expire(name, now);
    else if (changes && *changes <= now.boot)
        turn(name, now);
    else
        grantNext(name, nullptr, now);
    return name.busy();
}

void Engine::State::expire(Name& name, Now now)
{
    Pending own;
    own.request.name = *name.key;
    own.request.operation = Command(EndOfLease{});
    own.request.arrived = now.boot;
    execute(name, std::move(own), now);
}

bool Engine::State::forget(Name& name, Now now)
{
    _remembered.set(name, BootTime::max());
    if (name.busy() || coolingUntil(name.state, now.boot) || now.boot < _retryAt)
    {
        reschedule(name, now);
        return false;
    }
    const backend::Key key{backend::Collection::Lease, *name.key};
    backend::Transaction transaction;
    transaction.conditions.push_back(
        {key, backend::Condition::Kind::AtVersion, name.state.version});
    transaction.erasures.push_back(key);
    InFlight work;
    work.work = Work::Forget;
    work.name = &name;
    work.base = name.state.version;
    name.act().busy = true;
    send(std::move(work), std::move(transaction), Priority::Housekeeping);
    return true;
}

} // namespace octostore::coordination
