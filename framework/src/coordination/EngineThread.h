// SPDX-License-Identifier: MIT
/// @file
/// The thread that drives the engine: mailbox, exact deadlines, backend.
#pragma once

#include "coordination/Engine.h"

#include <octostore/backend/Backend.h>
#include <octostore/base/Api.h>
#include <octostore/base/Log.h>
#include <octostore/base/Random.h>
#include <octostore/base/Result.h>
#include <octostore/base/Time.h>
#include <octostore/coordination/Coordinator.h>

#include <cstddef>
#include <functional>
#include <memory>

namespace octostore::coordination
{

/// Waits in poll() on an absolute CLOCK_BOOTTIME timer and an eventfd; no sweep interval.
/// Thread-safety: thread-safe, but start() and stop() belong to one thread.
class OCTOSTORE_API EngineThread final : public Coordinator
{
public:
    /// The backend is open, not loaded. References must outlive this object. `lost` is called once,
    /// on a thread of the backend, when the store can never be used again.
    EngineThread(backend::Backend& backend, const Clock& clock, Random& random, Limits limits,
                 Logger logger, std::function<void(Error)> lost);
    ~EngineThread() override;

    /// Before start(): who takes committed events and renewals; must outlive stop().
    using Publish = std::function<void(std::vector<event::Event>, std::vector<event::Renewal>)>;
    void publishTo(Publish publish);

    /// Loads the store, writes what must be there before serving (incarnation, clock), runs.
    /// Errors: those of the backend.
    Result<void> start();
    /// The last revision of the store when it was loaded.
    Revision loaded() const noexcept;
    /// The last revision the store was restored with; what happened up to it has a hole. 0: never.
    Revision restoredAt() const noexcept;
    /// Holds soon; the clock of the limits is not changed.
    void setLimits(Limits limits);
    /// Every waiter is answered Draining; new waits are refused.
    void drain();
    /// Ends the thread and stops the backend; everything pending has been answered then.
    void stop();

    Ticket submit(Request request, std::shared_ptr<Executor> executor,
                  Continuation done) noexcept override;
    void abandon(Ticket ticket) noexcept override;

private:
    class State;
    std::unique_ptr<State> _state;
};

} // namespace octostore::coordination
