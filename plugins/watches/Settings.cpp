// SPDX-License-Identifier: MIT
#include "Settings.h"

#include <utility>

namespace octostore::watches
{

Result<Settings> Settings::read(const config::View& configuration)
{
    auto trust = http::ProxyTrust::parse(configuration.list(http::ProxyTrust::proxiesKey),
                                         configuration.list(http::ProxyTrust::headersKey));
    if (!trust)
        return trust.error();
    Settings settings;
    settings.trust = *std::move(trust);
    settings.elections = configuration.boolean("elections.public");
    settings.roomStreamsGlobal = configuration.integer("elections.watch.streams_global");
    settings.roomStreamsPerClient = configuration.integer("elections.watch.streams_per_client");
    settings.roomStreamLife = std::chrono::seconds(
        static_cast<std::int64_t>(configuration.integer("elections.watch.max_seconds")));
    settings.streamsPerPrincipal = configuration.integer("watch.streams_per_principal");
    return settings;
}

} // namespace octostore::watches
