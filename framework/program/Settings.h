// SPDX-License-Identifier: MIT
/// @file
/// The server's configuration together with the plugins that have keys in it.
#pragma once

#include "PluginNames.h"
#include "plugin/PluginHost.h"

#include <octostore/base/Log.h>
#include <octostore/config/Configuration.h>
#include <octostore/config/KeyTable.h>
#include <octostore/config/Sources.h>
#include <octostore/plugin/Plugin.h>

#include <memory>
#include <string>
#include <vector>

namespace octostore::program
{

/// The first look at the sources says which plugins there are; they say which keys there are; the
/// second look is the configuration.
/// Thread-safety: thread-affine(the program's main thread).
class Settings
{
public:
    using Problems = std::vector<config::Problem>;

    /// Where the log goes: as configured, or nowhere for commands that print their findings.
    enum class Log : std::uint8_t
    {
        Configured,
        Silent,
    };
    Settings(config::Sources sources, Log log);
    ~Settings();
    Settings(const Settings&) = delete;
    Settings& operator=(const Settings&) = delete;

    /// Why the sources cannot be used: keys and values, and plugins that must be there.
    const Problems& problems() const noexcept { return _problems; }
    /// Plugins that are enabled and cannot be loaded; the server runs without them.
    const Problems& missing() const noexcept { return _missing; }
    /// What the plugins say of `configuration`, and what else the key table cannot know; each once.
    Problems check(const config::Configuration& configuration) const;
    /// What keeps the server from starting: problems() and check(); none: go on.
    Problems reasonsNotToStart() const;
    const Problems& warnings() const noexcept { return _warnings; }
    /// Of the start. It never changes and lives as long as this object.
    const config::Configuration& initial() const noexcept { return *_initial; }
    const config::Configuration& current() const noexcept
    {
        return _adopted != nullptr ? *_adopted : *_initial;
    }
    const config::KeyTable& keys() const noexcept { return _keys; }
    const PluginNames& names() const noexcept { return _names; }
    plugin::ExtensionRegistry& registry() noexcept { return _registry; }
    plugin::PluginHost& plugins() noexcept { return *_plugins; }
    LogSink& log() noexcept { return *_log; }

    /// Reads the sources again; changes nothing. Its problems have those of check() among them.
    config::LoadedConfiguration readAgain() const;
    /// Makes `next` the current configuration; the one before it may still be referred to until
    /// the next call.
    void adopt(std::unique_ptr<config::Configuration> next);

private:
    config::LoadedConfiguration load() const;
    void loadPlugins(const config::Configuration& look);
    void addMissingRequirements(const config::Configuration& look);

    const config::Sources _sources;
    config::KeyTable _keys = config::serverKeys();
    config::UnknownKeys _unknownKeys = config::UnknownKeys::Refuse;
    PluginNames _names;
    std::shared_ptr<LogSink> _log;
    std::unique_ptr<config::Configuration> _initial;
    std::unique_ptr<config::Configuration> _adopted;
    std::unique_ptr<config::Configuration> _before;
    plugin::ExtensionRegistry _registry;
    std::unique_ptr<plugin::PluginHost> _plugins;
    Problems _problems;
    Problems _missing;
    Problems _warnings;
};

} // namespace octostore::program
