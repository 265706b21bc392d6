// SPDX-License-Identifier: MIT
/// @file
/// Publishes what the parts of the server count.
#pragma once

#include "LeaseFigures.h"
#include "MetricsRoutes.h"
#include "RequestFilter.h"
#include "Sampler.h"
#include "ServerFigures.h"

#include <octostore/plugin/Plugin.h>

#include <memory>

namespace octostore::metrics
{

/// Thread-safety: thread-affine(the program's main thread).
class MetricsPlugin final : public plugin::Plugin
{
public:
    Result<void> configure(const plugin::Context& context) noexcept override;
    Result<void> start(plugin::ExtensionRegistry& registry) noexcept override;
    void stop() noexcept override;

    /// For tests: takes a sample now, instead of when its time comes.
    Sampler& sampler() { return *_sampler; }

private:
    const plugin::Context* _context = nullptr;
    std::unique_ptr<RequestFilter> _requests;
    std::unique_ptr<LeaseFigures> _leases;
    std::unique_ptr<ServerFigures> _server;
    std::unique_ptr<Sampler> _sampler;
    std::unique_ptr<MetricsRoutes> _routes;
};

} // namespace octostore::metrics
