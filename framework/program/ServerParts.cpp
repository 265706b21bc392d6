// SPDX-License-Identifier: MIT
#include "ServerParts.h"

#include "Settings.h"
#include "plugin/Guarded.h"

#include <algorithm>
#include <utility>

namespace octostore::program
{

namespace
{

http::Route watched(http::Route route, const std::string& plugin, const PluginFailed& failed)
{
    route.handler =
        [handler = std::move(route.handler), plugin, failed](const http::ExchangePtr& exchange)
    {
        try
        {
            handler(exchange);
        }
        catch (...)
        {
            failed(plugin);
            throw; // the router answers
        }
    };
    return route;
}

} // namespace

Result<backend::BackendFactory*> startBackend(Settings& settings, const plugin::Context& context)
{
    const std::vector<std::string> group{settings.names().backend};
    plugin::PluginHost& plugins = settings.plugins();
    if (auto configured = plugins.configure(group, context); !configured)
        return configured.error();
    if (auto started = plugins.start(group); !started)
        return started.error();
    const std::string wanted = settings.initial().text("storage.backend");
    auto* factory = chosen<backend::BackendFactory>(settings.registry(), wanted);
    if (factory == nullptr)
        return Error{ErrorCode::Configuration,
                     "the plugin " + group.front() + " has no backend \"" + wanted + "\""};
    return factory;
}

coordination::Limits engineLimits(const config::View& configuration, const Clock& clock)
{
    coordination::Limits limits;
    limits.leasesPerPrincipalMax = configuration.integer("locks.per_principal_max");
    limits.liveRoomsMax = configuration.integer("elections.max");
    limits.waitersPerNameMax = configuration.integer("waiters.per_name_max");
    limits.sessionsPerPrincipalMax = configuration.integer("sessions.per_principal_max");
    limits.clock = clock.identity();
    return limits;
}

event::RetentionLimits retentionLimits(const config::View& configuration)
{
    event::RetentionLimits limits;
    limits.age =
        std::chrono::duration_cast<std::chrono::hours>(configuration.duration("journal.age_max"));
    limits.count = configuration.integer("journal.events_max");
    limits.bytes = configuration.bytes("journal.size_max");
    return limits;
}

http::TransportOptions transportOptions(const config::View& configuration)
{
    http::TransportOptions options;
    options.bind = configuration.text("server.bind");
    options.bodyMax = configuration.bytes("http.body_max");
    options.headMax = configuration.bytes("http.head_max");
    options.headersMax = configuration.integer("http.headers_max");
    options.targetMax = configuration.bytes("http.target_max");
    options.requestTimeout = configuration.duration("http.request_timeout");
    options.keepAliveTimeout = configuration.duration("http.keepalive_timeout");
    options.threads = static_cast<unsigned>(configuration.integer("http.threads"));
    options.connectionsMax = configuration.integer("http.connections_max");
    return options;
}

Result<http::Router::Setup> routerSetup(const plugin::ExtensionRegistry& registry,
                                        const config::View& configuration,
                                        const PluginFailed& failed)
{
    http::Router::Setup setup;
    const auto providers = registry.all<http::RouteProvider>();
    const auto plugins = registry.contributors<http::RouteProvider>();
    for (std::size_t i = 0; i < providers.size(); ++i)
    {
        auto routes = plugin::guarded([&] { return providers[i]->routes(); });
        if (!routes)
            return Error{ErrorCode::Internal,
                         "the plugin " + plugins[i] +
                             " does not give its routes: " + routes.error().message};
        for (http::Route& route : *routes)
            setup.routes.push_back(watched(std::move(route), plugins[i], failed));
    }
    for (const http::AuthProvider* provider : registry.all<http::AuthProvider>())
        setup.authProviders.push_back(provider);
    setup.filters = registry.all<http::Filter>();

    const auto adminKey = adminKeyOf(registry, configuration);
    if (!adminKey)
        return adminKey.error();
    setup.adminKey = *adminKey;
    return setup;
}

Result<std::optional<Digest>> adminKeyOf(const plugin::ExtensionRegistry& registry,
                                         const config::View& configuration)
{
    if (!configuration.isSet("auth.admin_key"))
        return std::optional<Digest>();
    const std::string adminKey = configuration.text("auth.admin_key");
    const std::vector<http::AuthProvider*> providers = registry.all<http::AuthProvider>();
    if (std::any_of(providers.begin(), providers.end(),
                    [&](const auto* provider) { return provider->knows(adminKey); }))
        return Error{ErrorCode::Configuration,
                     "auth.admin_key (ADMIN_KEY): it is also the token of an account"};
    return std::optional<Digest>(sha256(adminKey));
}

} // namespace octostore::program
