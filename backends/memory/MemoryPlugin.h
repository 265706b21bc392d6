// SPDX-License-Identifier: MIT
/// @file
/// Offers the memory backend to the server.
#pragma once

#include <octostore/backend/Backend.h>
#include <octostore/plugin/Plugin.h>

namespace octostore::memory
{

/// `storage.backend = memory`: everything is forgotten when the process ends.
/// Thread-safety: thread-compatible.
class MemoryPlugin final : public plugin::Plugin, public backend::BackendFactory
{
public:
    Result<void> configure(const plugin::Context& context) noexcept override;
    Result<void> start(plugin::ExtensionRegistry& registry) noexcept override;
    void stop() noexcept override {}

    std::string_view name() const noexcept override { return "memory"; }
    Result<std::unique_ptr<backend::Backend>>
    open(const backend::BackendContext& context) noexcept override;
};

} // namespace octostore::memory
