// SPDX-License-Identifier: MIT
#include "cli/PluginCommand.h"

#include "ExitCode.h"
#include "PluginNames.h"
#include "ServerOptions.h"
#include "plugin/PluginLibrary.h"

#include <octostore/config/Configuration.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <system_error>

namespace octostore::program
{

namespace
{

const std::vector<Option> pluginOptions = {{"help", 'h', "", "print this", false}};

void describe(const plugin::Descriptor& descriptor)
{
    std::string required;
    for (const std::string& id : descriptor.required)
        required += (required.empty() ? "" : " ") + id;
    std::cout << "id        " << descriptor.id << "\n"
              << "version   " << descriptor.version << "\n"
              << "API       " << descriptor.apiMajor << "." << descriptor.apiMinor << "\n"
              << "ABI       " << descriptor.abiTag << "\n"
              << "requires  " << (required.empty() ? "-" : required) << "\n"
              << "provides  " << (descriptor.provided.empty() ? "-" : descriptor.provided) << "\n"
              << "class     " << descriptor.className << "\n";
}

/// Nothing: the server would take it. Else why not.
std::string refusalOf(const Result<std::unique_ptr<plugin::PluginLibrary>>& library)
{
    if (!library)
        return library.error().message;
    if (auto compatible = (*library)->compatible(); !compatible)
        return compatible.error().message;
    auto made = (*library)->make();
    return made ? "" : made.error().message;
}

int inspect(const std::string& file)
{
    // dlopen() would look for a bare name in the system's directories.
    const auto library =
        plugin::PluginLibrary::open(std::filesystem::absolute(file).lexically_normal().string());
    if (library)
        describe((*library)->descriptor());
    const std::string refusal = refusalOf(library);
    std::cout << "verdict   " << (refusal.empty() ? "good" : "refused: " + refusal) << "\n";
    return refusal.empty() ? ExitOk : ExitFailure;
}

/// How the configuration makes use of a plugin.
std::string_view useOf(const PluginNames& names, const std::string& id)
{
    if (id == names.backend || id == names.transport)
        return "in use";
    const auto all = names.behindTheEngine();
    return std::find(all.begin(), all.end(), id) != all.end() ? "enabled" : "-";
}

std::vector<std::filesystem::path> filesIn(const std::string& directory)
{
    std::vector<std::filesystem::path> files;
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(directory, failed))
    {
        if (entry.path().extension() == ".so")
            files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

int list(const config::Sources& sources)
{
    const auto loaded =
        config::Configuration::load(config::serverKeys(), sources, config::UnknownKeys::Ignore);
    const std::string directory = pluginDirectory(*loaded.configuration);
    const PluginNames names = PluginNames::of(*loaded.configuration);
    for (const auto& file : filesIn(directory))
    {
        const auto library = plugin::PluginLibrary::open(file.string());
        const std::string id = file.stem().string();
        const std::string refusal = refusalOf(library);
        std::cout << id << "\t" << (library ? (*library)->descriptor().version : "?") << "\t"
                  << useOf(names, id) << "\t" << (refusal.empty() ? "good" : "refused: " + refusal)
                  << "\n";
    }
    return ExitOk;
}

} // namespace

int pluginCommand(const Words& arguments)
{
    auto given = readServerOptions(arguments, pluginOptions);
    if (!given)
        return usageError(given.error().message);
    if (given->options.has("help"))
    {
        std::cout << "Plugins.\n\nUsage: octostore plugin list|inspect FILE [OPTIONS]\n\n"
                     "list           those in the plugin directory: id, version, use, verdict\n"
                     "inspect FILE   what one says of itself and whether it would be loaded\n\n"
                  << describeServerOptions(pluginOptions);
        return ExitOk;
    }
    const Words& words = given->options.arguments();
    if (words.size() == 1 && words[0] == "list")
        return list(given->sources);
    if (words.size() == 2 && words[0] == "inspect")
        return inspect(words[1]);
    return usageError("plugin needs list, or inspect and a file");
}

} // namespace octostore::program
