// SPDX-License-Identifier: MIT
/// @file
/// One function for each scenario; each prints one JSON object.
#pragma once

#include <octostore/base/Result.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace octostore::bench
{

/// What the command line says.
struct Setting
{
    std::string host = "127.0.0.1";
    std::uint16_t port = 3000;
    std::string authority; ///< for the Host header
    std::string token;
    std::string run;
    std::string directory = ".";
    std::size_t connections = 64;
    std::size_t names = 1000;
    std::size_t rooms = 16;
    std::size_t idle = 0;
    std::size_t waiters = 0;
    std::size_t streams = 9000;
    std::size_t hooks = 10;
    std::chrono::milliseconds duration{10'000};
};

Result<void> diskScenario(const Setting& setting);
Result<void> etcdScenario(const Setting& setting);
Result<void> handOverScenario(const Setting& setting);
Result<void> expiryScenario(const Setting& setting);
Result<void> fillScenario(const Setting& setting);
Result<void> stormScenario(const Setting& setting);
Result<void> crowdScenario(const Setting& setting);
Result<void> streamsScenario(const Setting& setting);
Result<void> webhooksScenario(const Setting& setting);
Result<void> hangingScenario(const Setting& setting);

} // namespace octostore::bench
