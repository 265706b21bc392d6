// SPDX-License-Identifier: MIT
#include "Settings.h"

#include "Logging.h"

#include <algorithm>
#include <utility>

namespace octostore::program
{

Settings::Settings(config::Sources sources, Log log) : _sources(std::move(sources))
{
    // What is wrong is reported by the second look; until then such keys have their defaults.
    auto first = config::Configuration::load(_keys, _sources, config::UnknownKeys::Ignore);
    const config::Configuration& look = *first.configuration;
    _names = PluginNames::of(look);
    _log = log == Log::Configured ? openLog(look) : LogSink::open(LogFormat::Text, LogLevel::Off);
    _plugins = std::make_unique<plugin::PluginHost>(
        plugin::PluginHost::Options{pluginDirectory(look), _names.required}, _registry,
        _log->logger("plugins"));

    std::vector<std::string> all = _names.behindTheEngine();
    all.insert(all.begin(), _names.backend);
    if (auto loaded = _plugins->load(all); !loaded)
        _problems.push_back({"plugins", 0, "", loaded.error().message});
    if (auto added = _keys.add(_plugins->keys()); !added)
        _problems.push_back({"plugins", 0, "", added.error().message});
    // A plugin that could not be loaded could not tell its keys; then they are no mistakes.
    const auto states = _plugins->states();
    const bool allTold =
        std::none_of(states.begin(), states.end(),
                     [](const auto& entry) { return entry.state == plugin::State::Failed; });
    _unknownKeys = allTold ? config::UnknownKeys::Refuse : config::UnknownKeys::Ignore;

    auto second = readAgain();
    _initial = std::move(second.configuration);
    _problems.insert(_problems.end(), second.problems.begin(), second.problems.end());
    _warnings = std::move(second.warnings);
    if (log == Log::Configured)
        _log->setLevel(logLevelOf(*_initial));
}

Settings::~Settings() = default;

config::LoadedConfiguration Settings::readAgain() const
{
    return config::Configuration::load(_keys, _sources, _unknownKeys);
}

void Settings::adopt(std::unique_ptr<config::Configuration> next)
{
    _before = std::exchange(_adopted, std::move(next));
}

} // namespace octostore::program
