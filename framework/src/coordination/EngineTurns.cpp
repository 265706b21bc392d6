// SPDX-License-Identifier: MIT
/// Round robin between the servers of a shared store. The first server on which somebody waits for
/// a name puts itself into a record of that name, behind those that are there. Only the first of
/// them grants, and a grant that goes to one of its waiters puts it behind the others. Every grant
/// conditions on that record, so nobody is overtaken by who has not heard of him. A server that
/// does not take its turn is taken out by another one; if it is well it puts itself in again.
#include "coordination/EngineState.h"
#include "coordination/Transition.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace octostore::coordination
{

namespace
{

constexpr std::string_view turnsPrefix = "waiting/";
/// How long a free name waits for the server whose turn it is. What is left of the 2.5 s after
/// which a lease is over whose server is gone (G5), less than half a second, is for this.
constexpr std::chrono::milliseconds turnLasts{250};

std::vector<std::string> serversOf(std::string_view text)
{
    std::vector<std::string> servers;
    while (!text.empty())
    {
        const std::size_t end = std::min(text.find(' '), text.size());
        if (end > 0)
            servers.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return servers;
}

std::string textOf(const std::vector<std::string>& servers)
{
    std::string text;
    for (const std::string& server : servers)
        text += (text.empty() ? "" : " ") + server;
    return text;
}

bool contains(const std::vector<std::string>& servers, const std::string& server)
{
    return std::find(servers.begin(), servers.end(), server) != servers.end();
}

bool isCooling(const std::optional<backend::LeaseRecord>& lease)
{
    return lease && lease->state == backend::LeaseState::Cooling;
}

} // namespace

backend::Key Engine::State::turnsKey(const Name& name)
{
    return {backend::Collection::Meta, std::string(turnsPrefix) + *name.key};
}

bool Engine::State::isTurns(const backend::Key& key) noexcept
{
    return key.collection == backend::Collection::Meta &&
           key.name.compare(0, turnsPrefix.size(), turnsPrefix) == 0;
}

/// Waiters of another server come first.
bool Engine::State::othersTurn(const Name& name) const
{
    return _sharing && name.turns() && name.turns()->servers.front() != _sharing->server;
}

void Engine::State::learnTurns(backend::Record record, Now now)
{
    Name& name = _names.get(record.key.name.substr(turnsPrefix.size()));
    noteTurns(name, std::move(record), now);
    settle(name, now);
}

void Engine::State::noteTurns(Name& name, backend::Record record, Now now)
{
    if (record.version <=
        knownVersion(record.key, name.turns() ? name.turns()->version : Revision()))
        return;
    const auto* stored = std::get_if<backend::MetaRecord>(&record.value);
    std::vector<std::string> servers =
        stored ? serversOf(stored->text) : std::vector<std::string>();
    if (servers.empty())
    {
        if (name.activity)
            name.activity->turns.reset();
        if (!stored)
            _erased[record.key] = record.version;
        return;
    }
    const bool sameFirst = name.turns() && name.turns()->servers.front() == servers.front();
    const BootTime since = sameFirst ? name.turns()->since : now.boot;
    name.act().turns = std::make_unique<Turns>(Turns{std::move(servers), record.version, since});
}

/// Adds to `transaction` that `servers` wait, in this order, and that nobody else has come.
void Engine::State::changeTurns(const Name& name, const std::vector<std::string>& servers,
                                backend::Transaction& transaction, InFlight& work) const
{
    const backend::Key key = turnsKey(name);
    transaction.conditions.push_back(
        conditionOn(key.collection, key.name, name.turns() ? name.turns()->version : Revision()));
    if (name.turns() ? name.turns()->servers == servers : servers.empty())
        return;
    if (servers.empty())
    {
        transaction.erasures.push_back(key);
        work.turns = std::make_unique<backend::Value>();
        return;
    }
    const backend::MetaRecord record{textOf(servers)};
    transaction.puts.push_back({key, record});
    work.turns = std::make_unique<backend::Value>(record);
}

/// A grant takes this server's turn: if others wait here, behind all other servers.
void Engine::State::takeTurn(const Name& name, backend::Transaction& transaction,
                             InFlight& work) const
{
    if (!_sharing)
        return;
    std::vector<std::string> servers;
    if (name.turns())
        std::remove_copy(name.turns()->servers.begin(), name.turns()->servers.end(),
                         std::back_inserter(servers), _sharing->server);
    if (name.hasPresentWaiters())
        servers.push_back(_sharing->server);
    changeTurns(name, servers, transaction, work);
}

/// The name is free, but waiters of another server come first. Who does not wait asks again until
/// one of them has it.
void Engine::State::behindOthers(Name& name, Pending pending)
{
    if (pending.request.wait.count() > 0)
        wait(name, std::move(pending), {});
    else if (++pending.conflicts >= conflictsMax)
        refuse(pending.ticket, ErrorCode::Unavailable, "Others wait in front; ask again.");
    else
    {
        pending.sync = nextSync();
        defer(std::move(pending));
    }
}

/// When something has to be done about whose turn it is.
std::optional<BootTime> Engine::State::turnDue(const Name& name, BootTime now) const
{
    if (!_sharing)
        return std::nullopt;
    const auto& lease = name.state.lease;
    const bool held = isHeld(name.state);
    const bool waits = name.hasPresentWaiters() && !_draining;
    if (!name.turns())
        return waits && (held || coolingUntil(name.state, now)) ? std::optional(now) : std::nullopt;
    if (waits && !contains(name.turns()->servers, _sharing->server))
        return now;
    if (held)
        return std::nullopt;
    if (!othersTurn(name))
        return waits ? std::nullopt : std::optional(now);
    return isCooling(lease) ? lease->deadline.boot : name.turns()->since + turnLasts;
}

void Engine::State::turn(Name& name, Now now)
{
    std::vector<std::string> servers;
    if (name.turns())
        servers = name.turns()->servers;
    const bool waits = name.hasPresentWaiters() && !_draining;
    if (waits && !contains(servers, _sharing->server))
        servers.push_back(_sharing->server);
    else if (othersTurn(name) && isCooling(name.state.lease))
    {
        endCooling(name, now);
        return;
    }
    else
        servers.erase(servers.begin()); // it missed its turn, or nobody waits here any more
    InFlight work;
    work.work = Work::Turn;
    work.name = &name;
    backend::Transaction transaction;
    changeTurns(name, servers, transaction, work);
    name.act().busy = true;
    send(std::move(work), std::move(transaction), Priority::HandOver);
}

/// Only the server that wrote a lock delay knows exactly when it ends. It tells the server whose
/// turn it is by this commit; if it has gone, the first server that is certain does.
void Engine::State::endCooling(Name& name, Now now)
{
    backend::LeaseRecord vacant = *name.state.lease;
    const BootClock::duration longer = rememberedFor - vacant.ttl;
    vacant.state = backend::LeaseState::Vacant;
    vacant.ttl = Milliseconds(rememberedFor);
    vacant.deadline.boot += longer;
    vacant.deadline.wall += longer;
    Pending own;
    own.request.name = *name.key;
    own.request.operation = Command(EndOfLease{});
    own.request.arrived = now.boot;
    const Term term = vacant.term;
    Write write =
        put({own.request.name, own.request.actor, own.request.id}, name.state, std::move(vacant));
    write.reply = Ended{term};
    commit(name, std::move(own), std::move(write), now);
}

/// Nobody was promised anything: what the store says after the next sync is where it goes on from.
void Engine::State::turnFailed(InFlight work, const Error& error, Now now)
{
    if (error.code == ErrorCode::OutcomeUnknown)
        hold(*work.name, nextSync());
    settle(*work.name, now);
}

} // namespace octostore::coordination
