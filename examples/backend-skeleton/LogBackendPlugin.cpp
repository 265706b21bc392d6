// SPDX-License-Identifier: MIT
/// @file
/// The door: `storage.backend = log`.
#include "LogBackend.h"

#include <octostore/config/Config.h>
#include <octostore/plugin/Door.h>

namespace logbackend
{

/// Thread-safety: thread-compatible.
class LogBackendPlugin final : public plugin::Plugin, public backend::BackendFactory
{
public:
    std::vector<config::Key> keys() const override
    {
        config::Key file;
        file.name = "log.file";
        file.type = config::KeyType::Path;
        file.defaultValue = "octostore.log";
        file.help = "The file of the backend `log`.";
        return {file};
    }
    Result<void> configure(const plugin::Context&) noexcept override { return {}; }
    Result<void> start(plugin::ExtensionRegistry& registry) noexcept override
    {
        registry.contribute<backend::BackendFactory>("backend-log", *this);
        return {};
    }
    void stop() noexcept override {}

    std::string_view name() const noexcept override { return "log"; }
    Result<std::unique_ptr<backend::Backend>>
    open(const backend::BackendContext& context) noexcept override
    {
        return LogBackend::open(context.configuration.text("log.file"));
    }
};

} // namespace logbackend

OCTOSTORE_PLUGIN(logbackend::LogBackendPlugin, "backend-log", "1.0.0", "", "backend.factory/1")
