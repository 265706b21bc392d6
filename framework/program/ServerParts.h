// SPDX-License-Identifier: MIT
/// @file
/// What the parts of the server are made with, taken from configuration and extensions.
#pragma once

#include "coordination/Rules.h"
#include "event/Retention.h"

#include <octostore/backend/Backend.h>
#include <octostore/base/Digest.h>
#include <octostore/base/Result.h>
#include <octostore/base/Time.h>
#include <octostore/config/Config.h>
#include <octostore/http/Router.h>
#include <octostore/http/Transport.h>
#include <octostore/plugin/Plugin.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace octostore::program
{

class Settings;

/// The extension of this name; null: there is none.
template <class T>
T* chosen(const plugin::ExtensionRegistry& registry, std::string_view name)
{
    for (T* extension : registry.all<T>())
    {
        if (extension->name() == name)
            return extension;
    }
    return nullptr;
}

/// Configures and starts the plugin of `storage.backend`, whose factory this is. What `context`
/// refers to must outlive the plugin. Errors: Configuration, or the plugin's.
Result<backend::BackendFactory*> startBackend(Settings& settings, const plugin::Context& context);

coordination::Limits engineLimits(const config::View& configuration, const Clock& clock);

event::RetentionLimits retentionLimits(const config::View& configuration);

http::TransportOptions transportOptions(const config::View& configuration);

/// What opens the administration; nothing: it is closed. Errors: Configuration when the key is
/// somebody's token as well.
Result<std::optional<Digest>> adminKeyOf(const plugin::ExtensionRegistry& registry,
                                         const config::View& configuration);

/// Told of the plugin whose code failed; called on any thread.
using PluginFailed = std::function<void(const std::string& plugin)>;

/// Routes, credentials and filters of every plugin. `failed` hears of handlers that throw; the
/// router answers for them. Errors: Configuration when the admin key is
/// somebody's token as well; Internal when a plugin does not give its routes.
Result<http::Router::Setup> routerSetup(const plugin::ExtensionRegistry& registry,
                                        const config::View& configuration,
                                        const PluginFailed& failed);

} // namespace octostore::program
