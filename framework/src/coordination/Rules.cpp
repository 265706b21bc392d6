// SPDX-License-Identifier: MIT
#include "coordination/Rules.h"

#include "coordination/Credentials.h"
#include "coordination/LeaderTokens.h"
#include "coordination/SessionRules.h"
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

/// What clients take for a retry at the most, in seconds.
constexpr std::int64_t retryAfterMax = 300;

/// The lease is recorded as held, but its deadline has passed.
bool isOver(const NameState& state, BootTime now)
{
    return isHeld(state) && !isLive(state, now);
}

using AclPointer = std::shared_ptr<const backend::AclRecord>;

/// Whether the access list lets the caller acquire.
bool admits(const AclPointer& acl, const Acquire& acquire)
{
    if (!acl || acquire.admin)
        return true;
    return std::any_of(
        acquire.callerNames.begin(), acquire.callerNames.end(),
        [&acl](const std::string& name)
        { return std::binary_search(acl->acquire.begin(), acl->acquire.end(), name); });
}

Held heldOf(const NameState& state)
{
    Held held{viewOf(state), std::nullopt};
    held.lease.lease = {}; // only its holder may know it
    return held;
}

class Decider
{
public:
    Decider(const Subject& subject, const NameState& state, const Scope& scope,
            const Limits& limits, Now now)
        : _subject(subject), _state(state), _scope(scope), _limits(limits), _now(now)
    {
    }

    Decision operator()(const Acquire& acquire) const
    {
        if (_state.acl && acquire.acl && *acquire.acl != _state.acl->acquire)
            return refuse(ErrorCode::Conflict,
                          "The name has another access list; change it with PUT .../acl.");
        AclPointer acl = _state.acl;
        if (!acl && acquire.acl)
            acl = std::make_shared<backend::AclRecord>(backend::AclRecord{*acquire.acl});
        if (!admits(acl, acquire))
            return refuse(ErrorCode::Forbidden, "The access list of this name does not name you.");
        if (const auto until = coolingUntil(_state, _now.boot))
            return Wait{delayed(*until)};
        if (acquire.ephemeral || !acquire.session.isNil())
            if (const auto refusal = sessionRefusal(_scope.session, acquire.principal, _now.boot))
                return Answer{Refused{*refusal, std::nullopt, std::nullopt}};
        const bool live = isLive(_state, _now.boot);
        if (live && _state.lease->holder == acquire.holder)
            return again(acquire.ttl, std::nullopt, acl);
        if (_scope.leasesOfPrincipal >= _limits.leasesPerPrincipalMax)
            return refuse(ErrorCode::LockLimitExceeded,
                          "You hold as many locks as one account may (" +
                              std::to_string(_limits.leasesPerPrincipalMax) +
                              "); release one first.");
        if (live)
            return Wait{heldOf(_state)};
        if (const auto refusal = grantsNothingYet())
            return *refusal;
        return onFree([&](const NameState& free) { return granted(free, acquire, acl); });
    }

    Decision operator()(const Campaign& campaign) const
    {
        if (isLive(_state, _now.boot))
        {
            if (const auto token = tokenOfReplay(_subject.name, _state, campaign))
                return again(campaign.ttl, token, _state.acl);
            return Wait{heldOf(_state)};
        }
        if (_scope.liveRooms >= _limits.liveRoomsMax)
            return Answer{Refused{{ErrorCode::CapacityExceeded,
                                   "This server leads as many rooms as it may; try later."},
                                  std::nullopt,
                                  30}};
        if (const auto refusal = grantsNothingYet())
            return *refusal;
        return onFree([&](const NameState& free) { return elected(free, campaign); });
    }

    Decision operator()(const Renew& renew) const
    {
        if (auto refusal = refusalOf(_state, renew.credential, _now.boot))
            return *refusal;
        LeaseRecord extended = *_state.lease;
        extended.ttl = renew.ttl;
        extended.deadline = deadlineAfter(_now, renew.ttl, _limits.clock);
        Write write = put(_subject, _state, std::move(extended));
        write.reply = Renewed{viewOf(write.after)};
        return write;
    }

    Decision operator()(const Release& release) const
    {
        if (auto refusal = refusalOf(_state, release.credential, _now.boot))
            return *refusal;
        return end(_subject, _state, {_now, Cause::Released}, _limits);
    }

    Decision operator()(const Resign& resign) const
    {
        if (auto refusal = refusalOf(_state, resign.token, _now.boot))
            return *refusal;
        return end(_subject, _state, {_now, Cause::Resigned}, _limits);
    }

