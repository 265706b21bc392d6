// SPDX-License-Identifier: MIT
#include "coordination/Rules.h"

#include "coordination/LeaderTokens.h"
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

Answer refuse(ErrorCode code, std::string message)
{
    return {Refused{{code, std::move(message)}, std::nullopt, std::nullopt}};
}

/// The lease is recorded as held, but its deadline has passed.
bool isOver(const NameState& state, BootTime now)
{
    return state.lease && state.lease->state == LeaseState::Held && !isLive(state, now);
}

/// When the lease in `state` ended by rule: its deadline, on both clocks.
Now deadlineOf(const LeaseRecord& lease)
{
    return {lease.deadline.boot, lease.deadline.wall};
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
        if (const auto until = coolingUntil(_state, _now.boot))
            return Wait{delayed(*until)};
        const bool live = isLive(_state, _now.boot);
        if (live && _state.lease->holder == acquire.holder)
            return again(acquire.ttl, std::nullopt);
        if (_scope.leasesOfPrincipal >= _limits.leasesPerPrincipalMax)
            return refuse(ErrorCode::LockLimitExceeded,
                          "You hold as many locks as one account may (" +
                              std::to_string(_limits.leasesPerPrincipalMax) +
                              "); release one first.");
        if (live)
            return Wait{Held{viewOf(*_state.lease), std::nullopt}};
        return onFree([&](const NameState& free) { return granted(free, acquire); });
    }

    Decision operator()(const Campaign& campaign) const
    {
        if (isLive(_state, _now.boot))
        {
            if (const auto token = tokenOfReplay(campaign))
                return again(campaign.ttl, token);
            return Wait{Held{viewOf(*_state.lease), std::nullopt}};
        }
        if (_scope.liveRooms >= _limits.liveRoomsMax)
            return Answer{Refused{{ErrorCode::CapacityExceeded,
                                   "This server leads as many rooms as it may; try later."},
                                  std::nullopt,
                                  30}};
        return onFree([&](const NameState& free) { return elected(free, campaign); });
    }

    Decision operator()(const Renew& renew) const
    {
        if (auto refusal = refusalOf(renew.credential))
            return *refusal;
        LeaseRecord extended = *_state.lease;
        extended.ttl = renew.ttl;
        extended.deadline = deadlineAfter(_now, renew.ttl, _limits.clock);
        LeaseView view = viewOf(extended);
        return extend(_subject, _state, std::move(extended), Renewed{std::move(view)});
    }

    Decision operator()(const Release& release) const
    {
        if (auto refusal = refusalOf(release.credential))
            return *refusal;
        return end(_subject, _state, Cause::Released, _now, _limits);
    }

    Decision operator()(const Resign& resign) const
    {
        if (auto refusal = refusalOf(resign.token))
            return *refusal;
        return end(_subject, _state, Cause::Resigned, _now, _limits);
    }

    Decision operator()(const EndOfLease& over) const
    {
        if (over.receipt)
        {
            if (!_state.lease || _state.lease->state != LeaseState::Held ||
                _state.version != over.receipt->revision || isOver(_state, _now.boot))
                return refuse(ErrorCode::LeaseGone, "The grant has been answered for since.");
            return end(_subject, _state, over.cause, _now, _limits);
        }
        if (!isOver(_state, _now.boot))
            return refuse(ErrorCode::Conflict, "The lease is not over.");
        return end(_subject, _state, over.cause, deadlineOf(*_state.lease), _limits);
    }

    /// Cooling is over by rule; there is nothing to record. The engine grants to the head waiter.
    Decision operator()(const EndOfCooling&) const
    {
        return refuse(ErrorCode::Conflict, "Nothing to record.");
    }

