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
/// Thread-safety: thread-affine(the program's main thread), but states() and countError(): any
/// thread.
class OCTOSTORE_API PluginHost final : public PluginStates
{
public:
    struct Options
    {
        std::string directory;             ///< where `<name>.so` lies
        std::vector<std::string> required; ///< without these the server does not start
    };
    /// One mistake that a plugin found in a configuration.
    struct Complaint
    {
        std::string plugin;
        std::string message; ///< `key: what is wrong`, unless it is about no key
    };

    /// `registry` must outlive this object.
    PluginHost(Options options, ExtensionRegistry& registry, Logger logger);
    /// Calls clear().
    ~PluginHost() override;

    /// Loads the files of `names` and makes their objects. A plugin that fails here or later is
    /// logged and left out, with those that require it; states() tells all of them. Errors: that of
    /// the first plugin that failed and is required; then the caller stops.
    Result<void> load(const std::vector<std::string>& names);
    /// The configuration keys that the loaded plugins declare.
    std::vector<config::Key> keys() const;
    /// What the loaded plugins say about a configuration.
    std::vector<Complaint> check(const config::View& configuration) const;
    /// Gives every loaded plugin of `names` its configuration. `common` is what each of them gets,
    /// with a logger of its own; what it refers to must outlive this object. Errors: as load().
    Result<void> configure(const std::vector<std::string>& names, const Context& common);
    /// Starts every configured plugin of `names` as the next group. Errors: as load().
    Result<void> start(const std::vector<std::string>& names);

    /// Gives `next` to every plugin that runs. Errors: the first one's; then those asked before
    /// have been given `current` again.
    Result<void> reload(const config::View& next, const config::View& current);

    /// Tells every plugin that runs that the server is about to stop, in reverse order.
    void drain();
    /// Stops the latest group in reverse order.
    void stop();
    /// Stops what still runs, then destroys every plugin in reverse order; call it while what
    /// their contexts refer to still lives. Their code stays loaded.
    void clear();

    std::vector<PluginState> states() const noexcept override OCTOSTORE_EXCLUDES(_mutex);
    /// Code of the plugin `id` threw or failed where the caller went on. Any thread.
    void countError(std::string_view id) noexcept OCTOSTORE_EXCLUDES(_mutex);

private:
    struct Loaded
    {
        std::string id;
        std::unique_ptr<PluginLibrary> library;
        std::unique_ptr<Context> context;
        std::unique_ptr<Plugin> plugin;
        State state = State::Described;
        std::size_t group = 0;
    };
    using Step = Result<void> (PluginHost::*)(Loaded&);

    /// Takes each of `group` a step further; the first error of a required one.
    Result<void> each(const std::vector<Loaded*>& group, Step step);
    std::vector<Loaded*> inState(const std::vector<std::string>& names, State state) const;
    Result<void> loadOne(Loaded& loaded);
    Result<void> configureOne(Loaded& loaded);
    Result<void> startOne(Loaded& loaded);
    Result<void> requirementsMet(const Loaded& loaded) const;
    bool isRequired(std::string_view id) const;
    void fail(Loaded& loaded, const Error& error);
    void setState(Loaded& loaded, State state, const std::string& reason = {})
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
