// SPDX-License-Identifier: MIT
/// @file
/// The plugin that offers the transport `beast`.
#pragma once

#include "BeastTransport.h"

#include <octostore/plugin/Plugin.h>

#include <memory>

namespace octostore::http_beast
{

/// Thread-safety: thread-affine(the program's main thread).
class BeastPlugin final : public plugin::Plugin
{
public:
    Result<void> configure(const plugin::Context& context) noexcept override;
    Result<void> start(plugin::ExtensionRegistry& registry) noexcept override;
    void stop() noexcept override;

private:
    std::unique_ptr<BeastTransport> _transport;
};

} // namespace octostore::http_beast
