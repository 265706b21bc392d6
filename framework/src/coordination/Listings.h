// SPDX-License-Identifier: MIT
/// @file
/// Reads too long for one turn of the engine: lists of locks, surveys, long queues.
#pragma once

#include "coordination/Ledger.h"
#include "coordination/NameTable.h"
#include "coordination/SessionTable.h"
#include "coordination/Slice.h"

#include <octostore/coordination/Coordinator.h>

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <variant>

namespace octostore::coordination
{

/// Listings under way, in order of arrival. Only the one in front has begun: many halves would take
/// the memory of all of them at once. Where it stands outlives any change of the tables, as long as
/// stepOver() is told of every place that leaves a queue.
/// Thread-safety: thread-affine(engine).
class Listings
{
public:
    /// The tables that are listed, which must outlive this object.
    Listings(const NameTable& names, const SessionTable& sessions, const Ledger& ledger)
        : _names(names), _sessions(sessions), _ledger(ledger)
    {
    }

    /// A slice ends early, too, when it has taken its time on `clock`, which must outlive this
    /// object.
    void measureBy(const Clock& clock) { _clock = &clock; }

    void add(Ticket ticket, const ListLocks& list);
    void add(Ticket ticket, const SurveyNames& names);
    void add(Ticket ticket, const SurveySessions& sessions);
    /// The queue of `name`, which is null if nobody knows it. One that is short enough is answered
    /// at once, and is no listing.
    std::optional<Reply> add(Ticket ticket, const Name* name, const GetQueue& get, Now now);

    bool empty() const noexcept { return _jobs.empty(); }
    /// Who asked for the one in front; there must be one.
    Ticket front() const;
    /// Nobody waits for the one in front any more.
    void dropFront() { _jobs.pop_front(); }
    /// One slice of the one in front. Its answer once it is whole, and then it is no longer there.
    std::optional<Reply> slice(Now now);

    /// Before `place` leaves the queue of `name`: a walk that stands there goes on behind it.
    void stepOver(const Name& name, Queue::iterator place);

private:
    struct ListJob
    {
        Ticket ticket;
        ListLocks query;
        std::string cursor; ///< the next name to look at
        Listing listing;
    };
    struct NameSurveyJob
    {
        Ticket ticket;
        SurveyNames query;
        std::string cursor;
        NameSurvey survey;
    };
    struct SessionSurveyJob
    {
        Ticket ticket;
        SessionId cursor;
        SessionSurvey survey;
    };
    struct QueueJob
    {
        Ticket ticket;
        std::string name;
        GetQueue query;
        QueueView view{};
        std::size_t walked = 0;
        bool begun = false;
        std::optional<Queue::const_iterator> next{}; ///< nothing, once begun: there are no more
    };
    using Job = std::variant<ListJob, NameSurveyJob, SessionSurveyJob, QueueJob>;

    // Each of them: nothing, if there is more.
    std::optional<Reply> slice(ListJob& job, Now now) const;
    std::optional<Reply> slice(NameSurveyJob& job, Now now) const;
    std::optional<Reply> slice(SessionSurveyJob& job, Now now) const;
    std::optional<Reply> slice(QueueJob& job, Now now) const;
    static std::optional<Reply> walk(QueueJob& job, const Name* name, Slice slice, Now now);

    const NameTable& _names;
    const SessionTable& _sessions;
    const Ledger& _ledger;
    const Clock* _clock = nullptr;
    std::deque<Job> _jobs;
};

} // namespace octostore::coordination
