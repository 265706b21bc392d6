// SPDX-License-Identifier: MIT
#include "SqlitePlugin.h"

#include "Restore.h"
#include "SqliteBackend.h"

#include <utility>

namespace octostore::sqlite
{

namespace
{

Options optionsOf(const backend::BackendContext& context)
{
    Options options;
    options.path = context.configuration.text("storage.database");
    options.clock = &context.clock;
    options.logger = context.logger;
    return options;
}

} // namespace

Result<void> SqlitePlugin::configure(const plugin::Context&) noexcept
{
    return {};
}

Result<void> SqlitePlugin::start(plugin::ExtensionRegistry& registry) noexcept
{
    registry.contribute<backend::BackendFactory>("backend-sqlite", *this);
    registry.contribute<metrics::Source>("backend-sqlite", _figures);
    return {};
}

Result<std::unique_ptr<backend::Backend>>
SqlitePlugin::open(const backend::BackendContext& context) noexcept
{
    Options options = optionsOf(context);
    options.figures = &_figures;
    Result<std::unique_ptr<SqliteBackend>> opened = SqliteBackend::open(std::move(options));
    if (!opened)
        return opened.error();
    return std::unique_ptr<backend::Backend>(*std::move(opened));
}

Result<backend::RestoreReport> SqlitePlugin::restore(const backend::BackendContext& context,
                                                     const backend::RestoreOrder& order) noexcept
{
    return restoreDatabase(optionsOf(context), order);
}

} // namespace octostore::sqlite
