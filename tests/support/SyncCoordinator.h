// SPDX-License-Identifier: MIT
/// @file
/// A real engine on a memory store, driven by whoever asks it.
#pragma once

#include "MemoryStore.h"
#include "coordination/Engine.h"

#include <octostore/base/Time.h>
#include <octostore/coordination/Coordinator.h>
#include <octostore/event/Consumer.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace octostore::test
{

/// No thread and no waiting: every call runs the engine until it has nothing left to do, at the
/// time of the clock. Continuations are posted to their executors.
/// Thread-safety: thread-compatible.
class SyncCoordinator final : public coordination::Coordinator
{
public:
    /// `clock` must outlive this object.
    SyncCoordinator(const Clock& clock, coordination::Limits limits);

    coordination::Ticket submit(coordination::Request request, std::shared_ptr<Executor> executor,
                                Continuation done) noexcept override;
    void abandon(coordination::Ticket ticket) noexcept override;

    /// Lets the engine notice that time has passed.
    void run();
    void drain();

    /// Commits pile up until they are released, as on a slow disk.
    void holdCommits() { _holding = true; }
    void releaseCommits();
    /// The next commit ends so instead of being made.
    void failNextCommit(Error error) { _nextFailure = std::move(error); }

    /// What is asked piles up until it is released, as when the engine is busy.
    void holdRequests() { _holdingRequests = true; }
    void releaseRequests();
    /// Those that pile up and have not been abandoned.
    std::size_t heldRequests() const;

    /// Until it is told nothing, everything that is asked is refused so, as when too much is in
    /// flight or the server stops.
    void refuseAll(std::optional<ErrorCode> code) { _refusal = code; }

    /// Told of what is committed, in order. By default: nobody.
    using Publish = std::function<void(std::vector<event::Event>, std::vector<event::Renewal>)>;
    void publishTo(Publish publish) { _publish = std::move(publish); }

    const coordination::Engine& engine() const noexcept { return _engine; }
    /// What happened to a name, oldest first.
    std::vector<event::Draft> eventsOf(const std::string& name) const;

private:
    struct Asked
    {
        std::shared_ptr<Executor> executor;
        Continuation done;
    };

    bool turn();
    void deliver(coordination::Ticket ticket, coordination::Reply reply);
    backend::Outcome commit(backend::Transaction transaction);

    const Clock& _clock;
    coordination::Engine _engine;
    memory::MemoryStore _store;
    std::map<coordination::Ticket, Asked> _asked;
    std::uint64_t _lastTicket = 0;
    std::deque<backend::Transaction> _commits;
    std::deque<std::pair<coordination::Ticket, coordination::Request>> _requests;
    bool _holdingRequests = false;
    bool _holding = false;
    std::optional<Error> _nextFailure;
    std::optional<ErrorCode> _refusal;
    Publish _publish;
};

} // namespace octostore::test
