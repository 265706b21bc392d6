// SPDX-License-Identifier: MIT
/// @file
/// Brings a request to the engine and the engine's reply back to the one who asked.
#pragma once

#include <octostore/base/Time.h>
#include <octostore/coordination/Coordinator.h>
#include <octostore/http/Exchange.h>

#include <functional>
#include <optional>

namespace octostore::coordination_api
{

class GrantFigures;

/// Makes the answer out of the reply, at the time given; nothing when the reply is none that the
/// request can have.
using Render = std::function<std::optional<http::Response>(const coordination::Reply&, BootTime)>;

/// What every submission needs. Everything must outlive every exchange.
struct Engine
{
    coordination::Coordinator& coordinator;
    const Clock& clock;
    GrantFigures* figures = nullptr; ///< may be null
};

/// Submits `request`, completed with what the exchange knows (id, arrival), and answers the
/// exchange: a refusal with its error, a reply that gives a lease or a session which is over by now
/// with OutcomeUnknown, everything else with what `render` makes of it.
///
/// A client that leaves is abandoned; a fresh grant that never reached it is given back.
void submit(const Engine& engine, const http::ExchangePtr& exchange, coordination::Request request,
            Render render);

/// Whole milliseconds for which the lease gives authority at `now`; 0 when it is over.
std::uint64_t authorityMs(const coordination::LeaseView& lease, BootTime now) noexcept;
std::uint64_t authorityMs(const coordination::SessionView& session, BootTime now) noexcept;

} // namespace octostore::coordination_api
