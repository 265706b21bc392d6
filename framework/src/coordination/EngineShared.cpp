// SPDX-License-Identifier: MIT
/// What an engine does because other servers write to the same store.
#include "coordination/EngineState.h"

#include <algorithm>
#include <utility>

namespace octostore::coordination
{

namespace
{

/// How long a version of somebody else is watched beyond its TTL: clocks may differ by a hundredth,
/// and whoever wrote it goes first.
constexpr std::chrono::seconds observedLonger{1};
constexpr std::int64_t jitterNanoseconds = 1'000'000'000;
/// After a sync that failed, how long nothing is tried of our own accord.
constexpr std::chrono::milliseconds retryAfter{200};
constexpr unsigned conflictsMax = 5;

constexpr const char* unreachable = "The store does not answer; ask again.";

std::uint64_t mixed(std::uint64_t& state)
{
    std::uint64_t value = state += 0x9E3779B97F4A7C15U;
    value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
    value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
    return value ^ (value >> 31U);
}

bool isHeld(const std::optional<backend::LeaseRecord>& lease)
{
    return lease && lease->state == backend::LeaseState::Held;
}

} // namespace

/// Sums and the probe say nothing that another server may have changed.
bool Engine::State::needsSync(const Query& query) noexcept
{
    return !std::holds_alternative<GetCounts>(query) && !std::holds_alternative<ProbeStore>(query);
}

/// Decided again, and answered then, when a sync begun after its arrival is done.
void Engine::State::defer(Pending pending)
{
    _unsynced.push_back(std::move(pending));
    beginSync();
}

void Engine::State::hold(Name& name, std::uint64_t sync)
{
    name.act().held = true;
    auto& needed = _heldNames[&name];
    needed = std::max(needed, sync);
    beginSync();
}

void Engine::State::hold(Session& session, std::uint64_t sync)
{
    session.held = true;
    auto& needed = _heldSessions[session.state.id];
    needed = std::max(needed, sync);
    beginSync();
}

/// One runs at a time; whoever came meanwhile shares the next.
void Engine::State::beginSync()
{
    if (std::exchange(_syncRunning, true))
        return;
    _output.sync = backend::ReadId(++_syncsBegun);
}

void Engine::State::caughtUp(backend::ReadId sync, const Result<Revision>& upTo, Now now)
{
    OCTOSTORE_ASSERT(_syncRunning && sync.value() == _syncsBegun);
    _syncRunning = false;
    if (upTo)
    {
        _syncsDone = sync.value();
        _revision = std::max(_revision, *upTo);
    }
    else
        notCaughtUp(sync.value(), now);
    release(sync.value(), now);
    for (std::size_t left = _unsynced.size(); left > 0; --left)
    {
        Pending next = std::move(_unsynced.front());
        _unsynced.pop_front();
        if (next.sync <= sync.value())
            route(std::move(next), now);
        else
            _unsynced.push_back(std::move(next));
    }
    if (!_unsynced.empty() || !_heldNames.empty() || !_heldSessions.empty())
        beginSync();
}

/// What may have changed is not known: nothing is told but that.
void Engine::State::notCaughtUp(std::uint64_t sync, Now now)
{
    _retryAt = now.boot + retryAfter;
    for (auto& pending : _unsynced)
        if (pending.sync <= sync)
            refuse(pending.ticket, ErrorCode::Unavailable, unreachable);
    std::erase_if(_unsynced, [sync](const Pending& pending) { return pending.sync <= sync; });
    for (auto& [name, needed] : _heldNames)
        if (needed <= sync)
            refuseHeld(*name, now);
    for (auto& [id, needed] : _heldSessions)
        if (Session* session = _sessions.find(id); session && needed <= sync)
            for (const Pending& pending : std::exchange(session->pending, {}))
                refuse(pending.ticket, ErrorCode::Unavailable, unreachable);
}

/// Who waits for what is known about `name` by now is told that nothing is.
void Engine::State::refuseHeld(Name& name, Now now)
{
    for (const Pending& pending : std::exchange(name.activity->pending, {}))
        refuse(pending.ticket, ErrorCode::Unavailable, unreachable);
    Queue& waiters = name.activity->waiters;
    for (auto next = waiters.begin(); next != waiters.end();)
    {
        const auto place = next++;
        if (!place->overdue)
            continue;
        const Ticket ticket = place->ticket;
        leave(name, place, now.boot);
        refuse(ticket, ErrorCode::Unavailable, unreachable);
    }
}

/// Goes on with what was held until `sync`.
void Engine::State::release(std::uint64_t sync, Now now)
{
    std::vector<Name*> names;
    for (const auto& [name, needed] : _heldNames)
        if (needed <= sync)
            names.push_back(name);
    std::vector<std::string> keys; // settling one of them may make others be forgotten
    for (Name* name : names)
    {
        _heldNames.erase(name);
        name->activity->held = false;
        keys.push_back(*name->key);
    }
    std::vector<SessionId> sessions;
    for (const auto& [id, needed] : _heldSessions)
        if (needed <= sync)
            sessions.push_back(id);
    for (const SessionId id : sessions)
    {
        _heldSessions.erase(id);
        if (Session* session = _sessions.find(id))
        {
            session->held = false;
            settleSession(*session, now);
        }
    }
    for (const std::string& key : keys)
        if (Name* name = _names.find(key))
            settle(*name, now);
}

void Engine::State::adoptDeadline(backend::Deadline& deadline, Milliseconds ttl,
                                  BootTime recoveredAt, Now now)
{
    if (_sharing)
        observe(deadline, ttl, now);
    else
        adopt(deadline, ttl, _limits.clock, recoveredAt, now);
}

/// A deadline that is not ours is counted from when we see it.
void Engine::State::observe(backend::Deadline& deadline, Milliseconds ttl, Now now)
{
    const BootClock::duration time = ttl;
    const auto jitter = static_cast<std::int64_t>(mixed(_sharing->seed) %
                                                  static_cast<std::uint64_t>(jitterNanoseconds));
    deadline.boot = now.boot + time + time / 100 + observedLonger + BootClock::duration(jitter);
    deadline.clock = othersClock;
}

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
    if (record.key == backend::Key{backend::Collection::Meta, "incarnation"} &&
        record.version != _sharing->incarnation)
        _output.lost =
            Error{ErrorCode::Unavailable, "The store was restored or moved; this server stops."};
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
    if (isHeld(name.state.lease))
        _ledger.ended(*name.state.lease);
    if (isHeld(current.lease))
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
        BootClock::duration(record.deadline.clock == othersClock ? jitterNanoseconds : 0);
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

/// Learns what the conditions met, then asks what else has changed and decides again.
void Engine::State::conflictedShared(InFlight work, const backend::Conflict& conflict, Now now)
{
    if (work.name)
        hold(*work.name, nextSync());
    else if (work.work == Work::Session)
        hold(*work.session, nextSync());
    if (work.granted)
        _ledger.ended(*work.granted);
    for (const backend::Record& record : conflict.current)
        if (record.version != Revision()) // else the sync will tell
            learn(record, now);
    if (work.work == Work::Probe)
        probed(false, {ErrorCode::Unavailable, unreachable}, now);
    else if (work.work == Work::Store)
        refuse(work.asked.ticket, ErrorCode::Conflict, "It has been changed meanwhile.");
    else if (work.work == Work::Session)
        sessionConflicted(std::move(work), now);
    else
    {
        Name& name = *work.name;
        work.asked.sync = nextSync();
        if (!work.served.empty())
            putBack(name, std::move(work.served), now);
        else if (work.work == Work::Decided)
            decideAgain(name, std::move(work.asked));
        if (work.ended)
            decideAgain(name, std::move(*work.ended));
        settle(name, now);
    }
}

void Engine::State::sessionConflicted(InFlight work, Now now)
{
    Session& session = *work.session;
    const auto& command = std::get<SessionCommand>(work.asked.request.operation);
    if (const auto* open = std::get_if<OpenSession>(&command); open && !session.known)
        _sessions.closed(open->principal);
    if (++work.asked.conflicts >= conflictsMax)
        refuse(work.asked.ticket, ErrorCode::Unavailable,
               "The session changes too often; ask again.");
    else if (work.asked.ticket != Ticket(0))
        session.pending.push_front(std::move(work.asked));
    settleSession(session, now);
}

} // namespace octostore::coordination
