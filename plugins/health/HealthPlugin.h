// SPDX-License-Identifier: MIT
/// @file
/// Tells monitors and load balancers how the server is.
#pragma once

#include "HealthRoutes.h"
#include "Watchdog.h"

#include <octostore/plugin/Plugin.h>

#include <memory>

namespace octostore::health
{

/// Thread-safety: thread-affine(the program's main thread).
class HealthPlugin final : public plugin::Plugin
{
public:
    Result<void> configure(const plugin::Context& context) noexcept override;
    Result<void> start(plugin::ExtensionRegistry& registry) noexcept override;
    void stop() noexcept override;

private:
    const plugin::Context* _context = nullptr;
    Watchdog _watchdog{Milliseconds{5'000}};
    std::unique_ptr<HealthRoutes> _routes;
};

} // namespace octostore::health