private:
    Delayed delayed(BootTime until) const
    {
        const LeaseRecord& lease = *_state.lease;
        return {until, _now.wall + (until - _now.boot), lease.lockDelay, std::nullopt};
    }

    /// The same lease answered for again: never shortened, written only if the deadline moves.
    Decision again(Milliseconds ttl, std::optional<LeaderToken> token) const
    {
        LeaseRecord lease = *_state.lease;
        Granted reply;
        reply.token = token;
        if (_now.boot + ttl <= lease.deadline.boot)
        {
            reply.lease = viewOf(lease);
            return Answer{std::move(reply)};
        }
        lease.ttl = ttl;
        lease.deadline = deadlineAfter(_now, ttl, _limits.clock);
        reply.lease = viewOf(lease);
        return extend(_subject, _state, std::move(lease), std::move(reply));
    }

    /// Grants on the vacant state; when the last lease is over but not yet recorded, its end and
    /// the grant are one transaction.
    template <class Grant>
    Decision onFree(Grant grantOn) const
    {
        if (!isOver(_state, _now.boot))
            return grantOn(_state);
        Write ended = end(_subject, _state, Cause::Ttl, deadlineOf(*_state.lease), _limits);
        Write fresh = grantOn(ended.after);
        return handOver(std::move(ended), std::move(fresh));
    }

    Write granted(const NameState& free, const Acquire& acquire) const
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
        Granted reply;
        reply.fresh = true;
        reply.lease = viewOf(fresh);
        return grant(_subject, free, std::move(fresh), _now, std::move(reply));
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
        Granted reply;
        reply.fresh = true;
        reply.token = token;
        reply.lease = viewOf(fresh);
        return grant(_subject, free, std::move(fresh), _now, std::move(reply));
    }

    std::optional<LeaderToken> tokenOfReplay(const Campaign& campaign) const
    {
        const LeaseRecord& lease = *_state.lease;
        if (campaign.candidateKey.empty() || lease.label != campaign.candidate)
            return std::nullopt;
        const LeaderToken token =
            deriveLeaderToken(campaign.candidateKey, roomOfLeaseName(_subject.name),
                              campaign.candidate, lease.tokenNonce);
        if (!equalSecrets(digestOf(token), lease.secretDigest))
            return std::nullopt;
        return token;
    }

    bool matches(const LockCredential& credential) const
    {
        const LeaseRecord& lease = *_state.lease;
        if (lease.kind != LeaseKind::Lock || lease.holder != credential.holder)
            return false;
        if (lease.state == LeaseState::Held)
            return lease.lease == credential.lease;
        const auto& bytes = credential.lease.uuid.bytes;
        return equalSecrets(sha256({reinterpret_cast<const char*>(bytes.data()), bytes.size()}),
                            lease.secretDigest);
    }

    bool matches(const LeaderToken& token) const
    {
        return _state.lease->kind == LeaseKind::Election &&
               equalSecrets(digestOf(token), _state.lease->secretDigest);
    }

    bool matches(const std::variant<LockCredential, LeaderToken>& credential) const
    {
        return std::visit([this](const auto& shown) { return matches(shown); }, credential);
    }

    /// Why the credential is not that of the live lease; nothing when it is.
    template <class Credential>
    std::optional<Answer> refusalOf(const Credential& credential) const
    {
        if (!_state.lease)
            return refuse(ErrorCode::LeaseGone, "Nobody holds this name.");
        const LeaseRecord& lease = *_state.lease;
        const bool own = matches(credential);
        if (isLive(_state, _now.boot))
        {
            if (own)
                return std::nullopt;
            return refuse(ErrorCode::LeaseMismatch,
                          "The lease that is live now is another one; yours is lost.");
        }
        if (lease.state == LeaseState::Held)
            return own ? ended(Cause::Ttl, lease.deadline.wall)
                       : refuse(ErrorCode::LeaseMismatch,
                                "The last lease of this name was another one; yours is lost.");
        return own ? ended(lease.cause, lease.endedAt)
                   : refuse(ErrorCode::LeaseGone, "Nobody holds this name.");
    }

    Answer ended(Cause cause, WallTime at) const
    {
        const bool expired = cause == Cause::Ttl || cause == Cause::SessionExpired;
        return {Refused{{expired ? ErrorCode::LeaseExpired : ErrorCode::LeaseGone,
                         expired ? "Your lease ran out." : "Your lease has ended."},
                        EndedLease{_state.lease->term, cause, at},
                        std::nullopt}};
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
    // One put and one event: the conditions are those of the state both started from.
    backend::Transaction merged = std::move(ended.transaction);
    merged.puts = std::move(granted.transaction.puts);
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
    after.version = commit.revision;
    if (after.lease && after.lease->term == Term(0))
        after.lease->term = Term(commit.revision.value());
    if (auto* granted = std::get_if<Granted>(&write.reply))
    {
        granted->lease.term = after.lease->term;
        granted->receipt.revision = commit.revision;
    }
    return {std::move(after), std::move(write.reply)};
}

bool isLive(const NameState& state, BootTime now) noexcept
{
    return state.lease && state.lease->state == LeaseState::Held &&
           now < state.lease->deadline.boot;
}

std::optional<BootTime> coolingUntil(const NameState& state, BootTime now) noexcept
{
    if (!state.lease || isLive(state, now) || state.lease->state == LeaseState::Vacant)
        return std::nullopt;
    const LeaseRecord& lease = *state.lease;
    const BootTime until = lease.state == LeaseState::Cooling
                               ? lease.deadline.boot
                               : lease.deadline.boot + lease.lockDelay;
    if (now >= until)
        return std::nullopt;
    return until;
}

LeaseView viewOf(const LeaseRecord& record)
{
    return {record.term,     record.lease, record.holder,        record.label,
            record.metadata, record.ttl,   record.deadline.boot, record.deadline.wall};
}

Status statusOf(const std::string& name, const NameState& state, BootTime now)
{
    Status status;
    status.name = name;
    if (!state.lease)
        return status;
    status.lastTerm = state.lease->term;
    if (isLive(state, now))
        status.lease = viewOf(*state.lease);
    else if (const auto until = coolingUntil(state, now))
    {
        // A held record that is over cools from its deadline on.
        status.availableAt = state.lease->deadline.wall + (*until - state.lease->deadline.boot);
    }
    return status;
}

void adopt(LeaseRecord& record, const std::string& clock, BootTime recoveredAt, Now now) noexcept
{
    backend::Deadline& deadline = record.deadline;
    if (deadline.clock == clock)
    {
        // Never more than a full TTL from now, whatever the file says.
        const BootTime latest = now.boot + record.ttl;
        deadline.boot = std::min(deadline.boot, latest);
    }
    else
    {
        deadline.boot = recoveredAt + record.ttl;
        deadline.wall = now.wall + (deadline.boot - now.boot);
        deadline.clock = clock;
    }
}

} // namespace octostore::coordination
