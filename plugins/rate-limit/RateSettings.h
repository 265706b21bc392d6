// SPDX-License-Identifier: MIT
/// @file
/// What the configuration says about rates.
#pragma once

#include <octostore/base/Result.h>
#include <octostore/config/Config.h>
#include <octostore/http/ClientAddress.h>

#include <cstdint>

namespace octostore::rate_limit
{

struct RateSettings
{
    static constexpr std::string_view requestsKey = "elections.requests_per_minute";
    static constexpr std::string_view failuresKey = "auth.failures_per_minute";

    /// Errors: Configuration.
    static Result<RateSettings> read(const config::View& configuration);

    std::uint32_t requestsPerMinute = 600;
    std::uint32_t failuresPerMinute = 60; ///< wrong credentials; 0: any number
    http::ProxyTrust trust;
};

} // namespace octostore::rate_limit
