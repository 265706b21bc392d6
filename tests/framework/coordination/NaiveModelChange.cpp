// SPDX-License-Identifier: MIT
/// @file
/// The naive model: what becomes of a lease that somebody has.
#include "NaiveModel.h"

namespace octostore::coordination::test
{

using event::Cause;

namespace
{

/// What a command proves its lease with: one of the two.
struct Proof
{
    const LockCredential* lock = nullptr;
    const LeaderToken* token = nullptr;
};

Proof proofOf(const Command& command)
{
    if (const auto* renew = std::get_if<Renew>(&command))
        return {std::get_if<LockCredential>(&renew->credential),
                std::get_if<LeaderToken>(&renew->credential)};
    if (const auto* release = std::get_if<Release>(&command))
        return {&release->credential, nullptr};
    return {nullptr, &std::get<Resign>(command).token};
}

/// Of a lease that is there, or of one that was.
template <class Whose>
bool matches(const Proof& proof, const Whose& whose)
{
    if (proof.lock != nullptr)
        return proof.lock->holder.uuid == whose.principal.uuid && proof.lock->lease == whose.lease;
    return whose.grant->token == *proof.token;
}

} // namespace

void NaiveModel::change(Ticket ticket, Name& name, const Command& command, BootTime now)
{
    Expected told;
    told.ticket = ticket;
    if (const auto* force = std::get_if<ForceEnd>(&command))
    {
        if (name.lease && name.lease->grant->term == force->term)
            return finish(name, std::move(told), Cause::ForceReleased, now);
        told.codes = {ErrorCode::Conflict};
        _due.push_back(std::move(told));
    }
    else if (const auto* over = std::get_if<EndOfLease>(&command))
    {
        const bool named = over->receipt && name.lease &&
                           Revision(name.lease->grant->term.value()) == over->receipt->revision;
        if (named && name.lease->pristine)
            return finish(name, std::move(told), Cause::Undelivered, now);
        told.codes = {ErrorCode::LeaseGone, ErrorCode::Conflict};
        _due.push_back(std::move(told));
    }
    else if (name.lease)
        useLease(name, std::move(told), command, now);
    else
        tellEnd(name, std::move(told), command, now);
}

void NaiveModel::finish(Name& name, Expected told, Cause cause, BootTime now)
{
    told.kind = Expected::Kind::Ended;
    told.ended = name.lease->grant;
    end(name, cause, now);
    _due.push_back(std::move(told));
    serve(name, now);
}

void NaiveModel::useLease(Name& name, Expected told, const Command& command, BootTime now)
{
    const Proof proof = proofOf(command);
    const auto* renew = std::get_if<Renew>(&command);
    if (!matches(proof, *name.lease))
        told.codes = {ErrorCode::LeaseMismatch};
    else if (renew == nullptr)
        return finish(name, std::move(told),
                      proof.lock != nullptr ? Cause::Released : Cause::Resigned, now);
    else
    {
        name.lease->deadline = now + renew->ttl;
        name.lease->pristine = false;
        told.kind = Expected::Kind::Renewed;
        told.lease = name.lease;
    }
    _due.push_back(std::move(told));
}

void NaiveModel::tellEnd(const Name& name, Expected told, const Command& command, BootTime now)
{
    told.codes = {ErrorCode::LeaseGone};
    const bool ranOut = name.past && name.past->cause == Cause::Ttl;
    if (name.past && matches(proofOf(command), *name.past))
    {
        told.ended = name.past->grant;
        told.cause = name.past->cause;
        told.maybeForgotten = now >= name.past->at + rememberedFor;
        if (ranOut)
            told.codes.push_back(ErrorCode::LeaseExpired);
    }
    else if (ranOut) // until the expiry is recorded there is a record, and it is another one
        told.codes.push_back(ErrorCode::LeaseMismatch);
    _due.push_back(std::move(told));
}

} // namespace octostore::coordination::test
