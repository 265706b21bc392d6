// SPDX-License-Identifier: MIT
/// @file
/// What may be answered.
#include "SessionJudge.h"

#include <chrono>

namespace octostore::coordination::test
{

using backend::LeaseRecord;
using backend::LeaseState;
using event::Cause;

namespace
{

/// How long the engine gives the store after a failure.
constexpr std::chrono::milliseconds moment{200};

/// The code of a refusal; nothing for any other answer.
std::optional<ErrorCode> codeIn(const Reply& reply)
{
    const auto* refused = std::get_if<Refused>(&reply);
    if (!refused)
        return std::nullopt;
    return refused->error.code;
}

} // namespace

void SessionJudge::answered(const Asked& asked, const Reply& reply, const Transactions& inFlight,
                            Now now) const
{
    if (codeIn(reply) == ErrorCode::Unavailable)
        mayBeUnavailable(asked, std::get<Refused>(reply), now.boot);
    else if (const auto* query = std::get_if<Query>(&asked.operation))
        answeredQuery(asked, *query, reply, now.boot);
    else if (const auto* session = std::get_if<SessionCommand>(&asked.operation))
        answeredSession(*session, reply, inFlight, now.boot);
    else
    {
        const Command& command = std::get<Command>(asked.operation);
        if (const auto* acquire = std::get_if<Acquire>(&command))
            answeredAcquire(asked, *acquire, reply, inFlight, now.boot);
        else if (const auto* change = std::get_if<ChangeAcl>(&command))
            answeredAcl(asked, *change, reply, now.boot);
        else if (const auto* renew = std::get_if<Renew>(&command))
            answeredHolder(asked, std::get<LockCredential>(renew->credential), reply, now.boot);
        else
            answeredHolder(asked, std::get<Release>(command).credential, reply, now.boot);
    }
}

void SessionJudge::mayBeUnavailable(const Asked& asked, const Refused& refused, BootTime now) const
{
    EXPECT_TRUE(_troubles > asked.troubles ||
                (_lastTrouble > BootTime::min() && now - _lastTrouble <= moment))
        << "nothing stands in the way of " << asked.name << ": " << refused.error.message;
}

void SessionJudge::answeredAcquire(const Asked& asked, const Acquire& acquire, const Reply& reply,
                                   const Transactions& inFlight, BootTime now) const
{
    const LeaseRecord* lease = _store.lease(asked.name);
    const Names* stored = acl(asked.name);
    const Names* sent = acquire.acl ? &*acquire.acl : nullptr;
    if (const auto* granted = std::get_if<Granted>(&reply))
    {
        ASSERT_TRUE(live(lease, now)) << asked.name;
        EXPECT_EQ(granted->lease.lease, lease->lease);
        EXPECT_EQ(granted->lease.term, lease->term);
        EXPECT_EQ(acquire.holder, lease->holder);
        EXPECT_TRUE(admits(stored, acquire)) << "slipped in: " << asked.name;
        EXPECT_TRUE(!sent || *sent == *stored) << "without its access list";
        BootTime authority = at(lease->deadline, lease->ttl);
        if (lease->ephemeral)
        {
            const backend::SessionRecord* record = session(lease->session);
            authority = std::min(authority, at(record->deadline, record->ttl));
        }
        // A keepalive committed meanwhile only adds to it.
        EXPECT_LE(granted->lease.authority, authority);
        return;
    }
    if (const auto* held = std::get_if<Held>(&reply))
    {
        ASSERT_TRUE(live(lease, now)) << asked.name;
        EXPECT_EQ(held->lease.holder, lease->holder);
        EXPECT_TRUE(held->lease.lease.isNil());
        EXPECT_NE(acquire.holder, lease->holder);
        return;
    }
    if (const auto* delayed = std::get_if<Delayed>(&reply))
    {
        ASSERT_TRUE(lease && !live(lease, now) && lease->state != LeaseState::Vacant);
        EXPECT_EQ(delayed->availableAt, lease->state == LeaseState::Cooling
                                            ? at(lease->deadline, lease->ttl)
                                            : endOf(*lease) + lease->lockDelay);
        return;
    }
    const backend::SessionRecord* own = session(acquire.session);
    switch (codeIn(reply).value_or(ErrorCode::Internal))
    {
    case ErrorCode::Conflict:
        EXPECT_TRUE(stored && sent && *stored != *sent);
        break;
    case ErrorCode::Forbidden:
        EXPECT_FALSE(admits(stored ? stored : sent, acquire));
        break;
    case ErrorCode::NotFound:
        EXPECT_TRUE(!own || own->principal != acquire.principal);
        break;
    case ErrorCode::SessionExpired:
        EXPECT_FALSE(sessionLive(acquire.session, now));
        EXPECT_EQ(causeOf(acquire.session).value_or(Cause::SessionExpired), Cause::SessionExpired);
        break;
    case ErrorCode::LockLimitExceeded:
        EXPECT_GE(leasesOf(acquire.principal, inFlight), _limits.leasesPerPrincipalMax);
        break;
    case ErrorCode::OutcomeUnknown:
        EXPECT_FALSE(live(lease, now));
        break;
    default:
        ADD_FAILURE() << "alternative " << reply.index() << " answers no acquire";
    }
}

/// Renew and release.
void SessionJudge::answeredHolder(const Asked& asked, const LockCredential& shown,
                                  const Reply& reply, BootTime now) const
{
    const LeaseRecord* lease = _store.lease(asked.name);
    const bool held = lease && lease->state == LeaseState::Held;
    const bool owner = held && lease->principal.uuid == shown.holder.uuid;
    const bool own = owner && lease->lease == shown.lease;
    if (const auto* renewed = std::get_if<Renewed>(&reply))
    {
        EXPECT_TRUE(own && live(lease, now)) << asked.name;
        EXPECT_EQ(renewed->lease.deadline, lease->deadline.boot);
        return;
    }
    if (is<Ended>(reply))
    {
        EXPECT_FALSE(own) << "released and still there: " << asked.name;
        return;
    }
    switch (codeIn(reply).value_or(ErrorCode::Internal))
    {
    case ErrorCode::NotFound:
        EXPECT_TRUE(held && lease->ephemeral) << asked.name;
        EXPECT_TRUE(!owner || !session(lease->session)) << asked.name;
        break;
    case ErrorCode::SessionExpired:
        EXPECT_TRUE(owner && lease->ephemeral && !sessionLive(lease->session, now)) << asked.name;
        break;
    case ErrorCode::LeaseGone:
    case ErrorCode::LeaseExpired:
    case ErrorCode::LeaseMismatch:
    case ErrorCode::OutcomeUnknown:
        EXPECT_FALSE(own && live(lease, now)) << "it was theirs: " << asked.name;
        break;
    default:
        ADD_FAILURE() << "alternative " << reply.index() << " answers no holder";
    }
}

void SessionJudge::answeredAcl(const Asked& asked, const ChangeAcl& change, const Reply& reply,
                               BootTime now) const
{
    const LeaseRecord* lease = _store.lease(asked.name);
    const Names* stored = acl(asked.name);
    if (is<AclChanged>(reply))
    {
        EXPECT_TRUE(change.acl ? stored && *stored == *change.acl : !stored) << asked.name;
        return;
    }
    const bool held = lease && lease->state == LeaseState::Held;
    if (codeIn(reply) == ErrorCode::NotFound)
    {
        EXPECT_TRUE((!change.acl && !stored) || (!change.admin && !held));
    }
    else if (codeIn(reply) == ErrorCode::Forbidden)
    {
        EXPECT_TRUE(!change.admin && !(live(lease, now) && lease->principal == change.principal));
    }
    else
        ADD_FAILURE() << "alternative " << reply.index() << " answers no change of a list";
}

void SessionJudge::answeredSession(const SessionCommand& command, const Reply& reply,
                                   const Transactions& inFlight, BootTime now) const
{
    const auto* open = std::get_if<OpenSession>(&command);
    const auto* alive = std::get_if<KeepAlive>(&command);
    const auto* close = std::get_if<CloseSession>(&command);
    const SessionId id = open ? open->fresh : alive ? alive->session : close->session;
    const backend::SessionRecord* record = session(id);
    if (const auto* view = std::get_if<SessionView>(&reply))
    {
        EXPECT_TRUE(sessionLive(id, now));
        EXPECT_EQ(view->deadline, at(record->deadline, record->ttl));
        return;
    }
    if (is<SessionEnded>(reply))
    {
        EXPECT_TRUE(close && !record);
        return;
    }
    switch (codeIn(reply).value_or(ErrorCode::Internal))
    {
    case ErrorCode::CapacityExceeded:
        EXPECT_TRUE(open);
        EXPECT_GE(sessionsOf(open->principal, inFlight), _limits.sessionsPerPrincipalMax);
        break;
    case ErrorCode::NotFound:
        EXPECT_TRUE(!record || record->principal != (alive ? alive->principal : close->principal));
        break;
    case ErrorCode::SessionExpired:
        EXPECT_TRUE(alive && !sessionLive(id, now));
        break;
    case ErrorCode::OutcomeUnknown:
        EXPECT_FALSE(sessionLive(id, now));
        break;
    default:
        ADD_FAILURE() << "alternative " << reply.index() << " answers no session command";
    }
}

void SessionJudge::answeredQuery(const Asked& asked, const Query& query, const Reply& reply,
                                 BootTime now) const
{
    if (const auto* status = std::get_if<Status>(&reply))
    {
        const LeaseRecord* lease = _store.lease(asked.name);
        EXPECT_EQ(status->lease.has_value(), live(lease, now)) << asked.name;
        EXPECT_EQ(status->lastTerm, lease ? lease->term : Term());
        const Names* stored = acl(asked.name);
        EXPECT_TRUE(stored ? status->acl && status->acl->acquire == *stored : !status->acl);
        return;
    }
    const auto& get = std::get<GetSession>(query);
    const backend::SessionRecord* record = session(get.session);
    if (const auto* view = std::get_if<SessionView>(&reply))
    {
        EXPECT_EQ(view->live, sessionLive(get.session, now));
        if (!record)
            return;
        std::size_t tagged = 0;
        for (const auto& [key, stored] : _store.records())
        {
            const auto* lease = std::get_if<LeaseRecord>(&stored.value);
            tagged += live(lease, now) && lease->session == get.session;
        }
        EXPECT_EQ(view->locks, tagged);
        return;
    }
    EXPECT_EQ(codeIn(reply), ErrorCode::NotFound);
    EXPECT_TRUE(!record || record->principal != get.principal);
}

} // namespace octostore::coordination::test
