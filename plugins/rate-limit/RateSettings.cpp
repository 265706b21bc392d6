// SPDX-License-Identifier: MIT
#include "RateSettings.h"

#include <utility>

namespace octostore::rate_limit
{

Result<RateSettings> RateSettings::read(const config::View& configuration)
{
    auto trust = http::ProxyTrust::parse(configuration.list(http::ProxyTrust::proxiesKey),
                                         configuration.list(http::ProxyTrust::headersKey));
    if (!trust)
        return trust.error();
    RateSettings settings;
    // The key table allows no more than 32 bits.
    settings.requestsPerMinute = static_cast<std::uint32_t>(configuration.integer(requestsKey));
    settings.failuresPerMinute = static_cast<std::uint32_t>(configuration.integer(failuresKey));
    settings.trust = *std::move(trust);
    return settings;
}

} // namespace octostore::rate_limit
