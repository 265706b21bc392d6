// SPDX-License-Identifier: MIT
#include "RateLimitPlugin.h"

#include <utility>

namespace octostore::rate_limit
{

Result<void> RateLimitPlugin::check(const config::View& configuration) const noexcept
{
    const auto settings = RateSettings::read(configuration);
    return settings ? Result<void>() : settings.error();
}

Result<void> RateLimitPlugin::configure(const plugin::Context& context) noexcept
{
    auto settings = RateSettings::read(context.configuration);
    if (!settings)
        return settings.error();
    _filter = std::make_unique<RateFilter>(context.clock, *std::move(settings));
    return {};
}

Result<void> RateLimitPlugin::start(plugin::ExtensionRegistry& registry) noexcept
{
    registry.contribute<http::Filter>("rate-limit", *_filter);
    registry.contribute<metrics::Source>("rate-limit", *_filter);
    return {};
}

Result<void> RateLimitPlugin::reload(const config::View& configuration) noexcept
{
    auto settings = RateSettings::read(configuration);
    if (!settings)
        return settings.error();
    _filter->replace(*std::move(settings));
    return {};
}

} // namespace octostore::rate_limit
