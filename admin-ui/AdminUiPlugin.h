// SPDX-License-Identifier: MIT
/// @file
/// Serves the console at /admin/.
#pragma once

#include <octostore/http/EmbeddedFiles.h>
#include <octostore/http/Route.h>
#include <octostore/plugin/Plugin.h>

#include <vector>

namespace octostore::admin_ui
{

/// The page is public and holds nothing: what it shows comes from the API, with the credential its
/// user types in.
/// Thread-safety: thread-affine(the program's main thread); the routes: any thread.
class AdminUiPlugin final : public plugin::Plugin, public http::RouteProvider
{
public:
    AdminUiPlugin();
    Result<void> configure(const plugin::Context& context) noexcept override;
    Result<void> start(plugin::ExtensionRegistry& registry) noexcept override;
    void stop() noexcept override {}

    std::vector<http::Route> routes() override;

private:
    const http::EmbeddedFiles _files;
};

} // namespace octostore::admin_ui
