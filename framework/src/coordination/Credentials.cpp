// SPDX-License-Identifier: MIT
#include "coordination/Credentials.h"

#include "coordination/LeaderTokens.h"
#include "coordination/SessionRules.h"

#include <octostore/coordination/Name.h>

#include <utility>

namespace octostore::coordination
{

namespace
{

using backend::LeaseKind;
using backend::LeaseRecord;
using backend::LeaseState;
using event::Cause;

bool matches(const LeaseRecord& lease, const LockCredential& credential)
{
    if (lease.kind != LeaseKind::Lock || lease.principal.uuid != credential.holder.uuid)
        return false;
    if (lease.state == LeaseState::Held)
        return lease.lease == credential.lease;
    return equalSecrets(digestOf(credential.lease), lease.secretDigest);
}

bool matches(const LeaseRecord& lease, const LeaderToken& token)
{
    return lease.kind == LeaseKind::Election && equalSecrets(digestOf(token), lease.secretDigest);
}

/// The lock of another account's session is not even there for the caller.
std::optional<Answer> refusalBySession(const NameState& state,
                                       const std::variant<LockCredential, LeaderToken>& credential,
                                       BootTime now)
{
    const auto* shown = std::get_if<LockCredential>(&credential);
    if (!shown || !state.session)
        return std::nullopt;
    if (const auto refusal = sessionRefusal(state.session, PrincipalId{shown->holder.uuid}, now))
        return Answer{Refused{*refusal, std::nullopt, std::nullopt}};
    return std::nullopt;
}

Answer ended(const NameState& state, Cause cause, WallTime at)
{
    const bool expired = cause == Cause::Ttl || cause == Cause::SessionExpired;
    return {Refused{{expired ? ErrorCode::LeaseExpired : ErrorCode::LeaseGone,
                     expired ? "Your lease ran out." : "Your lease has ended."},
                    EndedLease{state.lease->term, cause, at},
                    std::nullopt}};
}

} // namespace

Answer refuse(ErrorCode code, std::string message)
{
    return {Refused{{code, std::move(message)}, std::nullopt, std::nullopt}};
}

std::optional<LeaderToken> tokenOfReplay(const std::string& name, const NameState& state,
                                         const Campaign& campaign)
{
    const LeaseRecord& lease = *state.lease;
    if (campaign.candidateKey.empty() || lease.label != campaign.candidate)
        return std::nullopt;
    const LeaderToken token = deriveLeaderToken(campaign.candidateKey, roomOfLeaseName(name),
                                                campaign.candidate, lease.tokenNonce);
    if (!equalSecrets(digestOf(token), lease.secretDigest))
        return std::nullopt;
    return token;
}

std::optional<Answer> refusalOf(const NameState& state,
                                const std::variant<LockCredential, LeaderToken>& credential,
                                BootTime now)
{
    if (!state.lease)
        return refuse(ErrorCode::LeaseGone, "Nobody holds this name.");
    if (auto refusal = refusalBySession(state, credential, now))
        return refusal;
    const LeaseRecord& lease = *state.lease;
    const bool own =
        std::visit([&lease](const auto& shown) { return matches(lease, shown); }, credential);
    if (isLive(state, now))
    {
        if (own)
            return std::nullopt;
        return refuse(ErrorCode::LeaseMismatch,
                      "The lease that is live now is another one; yours is lost.");
    }
    if (lease.state == LeaseState::Held)
        return own ? ended(state, endOf(state).cause, endOf(state).at.wall)
                   : refuse(ErrorCode::LeaseMismatch,
                            "The last lease of this name was another one; yours is lost.");
    return own ? ended(state, lease.cause, lease.endedAt)
               : refuse(ErrorCode::LeaseGone, "Nobody holds this name.");
}

} // namespace octostore::coordination
