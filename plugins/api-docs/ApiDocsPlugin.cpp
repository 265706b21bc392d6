// SPDX-License-Identifier: MIT
#include "ApiDocsPlugin.h"

#include "apiDocsFiles.h"

namespace octostore::api_docs
{

ApiDocsPlugin::ApiDocsPlugin() : _files(apiDocsFiles()) {}

Result<void> ApiDocsPlugin::configure(const plugin::Context&) noexcept
{
    return {};
}

Result<void> ApiDocsPlugin::start(plugin::ExtensionRegistry& registry) noexcept
{
    registry.contribute<http::RouteProvider>("api-docs", *this);
    return {};
}

std::vector<http::Route> ApiDocsPlugin::routes()
{
    std::vector<http::Route> all;
    all.push_back(_files.route("/", "index.html"));
    all.push_back(_files.route("/docs", "docs.html"));
    for (const char* name :
         {"openapi.yaml", "openapi.json", "docs/index.css", "docs/docs.css", "docs/init.js",
          "docs/swagger-ui-bundle.js", "docs/swagger-ui.css", "docs/licences.txt"})
        all.push_back(_files.route(std::string("/") + name, name));
    return all;
}

} // namespace octostore::api_docs
