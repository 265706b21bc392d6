// SPDX-License-Identifier: MIT
/// @file
/// Elections, locks and sessions over HTTP.
#pragma once

#include "AclRoutes.h"
#include "ElectionRoutes.h"
#include "GrantFigures.h"
#include "LockRoutes.h"
#include "SessionRoutes.h"

#include <octostore/http/Route.h>
#include <octostore/plugin/Plugin.h>

#include <memory>
#include <vector>

namespace octostore::coordination_api
{

/// Thread-safety: thread-affine(the program's main thread); the routes: any thread.
class CoordinationApiPlugin final : public plugin::Plugin, public http::RouteProvider
{
public:
    Result<void> configure(const plugin::Context& context) noexcept override;
    Result<void> start(plugin::ExtensionRegistry& registry) noexcept override;
    Result<void> reload(const config::View& configuration) noexcept override;
    void stop() noexcept override;

    std::vector<http::Route> routes() override;

private:
    GrantFigures _figures;
    std::unique_ptr<LockRoutes> _locks;
    std::unique_ptr<AclRoutes> _acls;
    std::unique_ptr<SessionRoutes> _sessions;
    std::unique_ptr<ElectionRoutes> _elections;
};

} // namespace octostore::coordination_api
