// SPDX-License-Identifier: MIT
/// @file
/// What plugins that serve files built into them have in common.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/http/EmbeddedFiles.h>
#include <octostore/http/Route.h>
#include <octostore/plugin/Plugin.h>

#include <string>
#include <vector>

namespace octostore::plugin
{

/// Needs no configuration and has no thread.
/// Thread-safety: thread-affine(the program's main thread); the routes: any thread.
class OCTOSTORE_API FilesPlugin : public Plugin, public http::RouteProvider
{
public:
    /// Where a file is found.
    struct Page
    {
        std::string pattern; ///< `/docs`
        std::string file;    ///< the name it was built in with
    };

    /// `id` is the plugin's, `files` what was built into it.
    FilesPlugin(std::string id, const std::vector<http::EmbeddedFile>& files,
                std::vector<Page> pages);
    ~FilesPlugin() override;

    Result<void> configure(const Context& context) noexcept override;
    Result<void> start(ExtensionRegistry& registry) noexcept override;
    void stop() noexcept override {}
    /// One for each page.
    std::vector<http::Route> routes() override;

private:
    const std::string _id;
    const http::EmbeddedFiles _files;
    const std::vector<Page> _pages;
};

} // namespace octostore::plugin
