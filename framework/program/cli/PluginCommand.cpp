// SPDX-License-Identifier: MIT
#include "cli/PluginCommand.h"

#include "ExitCode.h"
#include "PluginNames.h"
#include "ServerOptions.h"
#include "cli/Printing.h"
#include "plugin/PluginLibrary.h"

#include <octostore/config/Configuration.h>

#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <system_error>
#include <utility>

namespace octostore::program
{

namespace
{

const std::vector<Option> pluginOptions = {{"json", 0, "", "JSON instead of text"},
                                           {"help", 'h', "", "print this", false}};

/// In the order in which people read it.
using Facts = std::vector<std::pair<std::string, std::string>>;

JsonValue toObject(const Facts& facts)
{
    JsonValue::Object object;
    for (const auto& [name, value] : facts)
        object.emplace(name, JsonValue(value));
    return JsonValue(std::move(object));
}

Facts factsOf(const plugin::Descriptor& descriptor)
{
    std::string required;
    for (const std::string& id : descriptor.required)
        required += (required.empty() ? "" : " ") + id;
    return {
        {"id", descriptor.id},
        {"version", descriptor.version},
        {"api", std::to_string(descriptor.apiMajor) + "." + std::to_string(descriptor.apiMinor)},
        {"abi", descriptor.abiTag},
        {"requires", required.empty() ? "-" : required},
        {"provides", descriptor.provided.empty() ? "-" : descriptor.provided},
        {"class", descriptor.className}};
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

std::string verdictOf(const std::string& refusal)
{
    return refusal.empty() ? "good" : "refused: " + refusal;
}

int inspect(const std::string& file, bool json)
{
    // dlopen() would look for a bare name in the system's directories.
    const auto library =
        plugin::PluginLibrary::open(std::filesystem::absolute(file).lexically_normal().string());
    Facts facts = library ? factsOf((*library)->descriptor()) : Facts{};
    const std::string refusal = refusalOf(library);
    facts.emplace_back("verdict", verdictOf(refusal));
    if (json)
        std::cout << toJson(toObject(facts)) << "\n";
    else
        for (const auto& [name, value] : facts)
            std::cout << std::left << std::setw(10) << name << value << "\n";
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

int list(const config::Sources& sources, bool json)
{
    const auto loaded =
        config::Configuration::load(config::serverKeys(), sources, config::UnknownKeys::Ignore);
    const PluginNames names = PluginNames::of(*loaded.configuration);
    JsonValue::Array rows;
    for (const auto& file : filesIn(pluginDirectory(*loaded.configuration)))
    {
        const auto library = plugin::PluginLibrary::open(file.string());
        const std::string id = file.stem().string();
        rows.push_back(toObject({{"id", id},
                                 {"version", library ? (*library)->descriptor().version : "?"},
                                 {"use", std::string(useOf(names, id))},
                                 {"verdict", verdictOf(refusalOf(library))}}));
    }
    if (!json)
        std::cout << table(
            {{"ID", "id"}, {"VERSION", "version"}, {"USE", "use"}, {"VERDICT", "verdict"}}, rows);
    for (std::size_t i = 0; json && i < rows.size(); ++i)
        std::cout << toJson(rows[i]) << "\n";
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
        return list(given->sources, given->options.has("json"));
    if (words.size() == 2 && words[0] == "inspect")
        return inspect(words[1], given->options.has("json"));
    return usageError("plugin needs list, or inspect and a file");
}

} // namespace octostore::program
