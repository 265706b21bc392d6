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
#include <set>
#include <system_error>
#include <utility>

namespace octostore::program
{

namespace
{

const std::vector<Option> ownPluginOptions = {{"json", 0, "", "JSON instead of text"},
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
std::string refusalOf(const std::string& file,
                      const Result<std::unique_ptr<plugin::PluginLibrary>>& library)
{
    if (!library)
        return library.error().message;
    if (auto compatible = (*library)->compatible(); !compatible)
        return compatible.error().message;
    if (auto named = (*library)->isNamedLike(file); !named)
        return named.error().message;
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
    const std::string path = std::filesystem::absolute(file).lexically_normal().string();
    const auto library = plugin::PluginLibrary::open(path);
    Facts facts = library ? factsOf((*library)->descriptor()) : Facts{};
    const std::string refusal = refusalOf(path, library);
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

/// Those that are there, and those that should be.
std::set<std::string> idsIn(const std::string& directory, const PluginNames& names)
{
    std::set<std::string> ids{names.backend};
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(directory, failed))
    {
        if (entry.path().extension() == ".so")
            ids.insert(entry.path().stem().string());
    }
    for (const std::string& name : names.behindTheEngine())
        ids.insert(name);
    return ids;
}

int list(const config::Sources& sources, bool json)
{
    const auto loaded =
        config::Configuration::load(config::serverKeys(), sources, config::UnknownKeys::Ignore);
    const PluginNames names = PluginNames::of(*loaded.configuration);
    const std::string directory = pluginDirectory(*loaded.configuration);
    JsonValue::Array rows;
    bool good = true;
    for (const std::string& id : idsIn(directory, names))
    {
        // As the server does: a name that is none leads to no file.
        const auto file = plugin::pluginFile(directory, id);
        const auto library = file ? plugin::PluginLibrary::open(*file) : file.error();
        const std::string refusal = refusalOf(file ? *file : id, library);
        good = good && (refusal.empty() || useOf(names, id) == "-");
        rows.push_back(toObject({{"id", id},
                                 {"version", library ? (*library)->descriptor().version : "?"},
                                 {"use", std::string(useOf(names, id))},
                                 {"verdict", verdictOf(refusal)}}));
    }
    if (!json)
        std::cout << table(
            {{"ID", "id"}, {"VERSION", "version"}, {"USE", "use"}, {"VERDICT", "verdict"}}, rows);
    for (std::size_t i = 0; json && i < rows.size(); ++i)
        std::cout << toJson(rows[i]) << "\n";
    return good ? ExitOk : ExitFailure;
}

} // namespace

std::vector<Option> pluginOptions()
{
    return withServerOptions(ownPluginOptions);
}

int pluginCommand(const Words& arguments)
{
    auto given = readServerOptions(arguments, ownPluginOptions);
    if (!given)
        return usageError(given.error().message, "plugin");
    if (given->options.has("help"))
    {
        std::cout << "Plugins.\n\nUsage: octostore plugin list|inspect FILE [OPTIONS]\n\n"
                     "list           those in the plugin directory: id, version, use, verdict;\n"
                     "               fails when one that is used or enabled is refused\n"
                     "inspect FILE   what one says of itself and whether it would be loaded\n\n"
                  << Options::describe(pluginOptions());
        return ExitOk;
    }
    const Words& words = given->options.arguments();
    if (words.size() == 1 && words[0] == "list")
        return list(given->sources, given->options.has("json"));
    if (words.size() == 2 && words[0] == "inspect")
        return inspect(words[1], given->options.has("json"));
    return usageError("plugin needs list, or inspect and a file", "plugin");
}

} // namespace octostore::program
