// SPDX-License-Identifier: MIT
#include "coordination/EngineState.h"

#include <octostore/backend/Codec.h>
#include <octostore/coordination/Name.h>

#include <algorithm>
#include <utility>

namespace octostore::coordination
{

void Engine::State::outcomes(std::vector<backend::Outcome> outcomes, Now now)
{
    for (backend::Outcome& outcome : outcomes)
    {
        const auto found = _inFlight.find(outcome.id);
        OCTOSTORE_ASSERT(found != _inFlight.end());
        InFlight work = std::move(found->second);
        _inFlight.erase(found);
        if (work.name)
            work.name->activity->busy = false;
        if (work.session && work.work == Work::Session)
            work.session->busy = false;
        else if (work.session)
            --work.session->inFlight;

        if (work.work == Work::Barrier)
            barrierDone(outcome, now);
        else if (work.work == Work::Fence)
            fenced(std::move(work), outcome, now);
        else if (const auto* commit = std::get_if<backend::Committed>(&outcome.result))
            applied(std::move(work), *commit, now);
        else if (const auto* conflict = std::get_if<backend::Conflict>(&outcome.result))
            conflicted(std::move(work), *conflict, now);
        else
            failed(std::move(work), std::get<backend::Failed>(outcome.result).error, now);
    }
}

void Engine::State::applied(InFlight work, const backend::Committed& commit, Now now)
{
    if (!_sharing) // there the feed says up to where everything is known
        _revision = std::max(_revision, commit.revision);
    if (work.work == Work::Probe)
    {
        probed(true, {}, now);
        return;
    }
    if (work.work == Work::Session)
    {
        sessionApplied(std::move(work), commit, now);
        return;
    }
    if (work.work == Work::Store)
    {
        stored(std::move(work), commit, now);
        return;
    }
    Name& name = *work.name;
    if (work.turns)
        noteTurns(name, {turnsKey(name), std::move(*work.turns), commit.revision}, now);
    if (work.work == Work::Turn)
    {
        settle(name, now);
        return;
    }
    if (work.work == Work::Forget)
    {
        if (_sharing)
        {
            learnLease({fenceKey(work), {}, commit.revision}, now);
            return;
        }
        name.state.lease.reset();
        name.state.version = {};
        settle(name, now);
        return;
    }
    publish(work, commit.revision);
    auto [after, replied] = committed({{}, std::move(work.after), std::move(work.reply)}, commit);
    if (_sharing)
        learnOthers(name, after, work, commit.revision);
    if (isHeld(name.state) && (!isHeld(after) || after.lease->term != name.state.lease->term))
        _ledger.ended(*name.state.lease);
    apply(name, std::move(after), now);
    if (work.ended)
        answer(name, *work.ended, std::move(work.endedReply), now);
    answer(name, work.asked, std::move(replied), now);
    if (work.granted)
        joinHolder(name, identityOf(std::get<Command>(work.asked.request.operation)));
    settle(name, now);
}

void Engine::State::apply(Name& name, NameState after, Now now)
{
    const bool sameLease =
        isHeld(after) && isHeld(name.state) && after.lease->term == name.state.lease->term;
    if (!sameLease)
        name.answers = 0;
    else if (after.lease->deadline.boot != name.state.lease->deadline.boot)
        publishRenewal(name, *after.lease, now);
    leaveSession(name);
    name.state = std::move(after);
    join(name);
    if (name.turns())
        name.activity->turns->since = now.boot;
}

void Engine::State::publishRenewal(const Name& name, const backend::LeaseRecord& lease, Now now)
{
    const bool lock = lease.kind == backend::LeaseKind::Lock;
    _output.renewals.push_back(
        {lock ? event::ResourceKind::Lock : event::ResourceKind::Election,
         std::string(lock ? std::string_view(*name.key) : roomOfLeaseName(*name.key)), lease.label,
         lock ? std::nullopt : copyOf(lease.metadata), lease.term, lease.deadline.wall, now.wall});
}

void Engine::State::publish(InFlight& work, Revision revision)
{
    if (!work.event)
        return;
    backend::stamp(*work.event, revision);
    for (const event::Type fact : work.event->facts)
        _expired += fact == event::Type::LockExpired || fact == event::Type::LeaderExpired;
    if (!_sharing) // else whatever the journal says is published
        _output.events.push_back({Sequence(revision.value()), std::move(*work.event)});
}

/// Tells what was decided and is committed, unless its time has run out on the way.
void Engine::State::answer(Name& name, const Pending& asked, Reply told, Now now)
{
    auto* granted = std::get_if<Granted>(&told);
    const auto* renewed = std::get_if<Renewed>(&told);
    if (granted || renewed)
    {
        const LeaseView& lease = granted ? granted->lease : renewed->lease;
        if (now.boot >= lease.deadline || !isLive(name.state, now.boot) ||
            name.state.lease->term != lease.term)
        {
            refuse(asked.ticket, ErrorCode::OutcomeUnknown,
                   "The lease ran out before its commit was done; read before acting.");
            return;
        }
        ++name.answers;
    }
    if (granted)
    {
        ++_acquired;
        if (granted->receipt.revision == Revision())
            granted->receipt.revision = name.state.version;
        granted->receipt.answers = name.answers;
        if (granted->fresh && isAbandoned(asked.ticket))
        {
            // Whoever asked has gone: it never knew, so it never holds.
            Pending giveBack;
            giveBack.request = asked.request;
            giveBack.request.operation =
                Command(EndOfLease{event::Cause::Undelivered, granted->receipt});
            name.act().pending.push_front(std::move(giveBack));
        }
    }
    if (std::holds_alternative<Ended>(told) && asked.ticket != Ticket(0))
        ++_released;
    reply(asked.ticket, std::move(told));
}

void Engine::State::failed(InFlight work, const Error& error, Now now)
{
    if (_sharing && error.code == ErrorCode::OutcomeUnknown && !work.settled)
    {
        if (canFence(work))
        {
            fence(std::move(work));
            return;
        }
        if (needsBarrier(work))
        {
            bar(std::move(work));
            return;
        }
    }
    if (error.code != ErrorCode::OutcomeUnknown)
        _retryAt = now.boot + retryAfter;
    if (work.work == Work::Probe)
    {
        probed(false, error, now);
        return;
    }
    if (work.work == Work::Turn)
    {
        turnFailed(std::move(work), error, now);
        return;
    }
    if (work.work == Work::Store)
    {
        reply(work.asked.ticket, Refused{error, std::nullopt, std::nullopt});
        return;
    }
    if (work.work == Work::Session)
    {
        sessionFailed(std::move(work), error, now);
        return;
    }
    Name& name = *work.name;
    if (work.granted)
        _ledger.ended(*work.granted);
    if (error.code == ErrorCode::OutcomeUnknown && !_sharing)
        name.activity->busy = true; // nobody knows its state any more
    const Refused refused{error, std::nullopt, std::nullopt};
    if (work.ended)
        reply(work.ended->ticket, refused);
    if (!work.served.empty() && error.code != ErrorCode::OutcomeUnknown)
        putBack(name, std::move(work.served), now);
    else
        reply(work.asked.ticket, refused);
    settle(name, now);
}

void Engine::State::conflicted(InFlight work, const backend::Conflict& conflict, Now now)
{
    if (_sharing)
    {
        conflictedShared(std::move(work), conflict, now);
        return;
    }
    OCTOSTORE_ASSERT(work.work != Work::Probe);
    if (work.work == Work::Store)
    {
        refuse(work.asked.ticket, ErrorCode::Conflict, "It has been changed meanwhile.");
        return;
    }
    if (work.work == Work::Session)
    {
        sessionFailed(std::move(work),
                      {ErrorCode::Unavailable, "The session has changed; ask again."}, now);
        return;
    }
    Name& name = *work.name;
    if (work.granted)
        _ledger.ended(*work.granted);
    for (const backend::Record& record : conflict.current)
    {
        if (record.key.collection != backend::Collection::Lease || record.key.name != *name.key)
            continue;
        const auto* lease = std::get_if<backend::LeaseRecord>(&record.value);
        replaceLease(name, lease ? std::optional(*lease) : std::nullopt, record.version, now);
    }
    decideAnew(std::move(work), now);
}

void Engine::State::decideAnew(InFlight work, Now now)
{
    Name& name = *work.name;
    if (!work.served.empty())
        putBack(name, std::move(work.served), now);
    else if (work.work == Work::Decided)
        decideAgain(name, std::move(work.asked));
    if (work.ended)
        decideAgain(name, std::move(*work.ended));
    settle(name, now);
}

void Engine::State::decideAgain(Name& name, Pending asked)
{
    if (++asked.conflicts >= conflictsMax)
        refuse(asked.ticket, ErrorCode::Unavailable, "The name changes too often; ask again.");
    else if (asked.ticket != Ticket(0))
        name.act().pending.push_front(std::move(asked));
}

} // namespace octostore::coordination
