// SPDX-License-Identifier: MIT
/// @file
/// Watches on locks and elections, and the journal of events.
#pragma once

#include "Errands.h"
#include "Hub.h"
#include "WatchFigures.h"
#include "WatchRoutes.h"

#include <octostore/http/Route.h>
#include <octostore/plugin/Plugin.h>

#include <memory>
#include <vector>

namespace octostore::watches
{

/// Thread-safety: thread-affine(the program's main thread); the routes: any thread.
class WatchesPlugin final : public plugin::Plugin, public http::RouteProvider
{
public:
    Result<void> check(const config::View& configuration) const noexcept override;
    Result<void> configure(const plugin::Context& context) noexcept override;
    Result<void> start(plugin::ExtensionRegistry& registry) noexcept override;
    Result<void> reload(const config::View& configuration) noexcept override;
    void drain() noexcept override;
    void stop() noexcept override;

    std::vector<http::Route> routes() override { return _routes->routes(); }
    /// For whoever has to know when everybody has come or gone.
    const Hub& hub() const noexcept { return *_hub; }

private:
    std::unique_ptr<Hub> _hub;
    std::unique_ptr<WatchFigures> _figures;
    std::unique_ptr<WatchRoutes> _routes;
    Errands _errands;
};

} // namespace octostore::watches
