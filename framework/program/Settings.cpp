// SPDX-License-Identifier: MIT
#include "Settings.h"

#include "Logging.h"

#include <octostore/http/BindAddress.h>

#include <algorithm>
#include <utility>

namespace octostore::program
{

namespace
{

bool has(const std::vector<std::string>& names, const std::string& name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// Where `key` was set, as a problem's place; `unset` if nobody did.
std::string placeOf(const config::Configuration& configuration, std::string_view key,
                    const std::string& unset)
{
    return configuration.isSet(key) ? configuration.origin(key).place : unset;
}

/// A complaint begins with the key it is about; then it is shown where that key was set.
config::Problem problemOf(const plugin::PluginHost::Complaint& complaint,
                          const config::Configuration& configuration, const config::KeyTable& keys)
{
    const std::string& message = complaint.message;
    const std::string plugin = "plugin " + complaint.plugin;
    const std::size_t end = std::min(message.find_first_of(": "), message.size());
    const std::string key = message.substr(0, end);
    if (keys.find(key) == nullptr)
        return {plugin, 0, "", message};
    const std::string place = placeOf(configuration, key, plugin);
    if (message.compare(end, 2, ": ") == 0)
        return {place, 0, key, message.substr(end + 2)};
    return {place, 0, "", message};
}

/// Two plugins that read the same key find the same mistake.
void addOnce(Settings::Problems& problems, config::Problem problem)
{
    const std::string text = problem.toString();
    if (std::none_of(problems.begin(), problems.end(),
                     [&](const auto& other) { return other.toString() == text; }))
        problems.push_back(std::move(problem));
}

} // namespace

Settings::Settings(config::Sources sources, Log log) : _sources(std::move(sources))
{
    // What is wrong is reported by the second look; until then such keys have their defaults.
    auto first = config::Configuration::load(_keys, _sources, config::UnknownKeys::Ignore);
    const config::Configuration& look = *first.configuration;
    _names = PluginNames::of(look);
    _log = log == Log::Configured ? openLog(look) : LogSink::open(LogFormat::Text, LogLevel::Off);
    loadPlugins(look);
    addMissingRequirements(look);

    auto second = load();
    _initial = std::move(second.configuration);
    _problems.insert(_problems.end(), second.problems.begin(), second.problems.end());
    _warnings = std::move(second.warnings);
    if (log == Log::Configured)
        _log->setLevel(logLevelOf(*_initial));
}

Settings::~Settings() = default;

void Settings::loadPlugins(const config::Configuration& look)
{
    _plugins = std::make_unique<plugin::PluginHost>(
        plugin::PluginHost::Options{pluginDirectory(look), _names.required}, _registry,
        _log->logger("plugins"));
    std::vector<std::string> all = _names.behindTheEngine();
    all.insert(all.begin(), _names.backend);
    // Of the required ones that fail it returns the first; the states have them all.
    static_cast<void>(_plugins->load(all));
    bool allTold = true;
    for (const plugin::PluginState& state : _plugins->states())
    {
        if (state.state != plugin::State::Failed)
            continue;
        allTold = false;
        const char* key = "plugins.enabled";
        if (state.id == _names.backend)
            key = "storage.backend";
        else if (state.id == _names.transport)
            key = "http.transport";
        Problems& found = has(_names.required, state.id) ? _problems : _missing;
        found.push_back(
            {placeOf(look, key, "plugins"), 0, key, "plugin " + state.id + ": " + state.reason});
    }
    if (auto added = _keys.add(_plugins->keys()); !added)
        _problems.push_back({"plugins", 0, "", added.error().message});
    // A plugin that could not be loaded could not tell its keys; then they are no mistakes.
    _unknownKeys = allTold ? config::UnknownKeys::Refuse : config::UnknownKeys::Ignore;
}

/// The default of plugins.required speaks of those of its plugins that are enabled; what the
/// configuration itself requires must be enabled.
void Settings::addMissingRequirements(const config::Configuration& look)
{
    constexpr const char* key = "plugins.required";
    if (!look.isSet(key))
        return;
    std::vector<std::string> enabled = _names.behindTheEngine();
    enabled.push_back(_names.backend);
    for (const std::string& name : look.list(key))
    {
        if (!has(enabled, name))
            addOnce(_problems,
                    {look.origin(key).place, 0, key, "\"" + name + "\" is not in plugins.enabled"});
    }
}

Settings::Problems Settings::check(const config::Configuration& configuration) const
{
    Problems problems;
    const std::string bind = configuration.text("server.bind");
    if (const auto address = http::BindAddress::parse(bind); !address)
        problems.push_back({placeOf(configuration, "server.bind", "default"), 0, "server.bind",
                            address.error().message});
    for (const auto& complaint : _plugins->check(configuration))
        addOnce(problems, problemOf(complaint, configuration, _keys));
    return problems;
}

Settings::Problems Settings::reasonsNotToStart() const
{
    Problems all = _problems;
    for (config::Problem& problem : check(*_initial))
        addOnce(all, std::move(problem));
    return all;
}

config::LoadedConfiguration Settings::load() const
{
    return config::Configuration::load(_keys, _sources, _unknownKeys);
}

config::LoadedConfiguration Settings::readAgain() const
{
    auto read = load();
    for (config::Problem& problem : check(*read.configuration))
        addOnce(read.problems, std::move(problem));
    return read;
}

void Settings::adopt(std::unique_ptr<config::Configuration> next)
{
    _before = std::exchange(_adopted, std::move(next));
}

} // namespace octostore::program
