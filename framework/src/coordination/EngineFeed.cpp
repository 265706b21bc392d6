// SPDX-License-Identifier: MIT
/// What an engine learns from the feed of a shared store.
#include "coordination/EngineState.h"

#include <algorithm>
#include <utility>

namespace octostore::coordination
{

/// The version of the record behind `key`, or of its erasure; `version` is that of our copy.
Revision Engine::State::knownVersion(const backend::Key& key, Revision version) const
{
    const auto erased = _erased.find(key);
    return erased == _erased.end() ? version : std::max(version, erased->second);
}

void Engine::State::changes(std::vector<backend::Record> records, Revision upTo, Now now)
{
    for (backend::Record& record : records)
        learn(std::move(record), now);
    _revision = std::max(_revision, upTo);
    std::erase_if(_erased, [upTo](const auto& entry) { return entry.second <= upTo; });
    _output.journal = upTo;
}

void Engine::State::learn(backend::Record record, Now now)
{
    switch (record.key.collection)
    {
    case backend::Collection::Lease:
        learnLease(std::move(record), now);
        return;
    case backend::Collection::Acl:
        learnAcl(std::move(record), now);
        return;
    case backend::Collection::Session:
        learnSession(std::move(record), now);
        return;
    case backend::Collection::Principal:
    case backend::Collection::Webhook:
    case backend::Collection::Cursor:
    case backend::Collection::Meta:
        break;
    }
    if (isTurns(record.key))
    {
        learnTurns(std::move(record), now);
        return;
    }
    learnMeta(record);
    const auto known = _records.find(record.key);
    const Revision version = known == _records.end() ? Revision() : known->second.version;
    if (record.version <= knownVersion(record.key, version))
        return;
    if (!std::holds_alternative<std::monostate>(record.value))
        _records[record.key] = record;
    else
    {
        _erased[record.key] = record.version;
        _records.erase(record.key);
    }
}

/// What the store says about itself, or about us.
void Engine::State::learnMeta(const backend::Record& record)
{
    if (record.key.collection != backend::Collection::Meta)
        return;
    if (record.key == fenceRecord())
        _barrier = std::max(_barrier, record.version);
    const bool another =
        record.key.name == "incarnation" && record.version != _sharing->incarnation;
    if ((another || record.key.name == "moved") && !std::exchange(_storeLost, true))
        _output.lost =
            Error{ErrorCode::Unavailable, "The store was restored or moved; this server stops."};
}

void Engine::State::learnLease(backend::Record record, Now now)
{
    Name& name = _names.get(record.key.name);
    if (record.version <= knownVersion(record.key, name.state.version))
    {
        settle(name, now);
        return;
    }
    auto* lease = std::get_if<backend::LeaseRecord>(&record.value);
    if (lease)
        observe(lease->deadline, lease->ttl, now);
    else
        _erased[record.key] = record.version;
    replaceLease(name, lease ? std::optional(std::move(*lease)) : std::nullopt, record.version,
                 now);
    settle(name, now);
}

void Engine::State::replaceLease(Name& name, std::optional<backend::LeaseRecord> lease,
                                 Revision version, Now now)
{
    NameState current = name.state;
    current.session = nullptr;
    current.version = lease ? version : Revision();
    current.lease = std::move(lease);
    if (isHeld(name.state))
        _ledger.ended(*name.state.lease);
    if (isHeld(current))
        _ledger.granted(*current.lease);
    apply(name, std::move(current), now);
}

void Engine::State::learnAcl(backend::Record record, Now now)
{
    Name& name = _names.get(record.key.name);
    if (record.version > knownVersion(record.key, name.state.aclVersion))
    {
        auto* acl = std::get_if<backend::AclRecord>(&record.value);
        name.state.acl = acl ? std::make_shared<backend::AclRecord>(std::move(*acl)) : nullptr;
        name.state.aclVersion = acl ? record.version : Revision();
        if (!acl)
            _erased[record.key] = record.version;
    }
    settle(name, now);
}

void Engine::State::learnSession(backend::Record record, Now now)
{
    const auto id = Uuid::parse(record.key.name);
    if (!id)
        return;
    Session& session = _sessions.get(SessionId{*id});
    auto* stored = std::get_if<backend::SessionRecord>(&record.value);
    if (session.state.ended || record.version <= knownVersion(record.key, session.state.version))
    {
        _sessions.drop(session);
        return;
    }
    if (!stored)
    {
        _erased[record.key] = record.version;
        if (session.known)
            learnSessionEnd(session, now);
        settleSession(session, now);
        return;
    }
    observe(stored->deadline, stored->ttl, now);
    if (!std::exchange(session.known, true) && !session.busy) // our own is counted already
        _sessions.opened(stored->principal);
    session.state.record = std::move(*stored);
    session.state.version = record.version;
    const std::vector<Name*> names(session.names.begin(), session.names.end());
    for (Name* name : names)
        settle(*name, now);
    settleSession(session, now);
}

/// The record does not say why. Who ended it finishes its names with the cause it knows; we come to
/// that only when a client asks.
void Engine::State::learnSessionEnd(Session& session, Now now)
{
    const auto& record = session.state.record;
    const BootTime nominal =
        record.deadline.boot - observedLonger -
        (record.deadline.clock == othersClock ? BootClock::duration(observedJitter)
                                              : BootClock::duration(0));
    session.state.ended = SessionEnd{now, now.boot >= nominal ? event::Cause::SessionExpired
                                                              : event::Cause::SessionClosed};
    sessionEnded(session, now);
}

/// Our commit is done, and the feed may have been faster: with it, or with what came after it.
void Engine::State::learnOthers(Name& name, NameState& after, InFlight& work, Revision revision)
{
    const backend::Key lease{backend::Collection::Lease, *name.key};
    const backend::Key acl{backend::Collection::Acl, *name.key};
    const Revision leaseVersion = knownVersion(lease, name.state.version);
    if (work.granted && leaseVersion >= revision)
        _ledger.ended(*work.granted); // the feed has counted it
    if (leaseVersion > after.version)
    {
        after.lease = name.state.lease;
        after.version = name.state.version;
        after.session = name.state.session;
    }
    const auto* change = std::get_if<ChangeAcl>(&std::get<Command>(work.asked.request.operation));
    if (knownVersion(acl, name.state.aclVersion) <= revision && after.aclVersion == revision)
        return; // ours
    if (change && !change->acl && knownVersion(acl, name.state.aclVersion) < revision)
    {
        _erased[acl] = revision;
        return;
    }
    after.acl = name.state.acl;
    after.aclVersion = name.state.aclVersion;
}

} // namespace octostore::coordination
