// SPDX-License-Identifier: MIT
#include "ApiDocsPlugin.h"

#include "apiDocsFiles.h"

namespace octostore::api_docs
{

namespace
{

std::vector<plugin::FilesPlugin::Page> pages()
{
    std::vector<plugin::FilesPlugin::Page> all{{"/", "index.html"}, {"/docs", "docs.html"}};
    for (const char* name :
         {"openapi.yaml", "openapi.json", "docs/index.css", "docs/docs.css", "docs/init.js",
          "docs/swagger-ui-bundle.js", "docs/swagger-ui.css", "docs/licences.txt"})
        all.push_back({std::string("/") + name, name});
    return all;
}

} // namespace

ApiDocsPlugin::ApiDocsPlugin() : FilesPlugin("api-docs", apiDocsFiles(), pages()) {}

} // namespace octostore::api_docs
