// SPDX-License-Identifier: MIT
#include "StaticAuthPlugin.h"

#include "TokenSources.h"

namespace octostore::auth
{

Result<void> StaticAuthPlugin::check(const config::View& configuration) const noexcept
{
    const auto read = readTokens(configuration, _logger);
    return read ? Result<void>{} : read.error();
}

Result<void> StaticAuthPlugin::configure(const plugin::Context& context) noexcept
{
    _logger = context.logger;
    // The files it names belong to the configuration: a bad one is found before anything starts.
    return reload(context.configuration);
}

Result<void> StaticAuthPlugin::start(plugin::ExtensionRegistry& registry) noexcept
{
    registry.contribute<http::AuthProvider>("auth-static", *this);
    return {};
}

Result<void> StaticAuthPlugin::reload(const config::View& configuration) noexcept
{
    auto read = readTokens(configuration, _logger);
    if (!read)
        return read.error();
    auto next = std::make_shared<const TokenTable>(*std::move(read));
    _logger.info("static tokens loaded", {{"names", next->size()}});
    MutexLock lock(_mutex);
    _table = std::move(next);
    return {};
}

std::optional<http::Identity> StaticAuthPlugin::authenticate(const Digest& token) const noexcept
{
    return table()->find(token);
}

std::shared_ptr<const TokenTable> StaticAuthPlugin::table() const
{
    MutexLock lock(_mutex);
    return _table;
}

} // namespace octostore::auth
