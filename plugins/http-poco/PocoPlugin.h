// SPDX-License-Identifier: MIT
/// @file
/// The plugin that offers the transport `poco`.
#pragma once

#include "PocoTransport.h"

#include <octostore/plugin/Plugin.h>

#include <memory>

namespace octostore::http_poco
{

/// Thread-safety: thread-affine(the program's main thread).
class PocoPlugin final : public plugin::Plugin
{
public:
    Result<void> configure(const plugin::Context& context) noexcept override;
    Result<void> start(plugin::ExtensionRegistry& registry) noexcept override;
    void stop() noexcept override;

private:
    std::unique_ptr<PocoTransport> _transport;
};

} // namespace octostore::http_poco
