// SPDX-License-Identifier: MIT
#include "SqlitePlugin.h"

#include "SqliteBackend.h"

#include <utility>

namespace octostore::sqlite
{

Result<void> SqlitePlugin::configure(const plugin::Context&) noexcept
{
    return {};
}

Result<void> SqlitePlugin::start(plugin::ExtensionRegistry& registry) noexcept
{
    registry.contribute<backend::BackendFactory>("backend-sqlite", *this);
    return {};
}

Result<std::unique_ptr<backend::Backend>>
SqlitePlugin::open(const backend::BackendContext& context) noexcept
{
    Options options;
    options.path = context.configuration.text("storage.database");
    options.clock = &context.clock;
    options.logger = context.logger;
    Result<std::unique_ptr<SqliteBackend>> opened = SqliteBackend::open(std::move(options));
    if (!opened)
        return opened.error();
    return std::unique_ptr<backend::Backend>(*std::move(opened));
}

} // namespace octostore::sqlite
