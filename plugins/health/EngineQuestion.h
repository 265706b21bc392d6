// SPDX-License-Identifier: MIT
/// @file
/// A question to the engine that is answered in time, by somebody.
#pragma once

#include "Watchdog.h"

#include <octostore/base/Result.h>
#include <octostore/coordination/Coordinator.h>
#include <octostore/http/Exchange.h>

#include <functional>

namespace octostore::health
{

/// Both must outlive this object. Thread-safety: thread-safe.
class EngineQuestion
{
public:
    using Done = std::function<void(Result<coordination::Reply>)>;

    EngineQuestion(coordination::Coordinator& coordinator, Watchdog& watchdog)
        : _coordinator(coordinator), _watchdog(watchdog)
    {
    }

    /// Calls `done` once, on the exchange's executor: with the answer, which is never Refused, or
    /// with an error - the engine's own, or Unavailable when it stays silent.
    void ask(const http::ExchangePtr& exchange, coordination::Query query, Done done);

private:
    coordination::Coordinator& _coordinator;
    Watchdog& _watchdog;
};

} // namespace octostore::health
