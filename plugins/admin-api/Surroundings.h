// SPDX-License-Identifier: MIT
/// @file
/// What the routes of the administration work with.
#pragma once

#include <octostore/backend/Backend.h>
#include <octostore/base/Log.h>
#include <octostore/base/Random.h>
#include <octostore/base/Time.h>
#include <octostore/base/WorkThread.h>
#include <octostore/coordination/Coordinator.h>
#include <octostore/http/Exchange.h>
#include <octostore/plugin/Plugin.h>

#include <functional>
#include <string>
#include <vector>

namespace octostore::admin_api
{

/// Everything must outlive every exchange.
struct Surroundings
{
    Logger logger;
    const Clock& clock;
    Random& random;
    coordination::Coordinator& coordinator;
    backend::Backend* backend; ///< null in tests without one
    /// Not filled any more once requests come.
    const plugin::ExtensionRegistry& registry;
    std::string backendName;
    std::string database; ///< the file of the store
    Now started;
    WorkThread& lists; ///< sorts long lists
};

/// A request to the engine in the name of the caller.
coordination::Request requestOf(const http::Exchange& exchange, std::string name,
                                coordination::Operation operation);

/// Asks the engine; a refusal is answered here, every other reply is `done`'s, on the exchange's
/// thread.
coordination::Ticket ask(const Surroundings& around, const http::ExchangePtr& exchange,
                         coordination::Request request,
                         std::function<void(coordination::Reply)> done);

/// The accounts of every provider.
std::vector<http::Account> allAccounts(const plugin::ExtensionRegistry& registry);

} // namespace octostore::admin_api
