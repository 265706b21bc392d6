// SPDX-License-Identifier: MIT
#include "plugin/PluginHost.h"

#include "plugin/Guarded.h"
#include "plugin/StartOrder.h"

#include <algorithm>
#include <sstream>

namespace octostore::plugin
{

PluginHost::PluginHost(Options options, ExtensionRegistry& registry, Logger logger)
    : _options(std::move(options)), _registry(registry), _logger(std::move(logger))
{
}

PluginHost::~PluginHost()
{
    clear();
}

void PluginHost::clear()
{
    while (_groups > 0)
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

Result<void> PluginHost::load(const std::vector<std::string>& names)
{
    Result<void> first;
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
        {
            MutexLock lock(_mutex);
            _states.push_back({name, {}, {}, State::Described, {}, 0});
        }
        // The others are tried all the same: who mends a configuration wants to know everything.
        if (auto loaded = each({_plugins.back().get()}, &PluginHost::loadOne); !loaded && first)
            first = loaded;
    }
    return first;
}

std::vector<config::Key> PluginHost::keys() const
{
    std::vector<config::Key> all;
    for (const auto& loaded : _plugins)
    {
        if (loaded->plugin == nullptr)
            continue;
        auto keys = guarded([&] { return loaded->plugin->keys(); });
        if (!keys)
        {
            _logger.error("a plugin does not tell its keys",
                          {{"plugin", loaded->id}, {"reason", keys.error().message}});
            continue;
        }
        all.insert(all.end(), keys->begin(), keys->end());
    }
    return all;
}

std::vector<PluginHost::Complaint> PluginHost::check(const config::View& configuration) const
{
    std::vector<Complaint> complaints;
    for (const auto& loaded : _plugins)
    {
        if (loaded->plugin == nullptr)
            continue;
        const auto checked = guarded([&] { return loaded->plugin->check(configuration); });
        if (checked)
            continue;
        std::istringstream lines(checked.error().message);
        for (std::string line; std::getline(lines, line);)
            complaints.push_back({loaded->id, line});
    }
    return complaints;
}

Result<void> PluginHost::configure(const std::vector<std::string>& names, const Context& common)
{
    const std::vector<Loaded*> group = inState(names, State::Described);
    for (Loaded* loaded : group)
    {
        loaded->context = std::make_unique<Context>(common);
        loaded->context->logger = common.logger.named(loaded->id);
    }
    return each(group, &PluginHost::configureOne);
}

Result<void> PluginHost::start(const std::vector<std::string>& names)
{
    ++_groups;
    const std::vector<Loaded*> group = inState(names, State::Configured);
    std::vector<StartNode> nodes;
    nodes.reserve(group.size());
    for (const Loaded* loaded : group)
        nodes.push_back({loaded->id, loaded->library->descriptor().required});
    std::vector<Loaded*> ordered;
    for (const std::size_t index : startOrder(nodes))
        ordered.push_back(group[index]);
    return each(ordered, &PluginHost::startOne);
}

Result<void> PluginHost::each(const std::vector<Loaded*>& group, Step step)
{
    for (Loaded* loaded : group)
    {
        const Result<void> result = (this->*step)(*loaded);
        if (result)
            continue;
        fail(*loaded, result.error());
        if (isRequired(loaded->id))
            return Error{result.error().code,
                         "plugin " + loaded->id + ": " + result.error().message};
    }
    return {};
}

std::vector<PluginHost::Loaded*> PluginHost::inState(const std::vector<std::string>& names,
                                                     State state) const
{
    std::vector<Loaded*> found;
    for (const auto& loaded : _plugins)
    {
        if (loaded->state == state &&
            std::find(names.begin(), names.end(), loaded->id) != names.end())
            found.push_back(loaded.get());
    }
    return found;
}

Result<void> PluginHost::loadOne(Loaded& loaded)
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
    if (auto named = (*library)->isNamedLike(*file); !named)
        return named;
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

Result<void> PluginHost::configureOne(Loaded& loaded)
{
    auto result = guarded([&] { return loaded.plugin->configure(*loaded.context); });
    if (result)
        setState(loaded, State::Configured);
    return result;
}

Result<void> PluginHost::requirementsMet(const Loaded& loaded) const
{
    for (const std::string& id : loaded.library->descriptor().required)
    {
        const bool runs = std::any_of(_started.begin(), _started.end(),
                                      [&](const Loaded* other) { return other->id == id; });
        if (!runs)
            return Error{ErrorCode::Configuration,
                         "needs the plugin " + id + ", which does not run"};
    }
    return {};
}

Result<void> PluginHost::startOne(Loaded& loaded)
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
    loaded.group = _groups;
    _started.push_back(&loaded);
    setState(loaded, State::Started);
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
        // What a plugin says about a configuration it does not like is no fault of the plugin.
        if (result.error().code != ErrorCode::Configuration)
            countError(_started[i]->id);
        for (std::size_t back = 0; back < i; ++back)
        {
            if (auto restored = guarded([&] { return _started[back]->plugin->reload(current); });
                !restored)
            {
                countError(_started[back]->id);
                _logger.error(
                    "a plugin did not take its old configuration back",
                    {{"plugin", _started[back]->id}, {"reason", restored.error().message}});
            }
        }
        return Error{result.error().code,
                     "plugin " + _started[i]->id + ": " + result.error().message};
    }
    return {};
}

void PluginHost::drain()
{
    for (auto loaded = _started.rbegin(); loaded != _started.rend(); ++loaded)
    {
        if (auto drained = guarded([&] { (*loaded)->plugin->drain(); }); !drained)
        {
            countError((*loaded)->id);
            _logger.error("a plugin failed to drain",
                          {{"plugin", (*loaded)->id}, {"reason", drained.error().message}});
        }
    }
}

void PluginHost::stop()
{
    while (!_started.empty() && _started.back()->group == _groups)
    {
        Loaded& last = *_started.back();
        _started.pop_back();
        if (auto stopped = guarded([&] { last.plugin->stop(); }); !stopped)
        {
            countError(last.id);
            _logger.error("a plugin failed to stop",
                          {{"plugin", last.id}, {"reason", stopped.error().message}});
        }
        setState(last, State::Stopped);
    }
    if (_groups > 0)
        --_groups;
}

void PluginHost::fail(Loaded& loaded, const Error& error)
{
    countError(loaded.id);
    setState(loaded, State::Failed, error.message);
    // A required one is the caller's to report: it is why the server does not start.
    if (!isRequired(loaded.id))
        _logger.error("a plugin failed; the server runs without it",
                      {{"plugin", loaded.id}, {"reason", error.message}});
}

void PluginHost::setState(Loaded& loaded, State state, const std::string& reason)
{
    loaded.state = state;
    MutexLock lock(_mutex);
    for (PluginState& entry : _states)
    {
        if (entry.id == loaded.id)
        {
            entry.state = state;
            entry.reason = reason;
        }
    }
}

void PluginHost::countError(std::string_view id) noexcept
{
    MutexLock lock(_mutex);
    for (PluginState& entry : _states)
        entry.errors += entry.id == id;
}

std::vector<PluginState> PluginHost::states() const noexcept
{
    MutexLock lock(_mutex);
    return _states;
}

bool PluginHost::isRequired(std::string_view id) const
{
    return std::find(_options.required.begin(), _options.required.end(), id) !=
           _options.required.end();
}

} // namespace octostore::plugin
