// SPDX-License-Identifier: MIT
#include "CoordinationApiPlugin.h"

#include <octostore/base/Assert.h>

#include <algorithm>
#include <iterator>

namespace octostore::coordination_api
{

namespace
{

Elections electionsOf(const config::View& configuration)
{
    return configuration.boolean("elections.public") ? Elections::Served : Elections::Refused;
}

} // namespace

Result<void> CoordinationApiPlugin::configure(const plugin::Context& context) noexcept
{
    OCTOSTORE_ASSERT(context.coordinator != nullptr);
    const Engine engine{*context.coordinator, context.clock, &_figures};
    _locks = std::make_unique<LockRoutes>(engine, context.random);
    _acls = std::make_unique<AclRoutes>(engine);
    _sessions = std::make_unique<SessionRoutes>(engine, context.random);
    _elections = std::make_unique<ElectionRoutes>(engine, context.random,
                                                  electionsOf(context.configuration));
    return {};
}

Result<void> CoordinationApiPlugin::start(plugin::ExtensionRegistry& registry) noexcept
{
    registry.contribute<http::RouteProvider>("coordination-api", *this);
    registry.contribute<metrics::Source>("coordination-api", _figures);
    return {};
}

Result<void> CoordinationApiPlugin::reload(const config::View& configuration) noexcept
{
    _elections->set(electionsOf(configuration));
    return {};
}

void CoordinationApiPlugin::stop() noexcept {}

std::vector<http::Route> CoordinationApiPlugin::routes()
{
    std::vector<http::Route> routes = _locks->routes();
    for (std::vector<http::Route> more :
         {_acls->routes(), _sessions->routes(), _elections->routes()})
        std::move(more.begin(), more.end(), std::back_inserter(routes));
    return routes;
}

} // namespace octostore::coordination_api
