// SPDX-License-Identifier: MIT
/// @file
/// What the configuration says about watches.
#pragma once

#include <octostore/base/Result.h>
#include <octostore/config/Config.h>
#include <octostore/http/ClientAddress.h>

#include <chrono>
#include <cstddef>

namespace octostore::watches
{

struct Settings
{
    /// Errors: Configuration.
    static Result<Settings> read(const config::View& configuration);

    bool elections = true;
    std::size_t roomStreamsGlobal = 1024;
    std::size_t roomStreamsPerClient = 8;
    std::chrono::seconds roomStreamLife{900};
    std::size_t streamsPerPrincipal = 10'000;
    http::ProxyTrust trust;
};

} // namespace octostore::watches