    Decision operator()(const ForceEnd& force) const
    {
        if (!isLive(_state, _now.boot))
            return refuse(ErrorCode::Conflict, "No lease is live now; nothing was ended.");
        if (_state.lease->term != force.term)
            return refuse(ErrorCode::Conflict, "The lease that is live now has term " +
                                                   std::to_string(_state.lease->term.value()) +
                                                   "; nothing was ended.");
        return end(_subject, _state, {_now, Cause::ForceReleased}, _limits, force.reason);
    }

    Decision operator()(const ChangeAcl& change) const
    {
        if (!change.acl && !_state.acl)
            return refuse(ErrorCode::NotFound, "The name has no access list.");
        if (!change.admin)
        {
            if (!isHeld(_state))
                return refuse(ErrorCode::NotFound, "Nobody holds this lock.");
            if (!isLive(_state, _now.boot) || _state.lease->principal != change.principal)
                return refuse(ErrorCode::Forbidden,
                              "Only the holder or an administrator may change the access list.");
        }
        AclPointer acl;
        if (change.acl)
            acl = std::make_shared<backend::AclRecord>(backend::AclRecord{*change.acl});
        Write write;
        write.after = _state;
        if (!change.admin)
        {
            write.transaction.conditions.push_back(
                conditionOn(backend::Collection::Lease, _subject.name, _state.version));
            conditionOnSession(write, _state);
        }
        putAcl(write, _subject, _state, std::move(acl));
        write.transaction.event =
            draftOf(_subject, event::ResourceKind::Acl, event::Type::AclChanged, _now.wall);
        write.transaction.event->reason = change.reason;
        write.reply = AclChanged{};
        return write;
    }

    Decision operator()(const EndOfLease& over) const
    {
        if (over.receipt)
        {
            if (!isLive(_state, _now.boot) || _state.version != over.receipt->revision)
                return refuse(ErrorCode::LeaseGone, "The grant has been answered for since.");
            return end(_subject, _state, {_now, over.cause}, _limits);
        }
        if (!isOver(_state, _now.boot))
            return refuse(ErrorCode::Conflict, "The lease is not over.");
        return end(_subject, _state, endOf(_state), _limits);
    }

private:
    /// After a restore leases of the server before may be live that nobody here knows of.
    std::optional<Answer> grantsNothingYet() const
    {
        if (!_limits.grantsFrom || _now.boot >= *_limits.grantsFrom)
            return std::nullopt;
        const auto left =
            std::chrono::ceil<std::chrono::seconds>(*_limits.grantsFrom - _now.boot).count();
        return Answer{Refused{{ErrorCode::Restoring, "The store was restored."},
                              std::nullopt,
                              static_cast<unsigned>(std::min<std::int64_t>(left, retryAfterMax))}};
    }

    Delayed delayed(BootTime until) const
    {
        const LeaseRecord& lease = *_state.lease;
        return {until, _now.wall + (until - _now.boot), lease.lockDelay, std::nullopt};
    }

    /// The same lease answered for again: never shortened, and written only if its deadline moves
    /// or it brings the first access list.
    Decision again(Milliseconds ttl, std::optional<LeaderToken> token, AclPointer acl) const
    {
        Granted reply;
        reply.token = token;
        // The deadline of another server is known only roughly: a promise has to be written, for
        // no less time than that server may have promised.
        const bool exact = _state.lease->deadline.clock != othersClock;
        if (!exact)
            ttl = std::max(ttl, _state.lease->ttl);
        const bool moves = !exact || _now.boot + ttl > _state.lease->deadline.boot;
        if (!moves && acl == _state.acl)
        {
            reply.lease = viewOf(_state);
            return Answer{std::move(reply)};
        }
        LeaseRecord lease = *_state.lease;
        if (moves)
        {
            lease.ttl = ttl;
            lease.deadline = deadlineAfter(_now, ttl, _limits.clock);
        }
        Write write = put(_subject, _state, std::move(lease));
        reply.lease = viewOf(write.after);
        if (write.after.lease->kind == LeaseKind::Lock)
            conditionOnAcl(write, std::move(acl));
        write.reply = std::move(reply);
        return write;
    }

    /// What was decided stands only while the access list is what was read; a first one is stored.
    void conditionOnAcl(Write& write, AclPointer acl) const
    {
        if (acl != _state.acl)
            putAcl(write, _subject, _state, std::move(acl));
        else
            write.transaction.conditions.push_back(
                conditionOn(backend::Collection::Acl, _subject.name, _state.aclVersion));
    }

