// SPDX-License-Identifier: MIT
/// @file
/// Keeps one client from using up what is for all.
#pragma once

#include "RateFilter.h"

#include <octostore/plugin/Plugin.h>

#include <memory>

namespace octostore::rate_limit
{

/// Thread-safety: thread-affine(the program's main thread).
class RateLimitPlugin final : public plugin::Plugin
{
public:
    Result<void> check(const config::View& configuration) const noexcept override;
    Result<void> configure(const plugin::Context& context) noexcept override;
    Result<void> start(plugin::ExtensionRegistry& registry) noexcept override;
    Result<void> reload(const config::View& configuration) noexcept override;
    void stop() noexcept override {}

private:
    std::unique_ptr<RateFilter> _filter;
};

} // namespace octostore::rate_limit
