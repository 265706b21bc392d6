// SPDX-License-Identifier: MIT
#include "PocoPlugin.h"

namespace octostore::http_poco
{

Result<void> PocoPlugin::configure(const plugin::Context& context) noexcept
{
    _transport = std::make_unique<PocoTransport>(context.logger);
    return {};
}

Result<void> PocoPlugin::start(plugin::ExtensionRegistry& registry) noexcept
{
    registry.contribute<http::Transport>("http-poco", *_transport);
    return {};
}

/// The program stops the transport it started.
void PocoPlugin::stop() noexcept {}

} // namespace octostore::http_poco
