// SPDX-License-Identifier: MIT
#include <octostore/plugin/Plugin.h>

namespace octostore::plugin
{

void ExtensionRegistry::add(std::string_view point, std::string_view plugin, void* extension)
{
    auto found = _points.find(point);
    if (found == _points.end())
        found = _points.emplace(std::string(point), std::vector<Entry>{}).first;
    found->second.push_back({std::string(plugin), extension});
}

const std::vector<ExtensionRegistry::Entry>&
ExtensionRegistry::entries(std::string_view point) const
{
    static const std::vector<Entry> none;
    const auto found = _points.find(point);
    return found == _points.end() ? none : found->second;
}

} // namespace octostore::plugin
