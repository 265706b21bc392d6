// SPDX-License-Identifier: MIT
/// @file
/// Watches the store, the answers and the clients of a run, and says what promise was broken.
#pragma once

#include "BeliefJudge.h"
#include "DeadlineJudge.h"
#include "TimeJudge.h"
#include "TurnJudge.h"
#include "World.h"

#include <octostore/coordination/Coordinator.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <MemoryStore.h>

namespace octostore::simulation
{

/// What was true of a name in the store when a request reached a server.
struct Truth
{
    Term term;         ///< the last
    bool held = false; ///< it was recorded as held
    BootTime seen{};   ///< when that was, world time
};

/// Knows nothing of engines: only the journal, the records, what was answered, who believes what.
/// Thread-safety: thread-compatible.
class Judge
{
public:
    /// `calm`: nothing but the clients and the clocks is in the way.
    Judge(World& world, const memory::MemoryStore& store, bool calm, Leniency leniency)
        : _world(world),
          _store(store),
          _turns(world, calm),
          _times(world, leniency),
          _deadlines(world),
          _beliefs(world)
    {
    }

    /// Looks at what was committed since the last look; after every step.
    void look();
    Truth truthOf(const std::string& name) const;

    /// A server answered a request that had reached it when `then` was true; its own clock said
    /// `local`.
    void answered(std::uint64_t server, const std::string& name, const coordination::Reply& reply,
                  const Truth& then, BootTime local);

    /// G6: the order in which waiters of one name reached one server.
    void waits(std::uint64_t server, const std::string& name, coordination::Ticket ticket,
               BootTime until);
    void waitsNoMore(std::uint64_t server, const std::string& name, coordination::Ticket ticket,
                     bool granted);

    /// G3 of what is not about leases: a record with `mark` in it, which nothing else has, was
    /// asked for, and this is the answer.
    void marked(const std::string& mark, const coordination::Reply& reply);

    /// G8: a client asked for its lease again, or for its end again.
    void toldAgain(const std::string& name, Term term, const coordination::Reply& reply);

    /// G8: `label` asked for a lease and is told who has it.
    void refusedItsOwn(const std::string& name, const std::string& label,
                       const coordination::Reply& reply);

    void serverStarted(std::uint64_t server, const std::string& id, const SkewedClock& clock);
    void serverCrashed(std::uint64_t server);
    void trouble(BootTime until) { _times.trouble(until); }

    /// G7: what a server publishes, since it began with everything up to `from`.
    void publishesFrom(std::uint64_t server, Revision from);
    void published(std::uint64_t server, const std::vector<event::Event>& events);

    BeliefJudge& beliefs() noexcept { return _beliefs; }
    DeadlineJudge& deadlines() noexcept { return _deadlines; }

    /// A copy of the store was made just now.
    void copied();
    /// That copy took its place just now. What happened in between is forgotten, but no term of it
    /// may come again; what was held when it was copied is held again.
    void restored(const backend::RestoreReport& report);
    /// G7: a server was started on a store that says it was restored with `base` as its last
    /// revision: whoever comes with an event ID up to that is told to begin anew.
    void startedOn(Revision base);

    /// The first broken promise; empty: none.
    const std::string& verdict() const noexcept { return _verdict; }
    std::size_t commits() const noexcept { return _commits; }

private:
    struct Watched
    {
        Truth truth;
        std::map<Term, std::set<event::Cause>> ends; ///< more than one only after a restore
    };

    struct Place
    {
        coordination::Ticket ticket;
        BootTime until;
    };

    void broken(const std::string& what);
    void lookAt(const event::Event& event);
    void lookAt(const backend::Record& record);
    void happened(const event::Event& event);
    void sessionHappened(const event::Event& event);
    BootTime worldOf(BootTime deadline, BootTime local) const;
    void endTold(const std::string& name, const coordination::EndedLease& ended);
    void promised(const std::string& name, const coordination::LeaseView& lease, BootTime asked,
                  BootTime local);
    void fresh(const std::string& name, const std::optional<coordination::LeaseView>& shown,
               const Truth& then);

    World& _world;
    const memory::MemoryStore& _store;
    Sequence _seen;
    Revision _seenRecords;
    std::size_t _commits = 0;
    TurnJudge _turns;
    TimeJudge _times;
    DeadlineJudge _deadlines;
    std::set<std::string> _marks;   ///< that were in the store
    std::set<std::string> _noMarks; ///< that never may be, as somebody was told
    std::map<std::string, Watched> _names;
    std::map<std::string, BootTime> _sessions; ///< the latest deadline told
    std::map<std::pair<std::uint64_t, std::string>, std::vector<Place>> _queues;
    std::map<std::uint64_t, Sequence> _published;
    BeliefJudge _beliefs;
    std::map<std::string, Watched> _copy; ///< what _names was when the store was copied
    Revision _lost;                       ///< the last one of a store that was put aside
    std::string _verdict;
};

} // namespace octostore::simulation
