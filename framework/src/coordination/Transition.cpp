// SPDX-License-Identifier: MIT
#include "coordination/Transition.h"

#include "coordination/LeaderTokens.h"

#include <octostore/coordination/Name.h>

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

} // namespace

event::Draft draftOf(const Subject& subject, event::ResourceKind kind, Type type, WallTime time)
{
    event::Draft draft;
    draft.type = type;
    draft.facts = {type};
    draft.time = time;
    draft.kind = kind;
    draft.name = kind == event::ResourceKind::Election ? std::string(roomOfLeaseName(subject.name))
                                                       : subject.name;
    draft.actor = subject.actor;
    draft.request = subject.request;
    return draft;
}

backend::Condition conditionOn(backend::Collection collection, const std::string& name,
                               Revision version)
{
    using Kind = backend::Condition::Kind;
    return {{collection, name}, version == Revision() ? Kind::Absent : Kind::AtVersion, version};
}

void conditionOnSession(Write& write, const NameState& state)
{
    if (!state.session)
        return;
    const auto kind =
        state.session->ended ? backend::Condition::Kind::Absent : backend::Condition::Kind::Present;
    write.transaction.conditions.push_back(
        {{backend::Collection::Session, state.session->id.toString()}, kind, Revision()});
}

backend::Deadline deadlineAfter(Now now, Milliseconds ttl, const SharedText& clock)
{
    return {now.boot + ttl, clock, now.wall + ttl};
}

Write put(const Subject& subject, const NameState& state, LeaseRecord lease)
{
    Write write;
    write.after = state;
    write.after.version = Revision();
    auto& conditions = write.transaction.conditions;
    conditions.push_back(conditionOn(backend::Collection::Lease, subject.name, state.version));
    conditionOnSession(write, state);
    if (lease.state != LeaseState::Held)
        write.after.session = nullptr;
    write.transaction.puts.push_back({{backend::Collection::Lease, subject.name}, lease});
    write.after.lease = std::move(lease);
    return write;
}

Write grant(const Subject& subject, const NameState& state, LeaseRecord fresh,
            const SessionState* session, Now now)
{
    const bool lock = fresh.kind == LeaseKind::Lock;
    fresh.state = LeaseState::Held;
    fresh.term = Term(0); // the revision of the commit
    fresh.grantedAt = now.wall;
    event::Draft draft =
        draftOf(subject, lock ? event::ResourceKind::Lock : event::ResourceKind::Election,
                lock ? Type::LockAcquired : Type::LeaderElected, now.wall);
    draft.current = event::Holding{fresh.label, Term(0), fresh.deadline.wall, std::nullopt};
    if (!lock)
        draft.current->metadata = copyOf(fresh.metadata);
    if (state.lease && state.lease->cause != Cause::None)
    {
        // Who had it before, so that a change of leader can be acted upon without asking back.
        draft.previous =
            event::Holding{state.lease->label, state.lease->term, std::nullopt, std::nullopt};
        // An ended record's deadline is its end plus its ttl; wall time may have stepped since.
        if (state.lease->deadline.clock != othersClock) // else another server knows when that was
            draft.vacantMs =
                wholeMilliseconds(now.boot - (state.lease->deadline.boot - state.lease->ttl));
    }
    Write write = put(subject, state, std::move(fresh));
    write.transaction.event = std::move(draft);
    if (session)
        write.transaction.conditions.push_back(
            {{backend::Collection::Session, session->id.toString()},
             backend::Condition::Kind::Present,
             Revision()});
    write.after.session = write.after.lease->ephemeral ? session : nullptr;
    return write;
}

Write end(const Subject& subject, const NameState& state, SessionEnd how, const Limits& limits,
          const std::string& reason)
{
    LeaseRecord ended = *state.lease;
    const bool cools = ended.lockDelay.count() > 0 && how.cause != Cause::Undelivered;
    ended.cause = how.cause;
    ended.endedAt = how.at.wall;
    ended.metadata.reset();
    if (ended.kind == LeaseKind::Lock)
    {
        ended.secretDigest = digestOf(ended.lease);
        ended.lease = {};
    }
    ended.state = cools ? LeaseState::Cooling : LeaseState::Vacant;
    ended.ttl = cools ? ended.lockDelay : Milliseconds(rememberedFor);
    ended.deadline = deadlineAfter(how.at, ended.ttl, limits.clock);

    const bool lock = ended.kind == LeaseKind::Lock;
    event::Draft draft =
        draftOf(subject, lock ? event::ResourceKind::Lock : event::ResourceKind::Election,
                typeOfEnd(ended.kind, how.cause), how.at.wall);
    draft.cause = how.cause;
    draft.reason = reason;
    if (draft.actor.kind == event::ActorKind::Candidate && draft.actor.name.empty())
        draft.actor.name = ended.label; // who resigns shows only its token
    draft.previous =
        event::Holding{ended.label, ended.term, state.lease->deadline.wall, std::nullopt};
    const Term term = ended.term;
    Write write = put(subject, state, std::move(ended));
    write.transaction.event = std::move(draft);
    write.reply = Ended{term};
    return write;
}

void putAcl(Write& write, const Subject& subject, const NameState& state,
            std::shared_ptr<const backend::AclRecord> acl)
{
    const backend::Key key{backend::Collection::Acl, subject.name};
    write.transaction.conditions.push_back(
        conditionOn(backend::Collection::Acl, subject.name, state.aclVersion));
    if (acl)
        write.transaction.puts.push_back({key, *acl});
    else
        write.transaction.erasures.push_back(key);
    write.after.acl = std::move(acl);
    write.after.aclVersion = Revision();
}

} // namespace octostore::coordination
