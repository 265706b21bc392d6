// SPDX-License-Identifier: MIT
/// @file
/// An engine and the commands of accounts that have sessions.
#pragma once

#include "EngineHarness.h"

#include <string>
#include <vector>

namespace octostore::coordination::test
{

/// Sessions have IDs that no account has.
inline SessionId sessionNamed(std::uint64_t number)
{
    return idOf<SessionId>(7'000'000 + number);
}
inline OpenSession openBy(std::uint64_t who, std::uint64_t session, Milliseconds ttl)
{
    return {sessionNamed(session), idOf<PrincipalId>(who), labelOf(who), ttl};
}
inline CloseSession closeBy(std::uint64_t who, std::uint64_t session)
{
    return {sessionNamed(session), idOf<PrincipalId>(who), false, {}};
}
/// An ephemeral lock of `session`; `fresh` tells its lease IDs apart.
inline Acquire acquireIn(std::uint64_t who, std::uint64_t session, Milliseconds ttl,
                         std::uint64_t fresh = 0)
{
    Acquire acquire = acquireBy(who, ttl, session * 100'000 + fresh);
    acquire.session = sessionNamed(session);
    acquire.holder = HolderId{acquire.session.uuid};
    acquire.ephemeral = true;
    acquire.callerNames = {"user:" + labelOf(who)};
    return acquire;
}
/// What the holder of a session's lock shows.
inline LockCredential accountsOwn(std::uint64_t who, const LeaseView& lease)
{
    return {idOf<HolderId>(who), lease.lease};
}
inline ChangeAcl changeAclBy(std::uint64_t who, std::vector<std::string> acl)
{
    return {idOf<PrincipalId>(who), false, std::move(acl), {}};
}

class SessionFixture : public ::testing::Test
{
protected:
    SessionView open(std::uint64_t who, std::uint64_t session, Milliseconds ttl)
    {
        return harness.ask<SessionView>("", SessionCommand(openBy(who, session, ttl)));
    }
    Granted hold(const std::string& lock, const Acquire& acquire)
    {
        return harness.ask<Granted>(lock, Command(acquire));
    }
    Ticket close(std::uint64_t who, std::uint64_t session)
    {
        return harness.submit("", SessionCommand(closeBy(who, session)));
    }
    Ticket keepAlive(std::uint64_t who, std::uint64_t session)
    {
        return harness.submit(
            "", SessionCommand(KeepAlive{sessionNamed(session), idOf<PrincipalId>(who)}));
    }
    SessionView view(std::uint64_t who, std::uint64_t session)
    {
        return harness.ask<SessionView>(
            "", Query(GetSession{sessionNamed(session), idOf<PrincipalId>(who)}));
    }
    bool held(const std::string& lock) { return harness.status(lock).lease.has_value(); }
    /// The last event of a name.
    event::Draft lastEventOf(const std::string& lock) const
    {
        for (auto event = harness.events().rbegin(); event != harness.events().rend(); ++event)
            if (event->what.name == lock)
                return event->what;
        ADD_FAILURE() << "no event of " << lock;
        return {};
    }
    /// Which transaction in flight writes this record.
    std::size_t inFlight(backend::Collection collection, const std::string& key)
    {
        for (std::size_t i = 0; i < harness.pending.size(); ++i)
        {
            const backend::Transaction& transaction = harness.pending[i].transaction;
            for (const backend::Put& put : transaction.puts)
                if (put.key == backend::Key{collection, key})
                    return i;
            for (const backend::Key& erased : transaction.erasures)
                if (erased == backend::Key{collection, key})
                    return i;
        }
        ADD_FAILURE() << "nothing in flight writes " << key;
        return 0;
    }
    std::size_t inFlightOf(const std::string& lock)
    {
        return inFlight(backend::Collection::Lease, lock);
    }
    std::size_t inFlightOf(std::uint64_t session)
    {
        return inFlight(backend::Collection::Session, sessionNamed(session).toString());
    }

    EngineHarness harness;
    const std::string name = "jobs/nightly";
};

} // namespace octostore::coordination::test
