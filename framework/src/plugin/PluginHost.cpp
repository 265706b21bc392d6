// SPDX-License-Identifier: MIT
#include "plugin/PluginHost.h"

#include "plugin/Guarded.h"
#include "plugin/StartOrder.h"

#include <algorithm>

namespace octostore::plugin
{

PluginHost::PluginHost(Options options, ExtensionRegistry& registry, Logger logger)
    : _options(std::move(options)), _registry(registry), _logger(std::move(logger))
{
}

PluginHost::~PluginHost()
{
    while (!_started.empty())
        stop();
    while (!_plugins.empty())
    {
        Loaded& last = *_plugins.back();
        if (auto destroyed = guarded([&] { last.plugin.reset(); }); !destroyed)
            _logger.error("a plugin's destructor failed",
                          {{"plugin", last.id}, {"reason", destroyed.error().message}});
        _plugins.pop_back();
    }
}

Result<void> PluginHost::run(const std::vector<std::string>& names, const Context& common)
{
    std::vector<Loaded*> group = addGroup(names);
    std::vector<StartNode> nodes;
    Result<void> outcome;
    const auto step = [&](Loaded& loaded, const Result<void>& result)
    {
        if (result)
            return true;
        fail(loaded, result.error());
        if (outcome && isRequired(loaded.id))
            outcome =
                Error{result.error().code, "plugin " + loaded.id + ": " + result.error().message};
        return false;
    };

    std::erase_if(group, [&](Loaded* loaded) { return !step(*loaded, load(*loaded)); });
    std::erase_if(group,
                  [&](Loaded* loaded) { return !step(*loaded, configure(*loaded, common)); });
    for (const Loaded* loaded : group)
        nodes.push_back({loaded->id, loaded->library->descriptor().required});
    for (const std::size_t index : startOrder(nodes))
    {
        if (!outcome)
            break;
        step(*group[index], start(*group[index]));
    }
    return outcome;
}

std::vector<PluginHost::Loaded*> PluginHost::addGroup(const std::vector<std::string>& names)
{
    ++_groups;
    std::vector<Loaded*> group;
    for (const std::string& name : names)
    {
        const bool known = std::any_of(_plugins.begin(), _plugins.end(),
                                       [&](const auto& other) { return other->id == name; });
        if (known)
        {
            _logger.warning("a plugin is named twice; it is loaded once", {{"plugin", name}});
            continue;
        }
        _plugins.push_back(std::make_unique<Loaded>());
        _plugins.back()->id = name;
        _plugins.back()->group = _groups;
        group.push_back(_plugins.back().get());
        MutexLock lock(_mutex);
        _states.push_back({name, {}, {}, State::Described, {}});
    }
    return group;
}

Result<void> PluginHost::load(Loaded& loaded)
{
    auto file = pluginFile(_options.directory, loaded.id);
    if (!file)
        return file.error();
    auto library = PluginLibrary::open(*file);
    if (!library)
        return library.error();
    const Descriptor& descriptor = (*library)->descriptor();
    if (auto compatible = (*library)->compatible(); !compatible)
        return compatible;
    if (descriptor.id != loaded.id)
    {
        return Error{ErrorCode::Configuration,
                     *file + " is the plugin \"" + descriptor.id + "\", not \"" + loaded.id + "\""};
    }
    auto made = (*library)->make();
    if (!made)
        return made.error();
    {
        MutexLock lock(_mutex);
        for (PluginState& state : _states)
        {
            if (state.id == loaded.id)
            {
                state.version = descriptor.version;
                state.provided = descriptor.provided;
            }
        }
    }
    loaded.library = *std::move(library);
    loaded.plugin = *std::move(made);
    return {};
}

Result<void> PluginHost::configure(Loaded& loaded, const Context& common)
{
    loaded.context = std::make_unique<Context>(common);
    loaded.context->logger = common.logger.named(loaded.id);
    auto result = guarded([&] { return loaded.plugin->configure(*loaded.context); });
    if (result)
        setState(loaded.id, State::Configured);
    return result;
}

Result<void> PluginHost::requirementsMet(const Loaded& loaded) const
{
    for (const std::string& id : loaded.library->descriptor().required)
    {
        if (!isStarted(id))
            return Error{ErrorCode::Configuration,
                         "needs the plugin " + id + ", which does not run"};
    }
    return {};
}

Result<void> PluginHost::start(Loaded& loaded)
{
    if (auto met = requirementsMet(loaded); !met)
        return met;
    const ExtensionRegistry before = _registry;
    auto result = guarded([&] { return loaded.plugin->start(_registry); });
    if (!result)
    {
        _registry = before; // nobody may find what a failed plugin offers
        return result;
    }
    _started.push_back(&loaded);
    setState(loaded.id, State::Started);
    _logger.debug("plugin started",
                  {{"plugin", loaded.id}, {"version", loaded.library->descriptor().version}});
    return result;
}

Result<void> PluginHost::reload(const config::View& next, const config::View& current)
{
    for (std::size_t i = 0; i < _started.size(); ++i)
    {
        auto result = guarded([&] { return _started[i]->plugin->reload(next); });
        if (result)
            continue;
        for (std::size_t back = 0; back < i; ++back)
        {
            if (auto restored = guarded([&] { return _started[back]->plugin->reload(current); });
                !restored)
                _logger.error(
                    "a plugin did not take its old configuration back",
                    {{"plugin", _started[back]->id}, {"reason", restored.error().message}});
        }
        return Error{result.error().code,
                     "plugin " + _started[i]->id + ": " + result.error().message};
    }
    return {};
}

void PluginHost::stop()
{
    if (_started.empty())
        return;
    const std::size_t group = _started.back()->group;
    while (!_started.empty() && _started.back()->group == group)
    {
        Loaded& last = *_started.back();
        _started.pop_back();
        if (auto stopped = guarded([&] { last.plugin->stop(); }); !stopped)
            _logger.error("a plugin failed to stop",
                          {{"plugin", last.id}, {"reason", stopped.error().message}});
        setState(last.id, State::Stopped);
    }
}

void PluginHost::fail(Loaded& loaded, const Error& error)
{
    setState(loaded.id, State::Failed, error.message);
    _logger.error(isRequired(loaded.id) ? "a required plugin failed"
                                        : "a plugin failed; the server runs without it",
                  {{"plugin", loaded.id}, {"reason", error.message}});
}

void PluginHost::setState(std::string_view id, State state, std::string reason)
{
    MutexLock lock(_mutex);
    for (PluginState& entry : _states)
    {
        if (entry.id == id)
        {
            entry.state = state;
            entry.reason = reason;
        }
    }
}

std::vector<PluginState> PluginHost::states() const
{
    MutexLock lock(_mutex);
    return _states;
}

bool PluginHost::isStarted(std::string_view id) const
{
    return std::any_of(_started.begin(), _started.end(),
                       [id](const Loaded* loaded) { return loaded->id == id; });
}

bool PluginHost::isRequired(std::string_view id) const
{
    return std::find(_options.required.begin(), _options.required.end(), id) !=
           _options.required.end();
}

} // namespace octostore::plugin
