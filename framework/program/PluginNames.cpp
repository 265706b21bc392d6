// SPDX-License-Identifier: MIT
#include "PluginNames.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace octostore::program
{

PluginNames PluginNames::of(const config::View& configuration)
{
    PluginNames names;
    names.backend = "backend-" + configuration.text("storage.backend");
    names.transport = "http-" + configuration.text("http.transport");
    names.required = {names.backend, names.transport};
    for (std::string& name : configuration.list("plugins.enabled"))
    {
        const bool known =
            name == names.transport || name == names.backend ||
            std::find(names.others.begin(), names.others.end(), name) != names.others.end();
        if (!known)
            names.others.push_back(std::move(name));
    }
    for (std::string& name : configuration.list("plugins.required"))
        names.required.push_back(std::move(name));
    return names;
}

std::vector<std::string> PluginNames::behindTheEngine() const
{
    std::vector<std::string> all{transport};
    all.insert(all.end(), others.begin(), others.end());
    return all;
}

std::string pluginDirectory(const config::View& configuration)
{
    const std::string configured = configuration.text("plugins.directory");
    if (!configured.empty())
        return configured;
    // Not argv[0]: that is what the caller says, and may be a link in another directory.
    std::error_code failed;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
    return (program.parent_path().parent_path() / "lib" / "octostore").string();
}

} // namespace octostore::program
