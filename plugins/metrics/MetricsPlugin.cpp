// SPDX-License-Identifier: MIT
#include "MetricsPlugin.h"

namespace octostore::metrics
{

Result<void> MetricsPlugin::configure(const plugin::Context& context) noexcept
{
    if (context.coordinator == nullptr)
        return Error{ErrorCode::Configuration, "it needs the engine"};
    _context = &context;
    return {};
}

Result<void> MetricsPlugin::start(plugin::ExtensionRegistry& registry) noexcept
{
    const Clock& clock = _context->clock;
    _requests = std::make_unique<RequestFilter>(clock);
    // Not before: the registry is still being filled while plugins start.
    _leases = std::make_unique<LeaseFigures>(clock, [this] { _sampler->start(); });
    _server = std::make_unique<ServerFigures>(*_context, registry);
    _sampler = std::make_unique<Sampler>(clock, *_context->coordinator,
                                         [this, &registry](Snapshot& snapshot)
                                         {
                                             SnapshotSink sink(snapshot);
                                             for (const Source* source : registry.all<Source>())
                                                 source->collect(sink);
                                             snapshot.requests = _requests->requests();
                                             snapshot.requestDurations = _requests->durations();
                                             snapshot.leaderChanges = _leases->leaderChanges();
                                         });
    _routes = std::make_unique<MetricsRoutes>(
        Surroundings{clock, *_context->coordinator, registry, *_server, *_requests, *_sampler});

    registry.contribute<http::RouteProvider>("metrics", *_routes);
    registry.contribute<http::Filter>("metrics", *_requests);
    registry.contribute<event::Consumer>("metrics", *_leases);
    registry.contribute<Source>("metrics", *_requests);
    registry.contribute<Source>("metrics", *_leases);
    return {};
}

void MetricsPlugin::stop() noexcept
{
    _sampler->stop();
}

} // namespace octostore::metrics
