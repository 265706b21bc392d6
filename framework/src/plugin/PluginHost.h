// SPDX-License-Identifier: MIT
/// @file
/// Finds plugins by name and takes each of them through its life.
#pragma once

#include "plugin/PluginLibrary.h"

#include <octostore/base/Api.h>
#include <octostore/base/Log.h>
#include <octostore/base/Mutex.h>
#include <octostore/base/Result.h>
#include <octostore/plugin/Plugin.h>
#include <octostore/plugin/PluginState.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::plugin
{

/// Plugins come in groups: the backend's before the engine, the others behind it. A group stops as
/// one. Within it every plugin starts after those it requires, else in the order named.
/// Thread-safety: thread-affine(the program's main thread), but states(): any thread.
class OCTOSTORE_API PluginHost final : public PluginStates
{
public:
    struct Options
    {
        std::string directory;             ///< where `<name>.so` lies
        std::vector<std::string> required; ///< without these the server does not start
    };

    /// `registry` must outlive this object.
    PluginHost(Options options, ExtensionRegistry& registry, Logger logger);
    /// Stops what still runs, then destroys the plugins in reverse order.
    ~PluginHost() override;

    /// Loads, configures and starts `names` as the next group. `common` is what each of them gets,
    /// with a logger of its own; what it refers to must outlive this object. A plugin that fails is
    /// logged and left out, with those that require it. Errors: that of the first plugin that
    /// failed and is required; then the caller stops.
    Result<void> run(const std::vector<std::string>& names, const Context& common);

    /// Gives `next` to every plugin that runs. Errors: the first one's; then those asked before
    /// have been given `current` again.
    Result<void> reload(const config::View& next, const config::View& current);

    /// Stops the latest group that still runs, in reverse order.
    void stop();

    std::vector<PluginState> states() const override OCTOSTORE_EXCLUDES(_mutex);

private:
    struct Loaded
    {
        std::string id;
        std::unique_ptr<PluginLibrary> library;
        std::unique_ptr<Context> context;
        std::unique_ptr<Plugin> plugin;
        std::size_t group = 0;
    };

    Result<void> load(Loaded& loaded);
    Result<void> configure(Loaded& loaded, const Context& common);
    Result<void> start(Loaded& loaded);
    Result<void> requirementsMet(const Loaded& loaded) const;
    bool isStarted(std::string_view id) const;
    bool isRequired(std::string_view id) const;
    std::vector<Loaded*> addGroup(const std::vector<std::string>& names);
    void fail(Loaded& loaded, const Error& error);
    void setState(std::string_view id, State state, std::string reason = {})
        OCTOSTORE_EXCLUDES(_mutex);

    const Options _options;
    ExtensionRegistry& _registry;
    const Logger _logger;

    std::vector<std::unique_ptr<Loaded>> _plugins; // in the order named
    std::vector<Loaded*> _started;                 // in the order started
    std::size_t _groups = 0;

    mutable Mutex _mutex;
    std::vector<PluginState> _states OCTOSTORE_GUARDED_BY(_mutex);
};

} // namespace octostore::plugin
