// SPDX-License-Identifier: MIT
#include "AdminUiPlugin.h"

#include "consoleAssets.h"
#include "consoleFiles.h"

#include <octostore/http/Exchange.h>

#include <utility>

namespace octostore::admin_ui
{

namespace
{

/// The script and the style are served under names that change with what is in them.
std::vector<http::EmbeddedFile> namedFiles()
{
    std::vector<http::EmbeddedFile> files = consoleFiles();
    for (http::EmbeddedFile& file : files)
    {
        if (file.name == "main.js")
            file.name = scriptName;
        else if (file.name == "main.css")
            file.name = styleName;
    }
    return files;
}

/// Relative, so that it holds behind a proxy that serves us under a prefix too.
http::Route redirectToFolder()
{
    http::Route route;
    route.pattern = "/admin";
    route.handler = [](const http::ExchangePtr& exchange)
    {
        http::Response response;
        response.status = 308;
        response.headers.add("location", "admin/");
        exchange->respond(std::move(response));
    };
    return route;
}

std::vector<plugin::FilesPlugin::Page> pages()
{
    std::vector<plugin::FilesPlugin::Page> all{{"/admin/", "index.html"}};
    for (const std::string_view name :
         {std::string_view(scriptName), std::string_view(styleName), std::string_view("icon.svg"),
          std::string_view("licences.txt")})
        all.push_back({"/admin/assets/" + std::string(name), std::string(name)});
    return all;
}

} // namespace

AdminUiPlugin::AdminUiPlugin() : FilesPlugin("admin-ui", namedFiles(), pages()) {}

std::vector<http::Route> AdminUiPlugin::routes()
{
    std::vector<http::Route> all = FilesPlugin::routes();
    all.push_back(redirectToFolder());
    return all;
}

} // namespace octostore::admin_ui
