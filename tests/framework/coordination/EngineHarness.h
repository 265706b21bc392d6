// SPDX-License-Identifier: MIT
/// @file
/// An engine with a clock that a test moves and a store that a test answers for.
#pragma once

#include "Answers.h"
#include "coordination/Engine.h"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace octostore::coordination::test
{

/// Judges and applies transactions, and checks what must hold of every history of grants.
class CheckedStore
{
public:
    /// `decided`: when the engine asked for it. The history's promises (terms only grow, one live
    /// lease per name, no end by time before the deadline, events that fit) fail the test.
    backend::Outcome commit(backend::Transaction transaction, BootTime decided);

    const std::map<backend::Key, backend::Record>& records() const { return _records; }
    const backend::LeaseRecord* lease(const std::string& name) const;
    Revision revision() const { return _revision; }
    /// The events of the commits, in order.
    const std::vector<event::Event>& journal() const { return _journal; }
    /// What became of the records behind `transaction`, which was just committed.
    std::vector<backend::Record> changes(const backend::Transaction& transaction) const;
    void forgetJournal() { _journal.clear(); }

private:
    bool holds(const backend::Condition& condition) const;
    void checkLease(const std::string& name, const backend::LeaseRecord* before,
                    const backend::LeaseRecord* after, const std::optional<event::Draft>& event,
                    BootTime decided);

    std::map<backend::Key, backend::Record> _records;
    std::map<std::string, Term> _lastTerms;
    std::vector<event::Event> _journal;
    Revision _revision;
};

/// Thread-safety: thread-compatible.
class EngineHarness : public Answers
{
public:
    /// `shared`: as the only server of a store that others may write to as well; it hears of its
    /// own commits.
    explicit EngineHarness(Limits limits = {}, bool shared = false);

    /// With `immediate` every transaction is committed at once; otherwise it stays in `pending`.
    bool immediate = true;
    /// A store that has to do the same, however it does it. Used by commitAll() and restart().
    struct Real
    {
        /// One outcome each, in their order.
        std::function<std::vector<backend::Outcome>(std::vector<backend::Transaction>)> commit;
        /// What it has after it was opened again.
        std::function<std::map<backend::Key, backend::Record>()> reopen;
    };
    /// Nothing: none beside the one that checks.
    std::optional<Real> real;
    /// What is committed out of order may meet a condition that no longer holds.
    bool mayConflict = false;
    Now now{BootTime{1000s}, WallTime{1'700'000'000s}};

    Ticket submit(Request request);
    Ticket submit(const std::string& name, Operation operation,
                  Milliseconds wait = Milliseconds{0});
    void abandon(Ticket ticket);
    void drain();

    /// Moves the clock, stopping at every deadline of the engine on the way.
    void pass(BootClock::duration time) { passUntil(now.boot + time); }
    void passUntil(BootTime instant);
    /// Moves the clock and says nothing to the engine.
    void step(BootClock::duration time);
    /// Does what is due now.
    void advance();
    /// A new engine on the same store; nobody who asked the old one gets an answer.
    void restart();

    struct Pending
    {
        backend::Transaction transaction;
        BootTime decided;
    };
    /// In the order in which the engine asked.
    std::vector<Pending> pending;
    void commit(std::size_t index = 0);
    void commitAll();
    void fail(ErrorCode code, std::size_t index = 0);
    /// Committed, but the engine does not live to hear of it; restart() must follow.
    void commitUnheard(std::size_t index);

    /// Submits, and gives the answer that must come at once.
    template <class T>
    T ask(const std::string& name, Operation operation)
    {
        return get<T>(submit(name, std::move(operation)));
    }
    Status status(const std::string& name) { return ask<Status>(name, GetStatus{}); }

    Engine& engine() { return *_engine; }
    const CheckedStore& store() const { return _store; }
    const std::vector<event::Event>& events() const { return _events; }
    /// The answers since the last call, in order.
    std::vector<std::pair<Ticket, Reply>> takeReplies() { return std::exchange(_fresh, {}); }
    /// Forgets answers and events; long runs would keep millions of them.
    void forget();

private:
    void settle();
    void collect();
    void commitReally(const std::vector<Pending>& batch,
                      const std::vector<backend::Outcome>& expected);
    void share();
    void feed();

    Limits _limits;
    bool _shared;
    std::optional<backend::ReadId> _sync;
    std::vector<backend::Record> _changes; ///< not told yet
    std::unique_ptr<Engine> _engine;
    CheckedStore _store;
    std::set<Ticket> _open;
    std::vector<std::pair<Ticket, Reply>> _fresh;
    std::vector<event::Event> _events;
    Sequence _lastEvent;
    bool _restarted = false; ///< since the last forget(): events may have been lost
    std::uint64_t _lastTicket = 0;
};

} // namespace octostore::coordination::test
