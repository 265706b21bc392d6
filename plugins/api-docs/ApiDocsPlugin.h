// SPDX-License-Identifier: MIT
/// @file
/// Serves the description of the API, the page to try it on, and the page at `/`.
#pragma once

#include <octostore/http/EmbeddedFiles.h>
#include <octostore/http/Route.h>
#include <octostore/plugin/Plugin.h>

#include <vector>

namespace octostore::api_docs
{

/// Thread-safety: thread-affine(the program's main thread); the routes: any thread.
class ApiDocsPlugin final : public plugin::Plugin, public http::RouteProvider
{
public:
    ApiDocsPlugin();
    Result<void> configure(const plugin::Context& context) noexcept override;
    Result<void> start(plugin::ExtensionRegistry& registry) noexcept override;
    void stop() noexcept override {}

    std::vector<http::Route> routes() override;

private:
    const http::EmbeddedFiles _files;
};

} // namespace octostore::api_docs
