// SPDX-License-Identifier: MIT
/// @file
/// How plugins talk to the engine.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Executor.h>
#include <octostore/coordination/Reply.h>

#include <functional>
#include <memory>

namespace octostore::coordination
{

/// Names a request while it is on its way.
using Ticket = Number<struct TicketTag>;

/// Thread-safety: thread-safe; never blocks.
class OCTOSTORE_API Coordinator
{
public:
    using Continuation = std::function<void(Reply)>;

    virtual ~Coordinator();
    /// Exactly one call of `done`, on `executor`, later. When too much is in flight the answer is
    /// Overloaded.
    virtual Ticket submit(Request request, std::shared_ptr<Executor> executor,
                          Continuation done) noexcept = 0;
    /// The one who asked has gone: a waiter leaves the queue (its place is kept for five seconds),
    /// a grant that is still being committed is given back. `done` is not called any more.
    virtual void abandon(Ticket ticket) noexcept = 0;
};

} // namespace octostore::coordination
