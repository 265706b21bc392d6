// SPDX-License-Identifier: MIT
#include "coordination/Transition.h"

#include <octostore/coordination/Name.h>

#include <algorithm>

namespace octostore::coordination
{

namespace
{

using backend::LeaseKind;
using backend::LeaseRecord;
using backend::LeaseState;
using event::Cause;
using event::Type;

Type typeOfEnd(LeaseKind kind, Cause cause)
{
    const bool lock = kind == LeaseKind::Lock;
    switch (cause)
    {
    case Cause::Ttl:
    case Cause::SessionExpired:
        return lock ? Type::LockExpired : Type::LeaderExpired;
    case Cause::ForceReleased:
        return lock ? Type::LockForceReleased : Type::LeaderRemoved;
    case Cause::None:
    case Cause::Released:
    case Cause::Resigned:
    case Cause::SessionClosed:
    case Cause::Undelivered:
        break;
    }
    return lock ? Type::LockReleased : Type::LeaderResigned;
}

event::Draft draftOf(const Subject& subject, LeaseKind kind, Type type, WallTime time)
{
    event::Draft draft;
    draft.type = type;
    draft.facts = {type};
    draft.time = time;
    draft.kind =
        kind == LeaseKind::Lock ? event::ResourceKind::Lock : event::ResourceKind::Election;
    draft.name = std::string(kind == LeaseKind::Lock ? std::string_view(subject.name)
                                                     : roomOfLeaseName(subject.name));
    draft.actor = subject.actor;
    draft.request = subject.request;
    return draft;
}

} // namespace

backend::Transaction transactionOn(const Subject& subject, const NameState& state,
                                   const LeaseRecord& after)
{
    backend::Transaction transaction;
    const backend::Key key{backend::Collection::Lease, subject.name};
    const auto kind =
        state.lease ? backend::Condition::Kind::AtVersion : backend::Condition::Kind::Absent;
    transaction.conditions.push_back({key, kind, state.version});
    transaction.puts.push_back({key, after});
    return transaction;
}

backend::Deadline deadlineAfter(Now now, Milliseconds ttl, const std::string& clock)
{
    return {now.boot + ttl, clock, now.wall + ttl};
}

Write grant(const Subject& subject, const NameState& state, LeaseRecord fresh, Now now, Reply reply)
{
    const bool lock = fresh.kind == LeaseKind::Lock;
    fresh.state = LeaseState::Held;
    fresh.term = Term(0); // the revision of the commit
    fresh.grantedAt = now.wall;

    Write write{transactionOn(subject, state, fresh), {fresh, {}}, std::move(reply)};
    event::Draft draft =
        draftOf(subject, fresh.kind, lock ? Type::LockAcquired : Type::LeaderElected, now.wall);
    draft.current = event::Holding{fresh.label, Term(0), fresh.deadline.wall};
    if (state.lease)
    {
        // Who had it before, so that a change of leader can be acted upon without asking back.
        draft.previous = event::Holding{state.lease->label, state.lease->term, std::nullopt};
        // An ended record's deadline is its end plus its ttl; wall time may have stepped since.
        draft.vacantMs =
            wholeMilliseconds(now.boot - (state.lease->deadline.boot - state.lease->ttl));
    }
    write.transaction.event = std::move(draft);
    return write;
}

Write extend(const Subject& subject, const NameState& state, LeaseRecord extended, Reply reply)
{
    return {transactionOn(subject, state, extended), {extended, {}}, std::move(reply)};
}

Write end(const Subject& subject, const NameState& state, Cause cause, Now at, const Limits& limits)
{
    LeaseRecord ended = *state.lease;
    const Milliseconds delay = cause == Cause::Undelivered ? Milliseconds(0) : ended.lockDelay;
    ended.cause = cause;
    ended.endedAt = at.wall;
    ended.metadata.reset();
    if (ended.kind == LeaseKind::Lock)
    {
        const auto& bytes = ended.lease.uuid.bytes;
        ended.secretDigest = sha256({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        ended.lease = {};
    }
    ended.state = delay.count() > 0 ? LeaseState::Cooling : LeaseState::Vacant;
    ended.ttl = delay.count() > 0 ? delay : Milliseconds(rememberedFor);
    ended.deadline = deadlineAfter(at, ended.ttl, limits.clock);

    Write write{transactionOn(subject, state, ended), {ended, {}}, Ended{ended.term}};
    event::Draft draft = draftOf(subject, ended.kind, typeOfEnd(ended.kind, cause), at.wall);
    draft.cause = cause;
    draft.previous = event::Holding{ended.label, ended.term, state.lease->deadline.wall};
    write.transaction.event = std::move(draft);
    return write;
}

} // namespace octostore::coordination
