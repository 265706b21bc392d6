// SPDX-License-Identifier: MIT
#include "Judge.h"

#include <octostore/coordination/Name.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace octostore::simulation
{

namespace
{

using coordination::Reply;
using event::Type;

/// Nothing that conversions between clocks may round away.
constexpr Duration rounding = std::chrono::microseconds(1);

bool isGrant(Type type)
{
    return type == Type::LockAcquired || type == Type::LeaderElected;
}

std::string leaseNameOf(const event::Draft& what)
{
    return what.kind == event::ResourceKind::Election ? coordination::leaseNameOfRoom(what.name)
                                                      : what.name;
}

} // namespace

void Judge::broken(const std::string& what)
{
    if (_verdict.empty())
        _verdict =
            what + " (at " + std::to_string(_world.bootTime().time_since_epoch().count()) + " ns)";
}

void Judge::look()
{
    const std::vector<backend::Record> records = _store.changes(_seenRecords).records;
    const std::vector<event::Event> events = _store.events(_seen, 1000);
    auto record = records.begin();
    for (auto event = events.begin(); event != events.end() || record != records.end();)
    {
        const std::uint64_t revision =
            std::min(event == events.end() ? UINT64_MAX : event->sequence.value(),
                     record == records.end() ? UINT64_MAX : record->version.value());
        if (event != events.end() && event->sequence.value() == revision)
            lookAt(*event++);
        for (; record != records.end() && record->version.value() == revision; ++record)
            lookAt(*record);
        _turns.committed(Revision(revision));
        ++_commits;
    }
    _times.look();
    for (const std::string& verdict :
         {_turns.verdict(), _times.verdict(), _deadlines.verdict(), _beliefs.verdict()})
        if (!verdict.empty())
            broken(verdict);
}

void Judge::lookAt(const event::Event& event)
{
    if (event.sequence <= _seen)
        broken("G7: the journal goes back at " + std::to_string(event.sequence.value()));
    _seen = event.sequence;
    if (event.what.kind == event::ResourceKind::Session)
        sessionHappened(event);
    else if (event.what.kind == event::ResourceKind::Lock ||
             event.what.kind == event::ResourceKind::Election)
        happened(event);
}

void Judge::lookAt(const backend::Record& record)
{
    _seenRecords = record.version;
    _turns.changed(record);
    _times.changed(record);
    _deadlines.changed(record);
    std::string mark;
    if (const auto* hook = std::get_if<backend::WebhookRecord>(&record.value))
        mark = hook->document;
    else if (const auto* acl = std::get_if<backend::AclRecord>(&record.value))
        mark = acl->acquire.at(0);
    if (record.key.collection == backend::Collection::Meta &&
        record.key.name.compare(0, 6, "fence/") == 0)
        _world.count("barrier raised");
    if (mark.empty())
        return;
    _marks.insert(mark);
    if (_noMarks.count(mark) != 0)
        broken("G3: done though it was told not to be: " + mark);
}

/// One change of holder: ends what was held, or grants what was free, or both in this order.
void Judge::happened(const event::Event& event)
{
    const std::string name = leaseNameOf(event.what);
    Watched& watched = _names[name];
    const std::string where = name + " at " + std::to_string(event.sequence.value());
    for (const Type fact : event.what.facts)
    {
        Truth& truth = watched.truth;
        if (isGrant(fact))
        {
            const Term term(event.sequence.value());
            if (truth.held)
                broken("G2: granted while held: " + where);
            if (term <= truth.term || term.value() <= _lost.value())
                broken("G1: the term does not grow: " + where);
            if (!event.what.current || event.what.current->term != term)
                broken("G1: the term is not that of the commit: " + where);
            truth = {term, true};
            _turns.granted(name, Revision(term.value()));
            _deadlines.granted(name, term);
            continue;
        }
        if (!truth.held || !event.what.previous || event.what.previous->term != truth.term)
            broken("G7: an end of what was not held: " + where);
        truth.held = false;
        watched.ends[truth.term].insert(event.what.cause);
        if (event.what.cause == event::Cause::Ttl)
            _deadlines.endedByTime(name, truth.term);
    }
    if (event.what.facts.size() == 2)
        _world.count("end and grant in one");
}

void Judge::sessionHappened(const event::Event& event)
{
    if (event.what.type != Type::SessionExpired)
        return;
    _world.count("session ran out");
    if (_world.bootTime() + rounding < _sessions[event.what.name])
        broken("G4: the session ended before its deadline: " + event.what.name);
}

Truth Judge::truthOf(const std::string& name) const
{
    const auto found = _names.find(name);
    Truth truth = found == _names.end() ? Truth{} : found->second.truth;
    truth.seen = _world.bootTime();
    return truth;
}

/// What is promised is time from now on, as right as the clocks have to be.
BootTime Judge::worldOf(BootTime deadline, BootTime local) const
{
    return _world.bootTime() + (deadline - local) * 99 / 100;
}

void Judge::promised(const std::string& name, const coordination::LeaseView& lease, BootTime asked,
                     BootTime local)
{
    if (!_deadlines.told(name, lease.term, asked, worldOf(lease.deadline, local)))
        broken("G3: answered, but not durable, or another's term: " + name + " " +
               std::to_string(lease.term.value()));
}

/// An answer without a commit sees everything committed before the request came.
void Judge::fresh(const std::string& name, const std::optional<coordination::LeaseView>& shown,
                  const Truth& then)
{
    if (!shown)
        return;
    const bool stale = then.held ? shown->term < then.term : shown->term <= then.term;
    if (stale)
        broken("an answer from a stale view: " + name + " shows " +
               std::to_string(shown->term.value()) + " after " + std::to_string(then.term.value()));
}

void Judge::answered(std::uint64_t server, const std::string& name, const Reply& reply,
                     const Truth& then, BootTime local)
{
    if (const auto* granted = std::get_if<coordination::Granted>(&reply))
    {
        promised(name, granted->lease, then.seen, local);
        if (granted->fresh)
            _turns.told(server, name, Revision(granted->lease.term.value()));
    }
    else if (const auto* renewed = std::get_if<coordination::Renewed>(&reply))
        promised(name, renewed->lease, then.seen, local);
    else if (const auto* held = std::get_if<coordination::Held>(&reply))
        fresh(name, held->lease, then);
    else if (const auto* status = std::get_if<coordination::Status>(&reply))
    {
        fresh(name, status->lease, then);
        if (!status->lease && status->lastTerm < then.term)
            broken("an answer from a stale view: " + name + " forgets a term");
    }
    else if (const auto* ended = std::get_if<coordination::Ended>(&reply))
    {
        if (_names[name].ends.count(ended->term) == 0)
            broken("G3: told to have ended, but not durable: " + name);
    }
    else if (const auto* refused = std::get_if<coordination::Refused>(&reply))
    {
        if (refused->ended)
            endTold(name, *refused->ended);
        if (refused->error.code == ErrorCode::Restoring)
            _world.count("not granted after a restore");
    }
    else if (const auto* session = std::get_if<coordination::SessionView>(&reply);
             session && session->live)
    {
        BootTime& told = _sessions[session->session.toString()];
        told = std::max(told, worldOf(session->deadline, local));
    }
}

/// G8: what a repeat is told of the end of a lease is what the journal says of it.
void Judge::endTold(const std::string& name, const coordination::EndedLease& ended)
{
    const auto& ends = _names[name].ends;
    const auto known = ends.find(ended.term);
    // By rule it may be over before that is recorded.
    const bool byTime =
        ended.cause == event::Cause::Ttl || ended.cause == event::Cause::SessionExpired;
    if (known == ends.end() && !byTime)
        broken("G8: the repeat is told of an end that was none: " + name);
    const bool asItWas = known != ends.end() && known->second.count(ended.cause) != 0;
    if (known != ends.end() && !asItWas && !byTime)
        broken("G8: the repeat is told of another end: " + name);
    if (asItWas)
        _world.count("end told again as it was");
}

void Judge::toldAgain(const std::string& name, Term term, const Reply& reply)
{
    const auto* ended = std::get_if<coordination::Ended>(&reply);
    if (ended && ended->term != term)
        broken("G8: another lease was ended: " + name);
    const auto* refused = std::get_if<coordination::Refused>(&reply);
    if (refused && refused->ended && refused->ended->term != term)
        broken("G8: told of the end of another lease: " + name);
    const auto ends = _names[name].ends.find(term);
    if (ended && (ends == _names[name].ends.end() || ends->second == std::set{event::Cause::Ttl}))
        broken("G8: told to have ended it, and had not: " + name);
}

void Judge::refusedItsOwn(const std::string& name, const std::string& label, const Reply& reply)
{
    const auto* held = std::get_if<coordination::Held>(&reply);
    if (held && held->lease.label == label)
        broken("G8: refused because of its own lease: " + name);
}

void Judge::marked(const std::string& mark, const Reply& reply)
{
    const auto* refused = std::get_if<coordination::Refused>(&reply);
    if (!refused)
    {
        if (_marks.count(mark) == 0)
            broken("G3: told to be done, and it is not: " + mark);
        return;
    }
    if (refused->error.code != ErrorCode::Unavailable)
        return;
    _world.count("told that nothing was changed");
    _noMarks.insert(mark);
    if (_marks.count(mark) != 0)
        broken("G3: told not to be done, and it is: " + mark);
}

void Judge::waits(std::uint64_t server, const std::string& name, coordination::Ticket ticket,
                  BootTime until)
{
    _turns.waits(server, name);
    _times.waits(name, server, ticket.value(), until);
    _queues[{server, name}].push_back({ticket, until});
}

void Judge::waitsNoMore(std::uint64_t server, const std::string& name, coordination::Ticket ticket,
                        bool granted)
{
    auto& queue = _queues[{server, name}];
    const auto place = std::find_if(queue.begin(), queue.end(),
                                    [ticket](const Place& one) { return one.ticket == ticket; });
    if (place == queue.end())
        return;
    _turns.waitsNoMore(server, name);
    _times.waitsNoMore(name, server, ticket.value());
    const bool overtakes = std::any_of(
        queue.begin(), place, [this](const Place& one) { return one.until > _world.bootTime(); });
    if (granted && overtakes)
        broken("G6: a waiter was overtaken: " + name);
    if (granted && queue.size() > 1)
        _world.count("served with others behind");
    queue.erase(place);
}

void Judge::serverStarted(std::uint64_t server, const std::string& id, const SkewedClock& clock)
{
    _deadlines.knowClock("machine" + std::to_string(server), clock);
    _turns.serverStarted(server, id);
    _times.serverStarted(server, clock);
}

void Judge::serverCrashed(std::uint64_t server)
{
    std::erase_if(_queues, [server](const auto& entry) { return entry.first.first == server; });
    _turns.serverCrashed(server);
    _times.forgetWaiters(server);
    _times.serverCrashed(server);
}

void Judge::publishesFrom(std::uint64_t server, Revision from)
{
    _published[server] = Sequence(from.value());
}

void Judge::published(std::uint64_t server, const std::vector<event::Event>& events)
{
    if (events.empty())
        return;
    const auto expected = _store.events(_published[server], events.size());
    if (events != expected)
        broken("G7: published is not what the journal says, behind " +
               std::to_string(_published[server].value()));
    _published[server] = events.back().sequence;
}

void Judge::copied()
{
    look();
    _copy = _names;
    _deadlines.copied();
}

void Judge::restored(const backend::RestoreReport& report)
{
    _lost = Revision(std::max(_seen.value(), _seenRecords.value()));
    _beliefs.restored(report.snapshot, _lost);
    for (auto& [name, watched] : _names)
        watched.truth = _copy[name].truth;
    _seen = Sequence(report.snapshot.value());
    _seenRecords = report.snapshot;
    const std::vector<backend::Record> records = _store.snapshot().records;
    _turns.restored(records);
    _times.restored(records);
    _deadlines.restored(records);
    look();
}

void Judge::startedOn(Revision base)
{
    if (base < _lost)
        broken("G7: an old event ID is not answered with a reset");
}

} // namespace octostore::simulation
