// SPDX-License-Identifier: MIT
/// Commits of unknown outcome that write no record of which their version is the condition: access
/// lists, opened sessions, records of others. They all condition on one record of ours. Writing it
/// once more makes them fail for ever; what the store says after that is what became of them.
#include "coordination/EngineState.h"

#include <utility>

namespace octostore::coordination
{

namespace
{

bool isOpening(const Request& request)
{
    const auto* session = std::get_if<SessionCommand>(&request.operation);
    return session && std::holds_alternative<OpenSession>(*session);
}

} // namespace

/// One of sixteen, so that servers that come and go leave no more behind. Two that share one only
/// decide again what the other's barrier met.
backend::Key Engine::State::fenceRecord() const
{
    return {backend::Collection::Meta, "fence/" + _sharing->server.substr(0, 1)};
}

bool Engine::State::needsBarrier(const InFlight& work) noexcept
{
    return work.work == Work::Store || isOpening(work.asked.request) ||
           (work.work == Work::Decided &&
            std::holds_alternative<ChangeAcl>(std::get<Command>(work.asked.request.operation)));
}

void Engine::State::conditionOnBarrier(backend::Transaction& transaction) const
{
    using Kind = backend::Condition::Kind;
    const Kind kind = _barrier == Revision() ? Kind::Absent : Kind::AtVersion;
    transaction.conditions.push_back({fenceRecord(), kind, _barrier});
}

/// Nothing but a barrier was in the way.
bool Engine::State::barrierMet(const backend::Conflict& conflict) const
{
    return conflict.current.size() == 1 && conflict.current[0].key == fenceRecord();
}

void Engine::State::repeatStore(InFlight work)
{
    backend::Transaction transaction = *work.sent;
    conditionOnBarrier(transaction);
    const Priority priority = transaction.priority;
    send(std::move(work), std::move(transaction), priority);
}

/// Nobody is told, and nothing else is decided there, before its fate is known.
void Engine::State::bar(InFlight original)
{
    if (original.work == Work::Session)
        original.session->busy = true;
    else if (original.name)
        original.name->activity->busy = true;
    _barred.push_back(std::move(original));
    raiseBarrier();
}

void Engine::State::raiseBarrier()
{
    if (_raiseAt || std::exchange(_raising, true))
        return;
    backend::Transaction transaction;
    conditionOnBarrier(transaction);
    transaction.puts.push_back({fenceRecord(), backend::MetaRecord{_sharing->server}});
    InFlight work;
    work.work = Work::Barrier;
    send(std::move(work), std::move(transaction), Priority::Keep);
}

void Engine::State::raiseBarrierAgain(Now now)
{
    if (!_raiseAt || now.boot < *_raiseAt)
        return;
    _raiseAt.reset();
    if (!_barred.empty())
        raiseBarrier();
}

void Engine::State::barrierDone(const backend::Outcome& outcome, Now now)
{
    _raising = false;
    if (const auto* commit = std::get_if<backend::Committed>(&outcome.result))
        _barrier = std::max(_barrier, commit->revision);
    else if (const auto* conflict = std::get_if<backend::Conflict>(&outcome.result))
        for (const backend::Record& record : conflict->current)
            learn(record, now); // an earlier attempt, or that of another server, serves as well
    std::vector<InFlight> left;
    for (InFlight& original : _barred)
    {
        if (original.barrier < _barrier)
            _barredUntil.emplace_back(nextSync(), std::move(original));
        else
            left.push_back(std::move(original));
    }
    _barred = std::move(left);
    if (!_barred.empty())
        _raiseAt = now.boot + retryAfter;
    if (!_barredUntil.empty())
        beginSync();
}

/// Everything up to `sync` is known, or the store did not say.
void Engine::State::resolveBarred(std::uint64_t sync, bool known, Now now)
{
    for (auto& [needed, original] : std::exchange(_barredUntil, {}))
    {
        if (needed > sync)
            _barredUntil.emplace_back(needed, std::move(original));
        else if (known)
            resolve(std::move(original), now);
        else
        {
            _barred.push_back(std::move(original));
            _raiseAt = now.boot + retryAfter;
        }
    }
}

void Engine::State::resolve(InFlight original, Now now)
{
    if (original.work == Work::Session)
        original.session->busy = false;
    else if (original.name)
        original.name->activity->busy = false;
    original.settled = true;
    bool overtaken = false;
    if (const auto revision = foundDone(original, overtaken))
        applied(std::move(original), backend::Committed{*revision}, now);
    else if (overtaken)
        failed(std::move(original),
               {ErrorCode::OutcomeUnknown, "It may have been done, and was overtaken; read first."},
               now);
    else
        failed(std::move(original), {ErrorCode::Unavailable, "Nothing was changed; ask again."},
               now);
}

/// The revision at which it was done; nothing: it was not, or something else was done since
/// (`overtaken`).
std::optional<Revision> Engine::State::foundDone(const InFlight& original, bool& overtaken) const
{
    if (original.work == Work::Store)
        return foundStored(original, overtaken);
    if (original.work == Work::Decided)
        return foundAcl(original, overtaken);
    // Nobody else can have opened a session of this ID.
    const Session& session = *original.session;
    return session.known ? std::optional(session.state.version) : std::nullopt;
}

/// All or nothing: one of its records tells.
std::optional<Revision> Engine::State::foundStored(const InFlight& original, bool& overtaken) const
{
    const bool puts = !original.stored.empty();
    const auto found = _records.find(puts ? original.stored[0].key : original.erased[0]);
    if (found == _records.end())
    {
        overtaken = puts && original.base != Revision();
        return puts ? std::nullopt : std::optional(_revision);
    }
    if (found->second.version == original.base)
        return std::nullopt;
    if (puts && found->second.value == original.stored[0].value)
        return found->second.version;
    overtaken = true;
    return std::nullopt;
}

std::optional<Revision> Engine::State::foundAcl(const InFlight& original, bool& overtaken) const
{
    const NameState& state = original.name->state;
    if (state.aclVersion == original.base)
        return std::nullopt;
    const auto& wanted = original.after.acl;
    if (!wanted && !state.acl)
        return _revision;
    if (wanted && state.acl && *wanted == *state.acl)
        return state.aclVersion;
    overtaken = true;
    return std::nullopt;
}

/// The store is another one now: what became of them nobody will know any more.
void Engine::State::leaveUnknown(Now now)
{
    std::vector<InFlight> originals = std::exchange(_barred, {});
    for (auto& [sync, original] : std::exchange(_barredUntil, {}))
        originals.push_back(std::move(original));
    for (auto& [when, fence] : std::exchange(_fences, {}))
        originals.push_back(std::move(*fence.original));
    for (InFlight& original : originals)
    {
        original.settled = true;
        failed(std::move(original),
               {ErrorCode::OutcomeUnknown, "The store was restored or moved meanwhile."}, now);
    }
}

} // namespace octostore::coordination
