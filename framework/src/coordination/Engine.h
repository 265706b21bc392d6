// SPDX-License-Identifier: MIT
/// @file
/// The one owner of all coordination state.
#pragma once

#include "coordination/Rules.h"

#include <octostore/backend/Transaction.h>
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

    /// After the last restore(): what was left half-finished is finished.
    void restored(Now now);

    void submit(Ticket ticket, Request request, Now now);
    void abandon(Ticket ticket, Now now);
    void outcomes(std::vector<backend::Outcome> outcomes, Now now);
    /// Ends what is due, at most `most` names and one slice of a listing. True: more is due.
    bool advance(Now now, std::size_t most);
    std::optional<BootTime> nextDeadline() const;
    /// Answers every waiter `draining` and takes no more of them.
    void drain(Now now);
    Output take();

    /// Transactions without an outcome.
    std::size_t inFlight() const noexcept;
    const Limits& limits() const noexcept;
    /// Holds from the next decision on; the clock and when grants begin stay.
    void setLimits(Limits limits);
    /// Before the first restore(): all of them.
    void startWith(Limits limits);
    /// The committed state of a name, for tests and assertions.
    NameState stateOf(const std::string& name) const;
    std::size_t waitersOf(const std::string& name) const;

private:
    class State;
    std::unique_ptr<State> _state;
};

} // namespace octostore::coordination
