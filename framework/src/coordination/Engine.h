// SPDX-License-Identifier: MIT
/// @file
/// The one owner of all coordination state.
#pragma once

#include "coordination/Rules.h"

#include <octostore/backend/Backend.h>
#include <octostore/base/Api.h>
#include <octostore/coordination/Coordinator.h>
#include <octostore/event/Consumer.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace octostore::coordination
{

/// What a turn of the engine produced.
struct Output
{
    std::vector<backend::Transaction> commits;
    std::vector<std::pair<Ticket, Reply>> replies;
    std::vector<event::Event> events; ///< committed, in order of their sequence
    std::vector<event::Renewal> renewals;
    // Only on a shared store:
    std::optional<backend::ReadId> sync; ///< to be asked of the backend, and told to caughtUp()
    /// The journal is complete up to here: the driver reads and publishes it, `events` is empty.
    std::optional<Revision> journal;
    /// The store is another one now, and this server must stop; whoever asks is refused from now
    /// on.
    std::optional<Error> lost;
};

/// How the engine works on a store that other servers write to as well.
struct Sharing
{
    Revision incarnation;   ///< version of meta/incarnation; every transaction conditions on it
    std::uint64_t seed = 0; ///< of the jitter; another one on each server
    std::string server;     ///< tells this run of this server from all others; no spaces
};

/// Deterministic: the thread that drives it brings time, randomness and I/O.
/// Thread-safety: thread-affine(the engine thread).
class OCTOSTORE_API Engine
{
public:
    explicit Engine(Limits limits);
    ~Engine();

    /// Before anything else: a record of the store. `recoveredAt`: see adopt().
    void restore(backend::Record record, BootTime recoveredAt, Now now);

    /// Before the first restore(): the store is shared.
    void share(Sharing sharing);

    /// After the last restore(): what was left half-finished is finished.
    void restored(Now now);

    /// Decides, or lets it wait. The reply, one for each ticket, comes out of a take(), now or
    /// later.
    void submit(Ticket ticket, Request request, Now now);
    /// Whoever asked has gone: no reply follows, and what only waits ends. What is committed or on
    /// its way stays. For a ticket that was answered already nothing happens.
    void abandon(Ticket ticket, Now now);
    /// What became of transactions that take() gave, in the order of the commits.
    void outcomes(std::vector<backend::Outcome> outcomes, Now now);
    /// Shared stores: commits of whatever server, in order, and the end of the feed so far. What is
    /// known already is passed over.
    void changes(std::vector<backend::Record> records, Revision upTo, Now now);
    /// Every change before that sync was reported, or the store did not say.
    void caughtUp(backend::ReadId sync, const Result<Revision>& upTo, Now now);
    /// Ends what is due, at most `most` names and one slice of a listing. True: more is due.
    bool advance(Now now, std::size_t most);
    std::optional<BootTime> nextDeadline() const;
    /// Answers every waiter `draining` and takes no more of them.
    void drain(Now now);
    /// Takes what the engine wants done, in this order: commits, questions to the store, answers.
    Output take();

    /// Transactions without an outcome.
    std::size_t inFlight() const noexcept;
    const Limits& limits() const noexcept;
    /// Holds from the next decision on; the clock and when grants begin stay.
    void setLimits(Limits limits);
    /// Before the first restore(): all of them.
    void startWith(Limits limits);
    /// A slice of a listing ends early, too, when it has taken its time on `clock`, which must
    /// outlive this object. Nothing else depends on it.
    void measureSlicesBy(const Clock& clock);
    /// The committed state of a name, for tests and assertions.
    NameState stateOf(const std::string& name) const;
    std::size_t waitersOf(const std::string& name) const;

private:
    class State;
    std::unique_ptr<State> _state;
};

} // namespace octostore::coordination
