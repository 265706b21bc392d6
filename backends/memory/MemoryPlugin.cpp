// SPDX-License-Identifier: MIT
#include "MemoryPlugin.h"

#include "MemoryBackend.h"

namespace octostore::memory
{

Result<void> MemoryPlugin::configure(const plugin::Context&) noexcept
{
    return {};
}

Result<void> MemoryPlugin::start(plugin::ExtensionRegistry& registry) noexcept
{
    registry.contribute<backend::BackendFactory>("backend-memory", *this);
    return {};
}

Result<std::unique_ptr<backend::Backend>>
MemoryPlugin::open(const backend::BackendContext& context) noexcept
{
    context.logger.warning("The memory backend keeps nothing: every lease, account and event is "
                           "gone when the server stops.");
    return std::unique_ptr<backend::Backend>(
        std::make_unique<MemoryBackend>(std::make_shared<MemoryStore>()));
}

} // namespace octostore::memory
