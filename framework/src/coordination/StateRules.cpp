// SPDX-License-Identifier: MIT
/// What a committed state means at an instant.
#include "coordination/Rules.h"

#include <algorithm>

namespace octostore::coordination
{

using backend::LeaseRecord;
using backend::LeaseState;
using event::Cause;

bool isLive(const NameState& state, BootTime now) noexcept
{
    return isHeld(state) && now < state.lease->deadline.boot &&
           (!state.lease->ephemeral || (state.session && state.session->liveAt(now)));
}

SessionEnd endOf(const NameState& state) noexcept
{
    const backend::Deadline& deadline = state.lease->deadline;
    SessionEnd end{{deadline.boot, deadline.wall}, Cause::Ttl};
    if (!state.session)
        return end;
    const backend::Deadline& session = state.session->record.deadline;
    const SessionEnd bySession = state.session->ended.value_or(
        SessionEnd{{session.boot, session.wall}, Cause::SessionExpired});
    return bySession.at.boot < end.at.boot ? bySession : end;
}

std::optional<BootTime> coolingUntil(const NameState& state, BootTime now) noexcept
{
    if (!state.lease || isLive(state, now) || state.lease->state == LeaseState::Vacant)
        return std::nullopt;
    const LeaseRecord& lease = *state.lease;
    const BootTime until = lease.state == LeaseState::Cooling
                               ? lease.deadline.boot
                               : endOf(state).at.boot + lease.lockDelay;
    if (now >= until)
        return std::nullopt;
    return until;
}

LeaseView viewOf(const NameState& state)
{
    const LeaseRecord& lease = *state.lease;
    LeaseView view{
        lease.term, lease.lease,         lease.holder,        lease.label, copyOf(lease.metadata),
        lease.ttl,  lease.deadline.boot, lease.deadline.wall, {}};
    view.authority = view.deadline;
    if (state.session)
        view.authority = std::min(
            view.deadline, certainUntil(state.session->record.deadline, state.session->record.ttl));
    return view;
}

Status statusOf(const std::string& name, const NameState& state, BootTime now)
{
    Status status;
    status.name = name;
    status.acl = state.acl;
    if (!state.lease)
        return status;
    status.lastTerm = state.lease->term;
    if (isLive(state, now))
    {
        status.lease = viewOf(state);
        status.lease->lease = {}; // only its holder may know it
    }
    else if (const auto until = coolingUntil(state, now))
        status.availableAt = state.lease->deadline.wall + (*until - state.lease->deadline.boot);
    return status;
}

BootTime certainUntil(const backend::Deadline& deadline, Milliseconds ttl) noexcept
{
    if (deadline.clock != othersClock)
        return deadline.boot;
    // Before it was first seen: it is watched for TTL x 1.01 + 1 s + up to 1 s from then on.
    return deadline.boot - ttl - ttl / 100 - std::chrono::seconds(2);
}

void adopt(backend::Deadline& deadline, Milliseconds ttl, const SharedText& clock,
           BootTime recoveredAt, Now now) noexcept
{
    if (deadline.clock == clock)
    {
        // Never more than a full TTL from now, whatever the file says.
        deadline.boot = std::min(deadline.boot, now.boot + ttl);
    }
    else
    {
        deadline.boot = recoveredAt + ttl;
        deadline.wall = now.wall + (deadline.boot - now.boot);
    }
    deadline.clock = clock; // the shared one, also where a text of its own was read
}

} // namespace octostore::coordination
