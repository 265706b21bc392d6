// SPDX-License-Identifier: MIT
#include "AdminApiPlugin.h"

#include <iterator>
#include <utility>

namespace octostore::admin_api
{

Result<void> AdminApiPlugin::configure(const plugin::Context& context) noexcept
{
    if (context.coordinator == nullptr)
        return Error{ErrorCode::Configuration, "it needs the engine"};
    _context = &context;
    return {};
}

Result<void> AdminApiPlugin::start(plugin::ExtensionRegistry& registry) noexcept
{
    const plugin::Context& given = *_context;
    _parts = std::make_unique<Parts>(
        Surroundings{given.logger, given.clock, given.random, *given.coordinator, given.backend,
                     registry, given.configuration.text("storage.backend"),
                     given.configuration.text("storage.database"), given.clock.now(), _lists});
    _lists.start();
    _parts->backups.start();
    registry.contribute<http::RouteProvider>("admin-api", *this);
    return {};
}

void AdminApiPlugin::drain() noexcept
{
    _parts->backups.drain();
    _parts->surveys.stop();
}

void AdminApiPlugin::stop() noexcept
{
    _parts->backups.stop();
    _parts->surveys.stop();
    _lists.stop();
}

std::vector<http::Route> AdminApiPlugin::routes()
{
    std::vector<http::Route> all;
    for (std::vector<http::Route> part : {_parts->lists.routes(), _parts->status.routes(),
                                          _parts->actions.routes(), _parts->backups.routes()})
        std::move(part.begin(), part.end(), std::back_inserter(all));
    return all;
}

} // namespace octostore::admin_api
