// SPDX-License-Identifier: MIT
/// @file
/// Offers the SQLite backend to the server.
#pragma once

#include "CommitFigures.h"

#include <octostore/backend/Backend.h>
#include <octostore/plugin/Plugin.h>

namespace octostore::sqlite
{

/// `storage.backend = sqlite`; the file is `storage.database`. Thread-safety: thread-compatible.
class SqlitePlugin final : public plugin::Plugin, public backend::BackendFactory
{
public:
    Result<void> configure(const plugin::Context& context) noexcept override;
    Result<void> start(plugin::ExtensionRegistry& registry) noexcept override;
    void stop() noexcept override {}

    std::string_view name() const noexcept override { return "sqlite"; }
    Result<std::unique_ptr<backend::Backend>>
    open(const backend::BackendContext& context) noexcept override;
    Result<backend::RestoreReport> restore(const backend::BackendContext& context,
                                           const backend::RestoreOrder& order) noexcept override;

private:
    CommitFigures _figures;
};

} // namespace octostore::sqlite
