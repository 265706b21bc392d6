// SPDX-License-Identifier: MIT
#include "BeastPlugin.h"

namespace octostore::http_beast
{

Result<void> BeastPlugin::configure(const plugin::Context& context) noexcept
{
    _transport = std::make_unique<BeastTransport>(context.logger);
    return {};
}

Result<void> BeastPlugin::start(plugin::ExtensionRegistry& registry) noexcept
{
    registry.contribute<http::Transport>("http-beast", *_transport);
    return {};
}

/// The program stops the transport it started.
void BeastPlugin::stop() noexcept {}

} // namespace octostore::http_beast
