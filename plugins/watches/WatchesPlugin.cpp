// SPDX-License-Identifier: MIT
#include "WatchesPlugin.h"

#include <octostore/base/Assert.h>

#include <utility>

namespace octostore::watches
{

namespace
{

/// Names that may be watched at once.
constexpr std::size_t namesMax = 16'384;
constexpr Milliseconds tickInterval{1000};

} // namespace

Result<void> WatchesPlugin::check(const config::View& configuration) const noexcept
{
    const auto settings = Settings::read(configuration);
    return settings ? Result<void>() : settings.error();
}

Result<void> WatchesPlugin::configure(const plugin::Context& context) noexcept
{
    OCTOSTORE_ASSERT(context.coordinator != nullptr && context.journal != nullptr);
    auto settings = Settings::read(context.configuration);
    if (!settings)
        return settings.error();
    _hub = std::make_unique<Hub>(namesMax);
    _figures = std::make_unique<WatchFigures>(*_hub);
    _routes =
        std::make_unique<WatchRoutes>(Surroundings{context.clock, *context.coordinator,
                                                   *context.journal, *_hub, _errands, *_figures},
                                      *std::move(settings));
    return {};
}

Result<void> WatchesPlugin::start(plugin::ExtensionRegistry& registry) noexcept
{
    _errands.start(tickInterval, [this] { _hub->tick(); });
    registry.contribute<event::Consumer>("watches", *_hub);
    registry.contribute<http::RouteProvider>("watches", *this);
    registry.contribute<metrics::Source>("watches", *_figures);
    return {};
}

Result<void> WatchesPlugin::reload(const config::View& configuration) noexcept
{
    auto settings = Settings::read(configuration);
    if (!settings)
        return settings.error();
    _routes->set(*std::move(settings));
    return {};
}

void WatchesPlugin::drain() noexcept
{
    _hub->drain({ErrorCode::Draining, "The server is stopping."});
}

void WatchesPlugin::stop() noexcept
{
    _errands.stop();
}

} // namespace octostore::watches
