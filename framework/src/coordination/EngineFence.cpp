// SPDX-License-Identifier: MIT
/// Commits of which a shared store did not say what became of them. They may be applied later
/// still, so reading proves nothing: first the record they condition on is written once more, which
/// makes them fail for ever, or shows that they, or another, came before.
#include "coordination/EngineState.h"

#include <octostore/backend/Codec.h>

#include <utility>

namespace octostore::coordination
{

namespace
{

constexpr std::chrono::milliseconds fenceAgainAfter{200};

/// What is written where there is no record: "ended", but of nobody.
backend::LeaseRecord markerOf(const backend::Deadline& deadline, Milliseconds ttl)
{
    backend::LeaseRecord marker;
    marker.state = backend::LeaseState::Vacant;
    marker.ttl = ttl;
    marker.deadline = deadline;
    return marker;
}

/// The value of a record as a commit at `revision` makes it.
backend::Value stamped(backend::Value value, Revision revision)
{
    backend::stamp(value, revision);
    return value;
}

} // namespace

/// What writes or erases the record whose version it conditions on; the rest has a barrier.
bool Engine::State::canFence(const InFlight& work) noexcept
{
    if (work.work == Work::Session)
        return !std::holds_alternative<OpenSession>(
            std::get<SessionCommand>(work.asked.request.operation));
    if (work.work == Work::Forget)
        return true;
    return work.work == Work::Decided &&
           !std::holds_alternative<ChangeAcl>(std::get<Command>(work.asked.request.operation));
}

backend::Key Engine::State::fenceKey(const InFlight& work)
{
    if (work.work == Work::Session)
        return {backend::Collection::Session, work.session->state.id.toString()};
    return {backend::Collection::Lease, *work.name->key};
}

void Engine::State::fence(InFlight original)
{
    InFlight fence;
    fence.work = Work::Fence;
    fence.name = original.name;
    fence.session = original.session;
    fence.base = original.base;
    if (original.work == Work::Session)
    {
        original.session->busy = true;
        fence.touch = original.session->state.record;
    }
    else
    {
        original.name->activity->busy = true;
        const auto& lease = original.name->state.lease;
        const bool known = lease && original.name->state.version == original.base;
        fence.touch =
            known ? *lease
                  : markerOf({BootTime(), _limits.clock, WallTime()}, Milliseconds(rememberedFor));
    }
    if (fence.session)
        ++fence.session->inFlight;
    fence.original = std::make_unique<InFlight>(std::move(original));
    sendFence(std::move(fence));
}

void Engine::State::sendFence(InFlight fence)
{
    using Kind = backend::Condition::Kind;
    const backend::Key key = fenceKey(*fence.original);
    backend::Transaction transaction;
    transaction.conditions.push_back(
        {key, fence.base == Revision() ? Kind::Absent : Kind::AtVersion, fence.base});
    transaction.puts.push_back({key, fence.touch});
    send(std::move(fence), std::move(transaction), Priority::Keep);
}

/// The store did not take the fence: its name stays busy, and it is tried again.
void Engine::State::fenceAgain(Now now)
{
    while (!_fences.empty() && _fences.front().first <= now.boot)
    {
        InFlight fence = std::move(_fences.front().second);
        _fences.pop_front();
        sendFence(std::move(fence));
    }
}

void Engine::State::fenced(InFlight fence, const backend::Outcome& outcome, Now now)
{
    InFlight& original = *fence.original;
    if (original.work == Work::Session)
        original.session->busy = false;
    if (const auto* commit = std::get_if<backend::Committed>(&outcome.result))
    {
        fenceHeld(std::move(fence), commit->revision, now);
        return;
    }
    const backend::Key key = fenceKey(original);
    if (const auto* conflict = std::get_if<backend::Conflict>(&outcome.result))
        for (const backend::Record& record : conflict->current)
        {
            if (record.key == key)
            {
                fenceMet(std::move(fence), record, now);
                return;
            }
            learn(record, now); // the incarnation
        }
    // No news of the record itself: unavailable, unknown, or a conflict without cause.
    if (fence.session)
        ++fence.session->inFlight;
    if (original.work == Work::Session)
        fence.session->busy = true;
    else
        fence.name->activity->busy = true;
    _fences.emplace_back(now.boot + fenceAgainAfter, std::move(fence));
}

/// The original was not applied and never will be.
void Engine::State::fenceHeld(InFlight fence, Revision revision, Now now)
{
    InFlight original = std::move(*fence.original);
    // It is written by us, but promised to nobody: the deadline stays what it was.
    if (original.work == Work::Session)
    {
        SessionState& state = original.session->state;
        if (!state.ended && state.version < revision)
            state.version = revision;
        else if (!state.ended && state.version == revision) // the feed took it for another's
            state.record.deadline = std::get<backend::SessionRecord>(fence.touch).deadline;
    }
    else if (Name& name = *original.name;
             knownVersion(fenceKey(original), name.state.version) < revision)
    {
        if (name.state.version == fence.base && name.state.lease)
            name.state.version = revision;
        else
            learnLease({fenceKey(original), stamped(fence.touch, revision), revision}, now);
    }
    else if (const auto& kept = std::get<backend::LeaseRecord>(fence.touch).deadline;
             name.state.version == revision && name.state.lease && kept.boot != BootTime())
        name.state.lease->deadline = kept; // as above
    original.settled = true;
    failed(std::move(original), {ErrorCode::Unavailable, "Nothing was changed; ask again."}, now);
}

/// Something else has been written since: the original itself, an earlier fence, or another.
void Engine::State::fenceMet(InFlight fence, const backend::Record& current, Now now)
{
    InFlight original = std::move(*fence.original);
    original.settled = true;
    backend::Value intended;
    if (original.work == Work::Session && !original.sessionEnd)
        intended = original.sessionAfter;
    else if (original.work == Work::Decided)
        intended = stamped(*original.after.lease, current.version);
    if (current.value == intended)
    {
        applied(std::move(original), backend::Committed{current.version}, now);
        return;
    }
    if (current.value == stamped(fence.touch, current.version))
    {
        fence.original = std::make_unique<InFlight>(std::move(original));
        fenceHeld(std::move(fence), current.version, now);
        return;
    }
    // Held for a moment, so that what is learnt does not run ahead of the answer.
    if (original.name)
        hold(*original.name, nextSync());
    if (current.version != Revision())
        learn(current, now);
    failed(std::move(original),
           {ErrorCode::OutcomeUnknown, "It may have been done, and was overtaken; read first."},
           now);
}

} // namespace octostore::coordination
