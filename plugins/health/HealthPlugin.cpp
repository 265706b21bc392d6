// SPDX-License-Identifier: MIT
#include "HealthPlugin.h"

namespace octostore::health
{

Result<void> HealthPlugin::configure(const plugin::Context& context) noexcept
{
    if (context.coordinator == nullptr || context.backend == nullptr)
        return Error{ErrorCode::Configuration, "it needs the engine and a backend"};
    _context = &context;
    return {};
}

Result<void> HealthPlugin::start(plugin::ExtensionRegistry& registry) noexcept
{
    _watchdog.start();
    _routes = std::make_unique<HealthRoutes>(Surroundings{
        _context->clock, *_context->backend, *_context->coordinator, _watchdog, registry});
    registry.contribute<http::RouteProvider>("health", *_routes);
    return {};
}

void HealthPlugin::stop() noexcept
{
    _watchdog.stop();
}

} // namespace octostore::health