    /// Grants on the vacant state; when the last lease is over but not yet recorded, its end and
    /// the grant are one transaction.
    template <class Grant>
    Decision onFree(Grant grantOn) const
    {
        if (!isOver(_state, _now.boot))
            return grantOn(_state);
        Write ended = end(_subject, _state, endOf(_state), _limits);
        Write fresh = grantOn(ended.after);
        return handOver(std::move(ended), std::move(fresh));
    }

    Write granted(const NameState& free, const Acquire& acquire, AclPointer acl) const
    {
        LeaseRecord fresh;
        fresh.kind = LeaseKind::Lock;
        fresh.holder = acquire.holder;
        fresh.principal = acquire.principal;
        fresh.label = acquire.label;
        fresh.lease = acquire.freshLease;
        fresh.metadata = acquire.metadata;
        fresh.ttl = acquire.ttl;
        fresh.lockDelay = acquire.lockDelay;
        fresh.session = acquire.session;
        fresh.ephemeral = acquire.ephemeral;
        fresh.deadline = deadlineAfter(_now, acquire.ttl, _limits.clock);
        const SessionState* session = acquire.session.isNil() ? nullptr : _scope.session;
        return answered(grant(_subject, free, std::move(fresh), session, _now), std::nullopt,
                        std::move(acl));
    }

    Write answered(Write write, std::optional<LeaderToken> token, AclPointer acl) const
    {
        Granted reply;
        reply.fresh = true;
        reply.token = token;
        reply.lease = viewOf(write.after);
        if (write.after.lease->kind == LeaseKind::Lock)
            conditionOnAcl(write, std::move(acl));
        write.reply = std::move(reply);
        return write;
    }

    Write elected(const NameState& free, const Campaign& campaign) const
    {
        const LeaderToken token =
            campaign.candidateKey.empty()
                ? campaign.freshToken
                : deriveLeaderToken(campaign.candidateKey, roomOfLeaseName(_subject.name),
                                    campaign.candidate, campaign.freshNonce);
        LeaseRecord fresh;
        fresh.kind = LeaseKind::Election;
        fresh.holder = campaign.freshHolder;
        fresh.label = campaign.candidate;
        fresh.secretDigest = digestOf(token);
        fresh.tokenNonce = campaign.freshNonce;
        fresh.metadata = campaign.metadata;
        fresh.ttl = campaign.ttl;
        fresh.deadline = deadlineAfter(_now, campaign.ttl, _limits.clock);
        return answered(grant(_subject, free, std::move(fresh), nullptr, _now), token, nullptr);
    }

    const Subject& _subject;
    const NameState& _state;
    const Scope& _scope;
    const Limits& _limits;
    const Now _now;
};

} // namespace

Decision decide(const Subject& subject, const NameState& state, const Scope& scope,
                const Limits& limits, const Command& command, Now now)
{
    return std::visit(Decider(subject, state, scope, limits, now), command);
}

Write handOver(Write ended, Write granted)
{
    // One put and one event. Both started from the same lease record, and that is what the end
    // conditions on; what else the grant read is added.
    backend::Transaction merged = std::move(ended.transaction);
    merged.puts = std::move(granted.transaction.puts);
    for (backend::Condition& condition : granted.transaction.conditions)
        if (condition.key.collection != backend::Collection::Lease)
            merged.conditions.push_back(std::move(condition));
    event::Draft& what = *merged.event;
    event::Draft& grant = *granted.transaction.event;
    what.facts = {what.type, grant.type};
    what.type = what.kind == event::ResourceKind::Lock ? event::Type::LockHandedOver
                                                       : event::Type::LeaderChanged;
    what.time = grant.time;
    what.current = grant.current;
    what.vacantMs = grant.vacantMs;
    granted.transaction = std::move(merged);
    return granted;
}

std::pair<NameState, Reply> committed(Write write, const backend::Committed& commit)
{
    NameState& after = write.after;
    if (after.lease && after.version == Revision())
        after.version = commit.revision;
    if (after.acl && after.aclVersion == Revision())
        after.aclVersion = commit.revision;
    if (after.lease && after.lease->term == Term(0))
        after.lease->term = Term(commit.revision.value());
    if (auto* granted = std::get_if<Granted>(&write.reply))
    {
        granted->lease.term = after.lease->term;
        granted->receipt.revision = commit.revision;
    }
    return {std::move(after), std::move(write.reply)};
}

} // namespace octostore::coordination
