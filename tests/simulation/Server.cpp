// SPDX-License-Identifier: MIT
#include "Server.h"

#include "coordination/RestorePlan.h"

#include <algorithm>
#include <utility>

namespace octostore::simulation
{

namespace
{

using namespace std::chrono_literals;
using coordination::Ticket;

constexpr std::size_t endsPerTurn = 256;
/// Longer than a place is kept, by any clock.
constexpr Duration placeForgotten = 6s;

std::string waiterOf(const coordination::Command& command)
{
    if (const auto* acquire = std::get_if<coordination::Acquire>(&command))
        return acquire->holder.toString();
    const auto* campaign = std::get_if<coordination::Campaign>(&command);
    return campaign ? campaign->candidate : std::string();
}

/// What tells the record that is asked for from all others; empty: nothing of that kind.
std::string markOf(const coordination::Operation& operation)
{
    if (const auto* store = std::get_if<coordination::StoreRecords>(&operation))
        return std::get<backend::WebhookRecord>(store->transaction.puts.at(0).value).document;
    const auto* command = std::get_if<coordination::Command>(&operation);
    const auto* change = command ? std::get_if<coordination::ChangeAcl>(command) : nullptr;
    return change ? change->acl->at(0) : std::string();
}

bool isFreshGrant(const coordination::Reply& reply)
{
    const auto* granted = std::get_if<coordination::Granted>(&reply);
    return granted && granted->fresh;
}

} // namespace

Server::Server(Parts parts, std::uint64_t id, double rate, Bug bug)
    : _parts(std::move(parts)),
      _world(_parts.world),
      _id(id),
      _bug(bug),
      _clock(_world, rate, 1000s * static_cast<std::int64_t>(id))
{
}

/// Written once, by whoever is first.
Revision Server::incarnation()
{
    const backend::Key key{backend::Collection::Meta, "incarnation"};
    backend::Transaction first;
    first.conditions.push_back({key, backend::Condition::Kind::Absent, {}});
    first.puts.push_back({key, backend::MetaRecord{"this"}});
    _parts.store->commit(std::move(first));
    return _parts.store->read({key})[0].version;
}

void Server::start()
{
    if (++_run > 1)
        _world.count("server started again");
    coordination::Limits limits;
    limits.clock = clockName();
    limits.leasesPerPrincipalMax = 3;
    _driven = std::make_unique<memory::DrivenBackend>(_parts.store, _world, _parts.fates);
    _backend = std::make_unique<PlantedBackend>(
        *_driven, *_parts.store, _bug == Bug::ServerOvertaken && _id != 0 ? Bug::None : _bug);
    load(std::move(limits));
    (void)_backend->start(*this);
    _engine->restored(_clock.now());
    turn();
}

coordination::Sharing Server::sharing()
{
    const Revision incarnated = incarnation();
    // Its first letter is drawn too: it says which fence record is its.
    std::string id =
        std::to_string(_world.below(10)) + "-" + std::to_string(_id) + "-" + std::to_string(_run);
    _parts.judge.serverStarted(_id, id, _clock);
    return {incarnated, _world.below(1'000'000), std::move(id)};
}

/// As EngineThread does it.
void Server::load(coordination::Limits limits)
{
    coordination::Sharing sharing = this->sharing();
    const Now now = _clock.now();
    coordination::RestoreMark restored;
    std::vector<backend::Record> records;
    const auto loaded = _backend->load(
        [&](backend::Record record)
        {
            restored.take(record);
            records.push_back(std::move(record));
        });
    const bool another = std::exchange(_restoredBase, restored.base()) != restored.base();
    if (another || restored.base() == Revision() || _parts.store->isShared())
        _recoveredAt = now.boot;
    if (_bug != Bug::GrantsAtOnce)
        limits.grantsFrom = restored.grantsFrom(limits.clock, _recoveredAt, now);
    _engine = std::make_unique<coordination::Engine>(std::move(limits));
    if (_parts.store->isShared())
        _engine->share(std::move(sharing));
    for (backend::Record& record : records)
    {
        if (_bug != Bug::TimeNotRenewed)
            restored.renewTime(record);
        _engine->restore(std::move(record), _recoveredAt, now);
    }
    _published = Sequence(loaded->value());
    _parts.judge.publishesFrom(_id, *loaded);
    _parts.judge.startedOn(restored.base());
}

void Server::crash()
{
    _world.count("server crashed");
    if (!_asked.empty())
        _world.count("server crashed with requests open");
    if (const std::size_t gathered = _driven->gathered(); gathered > 0)
        _world.count("unwritten transaction lost", gathered);
    _driven->crash();
    _parts.judge.look();
    _remains.push_back(std::move(_driven));
    _backend.reset();
    _engine.reset();
    _asked.clear();
    _left.clear();
    _heldBack.reset();
    _parts.judge.serverCrashed(_id);
}

Ticket Server::submit(coordination::Request request, Done done)
{
    const Ticket ticket(++_lastTicket);
    if (!isUp())
        return ticket;
    turn(); // what is due is done before anybody is told that it is still there
    request.arrived = _clock.now().boot;
    Asked asked{request.name, _parts.judge.truthOf(request.name), std::move(done), false,
                {},           markOf(request.operation)};
    if (request.wait.count() > 0)
        seat(request, ticket, asked);
    _asked.emplace(ticket, std::move(asked));
    if (_bug == Bug::WaiterOvertaken && request.wait.count() > 0 && !_heldBack)
    {
        _heldBack.emplace(ticket, std::move(request)); // the next one goes first
        return ticket;
    }
    _engine->submit(ticket, std::move(request), _clock.now());
    if (_heldBack)
    {
        auto [late, waiting] = *std::exchange(_heldBack, std::nullopt);
        _engine->submit(late, std::move(waiting), _clock.now());
    }
    pump();
    return ticket;
}

/// Who comes back may have kept its place: its order is not the order of arrival.
void Server::seat(const coordination::Request& request, Ticket ticket, Asked& asked)
{
    asked.waiter = waiterOf(std::get<coordination::Command>(request.operation));
    const auto left = _left.find({request.name, asked.waiter});
    const bool returns = left != _left.end() && left->second > _world.bootTime();
    _left[{request.name, asked.waiter}] = BootTime::max();
    asked.waits = true;
    if (!returns)
        _parts.judge.waits(_id, request.name, ticket, _clock.world(request.arrived + request.wait));
}

void Server::abandon(std::uint64_t run, Ticket ticket)
{
    const auto asked = _asked.find(ticket);
    if (run != _run || !isUp() || asked == _asked.end())
        return;
    _world.count("request abandoned");
    _parts.judge.waitsNoMore(_id, asked->second.name, ticket, false);
    _left[{asked->second.name, asked->second.waiter}] = _world.bootTime() + placeForgotten;
    _asked.erase(asked);
    _engine->abandon(ticket, _clock.now());
    turn();
}

void Server::outcomes(std::vector<backend::Outcome> batch) noexcept
{
    _engine->outcomes(std::move(batch), _clock.now());
    turn();
}

void Server::changes(std::vector<backend::Record> batch, Revision upTo) noexcept
{
    _engine->changes(std::move(batch), upTo, _clock.now());
    turn();
}

void Server::caughtUp(backend::ReadId request, Result<Revision> upTo) noexcept
{
    _world.count(upTo ? "sync" : "sync failed");
    // As from a mailbox: never from within sync().
    _world.after(0s,
                 [this, run = _run, request, told = std::move(upTo)]
                 {
                     if (run != _run || !isUp())
                         return;
                     _engine->caughtUp(request, told, _clock.now());
                     turn();
                 });
}

void Server::turn()
{
    const bool more = _engine->advance(_clock.now(), endsPerTurn);
    pump();
    if (more)
        _world.after(0s,
                     [this, run = _run]
                     {
                         if (run == _run && isUp())
                             turn();
                     });
}

void Server::pump()
{
    _parts.judge.look();
    coordination::Output output = _engine->take();
    if (!output.commits.empty())
        _backend->commit(std::move(output.commits));
    if (output.sync)
        _backend->sync(*output.sync);
    for (auto& [ticket, reply] : output.replies)
        answer(ticket, std::move(reply));
    _parts.judge.published(_id, output.events);
    if (output.journal)
        publish(*output.journal);
    if (output.lost)
        stopLater();
    wakeAt(_engine->nextDeadline());
    runBackend();
}

/// Its store is another one now. Whoever watches over it starts it again.
void Server::stopLater()
{
    _world.count("server stopped because its store is another one");
    _world.after(0s,
                 [this, run = _run]
                 {
                     if (run != _run || !isUp())
                         return;
                     crash();
                     _world.after(_world.between(10ms, 2s),
                                  [this]
                                  {
                                      if (!isUp())
                                          start();
                                  });
                 });
}

void Server::publish(Revision upTo)
{
    auto events = _backend->events(_published, 10'000);
    while (!events->empty() && events->back().sequence.value() > upTo.value())
        events->pop_back();
    if (events->empty())
        return;
    _published = events->back().sequence;
    _parts.judge.published(_id, *events);
}

void Server::answer(Ticket ticket, coordination::Reply reply)
{
    const auto found = _asked.find(ticket);
    if (found == _asked.end())
        return;
    Asked asked = std::move(found->second);
    _asked.erase(found);
    if (!asked.mark.empty())
        _parts.judge.marked(asked.mark, reply);
    _parts.judge.answered(_id, asked.name, reply, asked.then, _clock.now().boot);
    if (asked.waits)
    {
        _left[{asked.name, asked.waiter}] = _world.bootTime() + placeForgotten;
        _parts.judge.waitsNoMore(_id, asked.name, ticket, isFreshGrant(reply));
    }
    BootTime until = _clock.now().boot;
    if (const auto* granted = std::get_if<coordination::Granted>(&reply))
        until = granted->lease.authority;
    else if (const auto* renewed = std::get_if<coordination::Renewed>(&reply))
        until = renewed->lease.authority;
    else if (const auto* session = std::get_if<coordination::SessionView>(&reply))
        until = session->deadline;
    asked.done(std::move(reply), until - _clock.now().boot);
}

void Server::wakeAt(std::optional<BootTime> due)
{
    if (!due)
        return;
    if (_bug == Bug::LateExpiry)
        due = *due + 100ms;
    const BootTime at = *due <= _clock.now().boot ? _world.bootTime() + 1us : _clock.world(*due);
    if (at >= _armed)
        return;
    _armed = at;
    _world.after(at - _world.bootTime(),
                 [this, at]
                 {
                     if (_armed == at)
                         _armed = BootTime::max();
                     if (isUp())
                         turn();
                 });
}

/// Lets the backend, and what is left of those before it, do what is due when it is.
void Server::runBackend()
{
    std::optional<BootTime> next = _driven ? _driven->next() : std::nullopt;
    for (const auto& remains : _remains)
        if (const auto other = remains->next(); other && (!next || *other < *next))
            next = other;
    if (!next || *next >= _backendArmed)
        return;
    _backendArmed = *next;
    _world.after(*next - _world.bootTime(),
                 [this, at = *next]
                 {
                     if (_backendArmed == at)
                         _backendArmed = BootTime::max();
                     for (const auto& remains : _remains)
                         remains->run();
                     if (_driven)
                         _driven->run();
                     _parts.judge.look();
                     runBackend();
                 });
}

} // namespace octostore::simulation
