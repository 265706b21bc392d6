// SPDX-License-Identifier: MIT
#include <octostore/plugin/FilesPlugin.h>

#include <utility>

namespace octostore::plugin
{

FilesPlugin::FilesPlugin(std::string id, const std::vector<http::EmbeddedFile>& files,
                         std::vector<Page> pages)
    : _id(std::move(id)), _files(files), _pages(std::move(pages))
{
}

FilesPlugin::~FilesPlugin() = default;

Result<void> FilesPlugin::configure(const Context& /*context*/) noexcept
{
    return {};
}

Result<void> FilesPlugin::start(ExtensionRegistry& registry) noexcept
{
    registry.contribute<http::RouteProvider>(_id, *this);
    return {};
}

std::vector<http::Route> FilesPlugin::routes()
{
    std::vector<http::Route> all;
    all.reserve(_pages.size());
    for (const Page& page : _pages)
        all.push_back(_files.route(page.pattern, page.file));
    return all;
}

} // namespace octostore::plugin
