// SPDX-License-Identifier: MIT
#include "config/Loader.h"
#include "config/ValueText.h"

#include <octostore/base/Assert.h>
#include <octostore/config/Configuration.h>

#include <algorithm>

namespace octostore::config
{

namespace
{

bool isText(KeyType type) noexcept
{
    return type == KeyType::Text || type == KeyType::Path || type == KeyType::Secret;
}

std::string shown(const Key& key, const std::string& written)
{
    return key.type == KeyType::Secret && !written.empty() ? "***" : written;
}

} // namespace

LoadedConfiguration Configuration::load(const KeyTable& table, const Sources& sources,
                                        UnknownKeys unknownKeys)
{
    return Loader(table, sources, unknownKeys).load();
}

const Key& Configuration::row(std::string_view key) const
{
    const Key* found = _table.find(key);
    OCTOSTORE_ASSERT(found != nullptr);
    return *found;
}

Configuration::Value Configuration::value(std::string_view name, KeyType type) const
{
    const Key& key = row(name);
    OCTOSTORE_ASSERT(key.type == type || (isText(key.type) && isText(type)));
    if (const auto found = _set.find(name); found != _set.end())
        return found->second;
    if (key.defaultValue.empty())
        return {};
    const auto parsed =
        parseValue(key, key.defaultValue); // KeyTable::add() has seen that it can be
    return {parsed->text, parsed->number, parsed->elements, {}};
}

std::string Configuration::text(std::string_view key) const
{
    return value(key, KeyType::Text).written;
}

bool Configuration::boolean(std::string_view key) const
{
    return value(key, KeyType::Boolean).number != 0;
}

std::uint64_t Configuration::integer(std::string_view key) const
{
    return value(key, KeyType::Integer).number;
}

Milliseconds Configuration::duration(std::string_view key) const
{
    return Milliseconds(value(key, KeyType::Duration).number);
}

std::uint64_t Configuration::bytes(std::string_view key) const
{
    return value(key, KeyType::Size).number;
}

std::vector<std::string> Configuration::list(std::string_view key) const
{
    return value(key, KeyType::List).elements;
}

bool Configuration::isSet(std::string_view key) const
{
    row(key); // asserts
    return _set.find(key) != _set.end();
}

std::vector<std::string> Configuration::names(std::string_view family) const
{
    std::vector<std::string> found;
    const std::string prefix = std::string(family) + ".*.";
    bool isKnown = false;
    for (const Key& key : _table.keys())
    {
        if (key.name.compare(0, prefix.size(), prefix) != 0)
            continue;
        isKnown = true;
        for (const auto& [name, value] : _set)
        {
            if (_table.find(name) == &key)
                found.emplace_back(*memberName(key, name));
        }
    }
    OCTOSTORE_ASSERT(isKnown);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

Origin Configuration::origin(std::string_view key) const
{
    row(key); // asserts
    const auto found = _set.find(key);
    return found != _set.end() ? found->second.origin : Origin();
}

std::vector<Entry> Configuration::entries() const
{
    std::vector<Entry> entries;
    for (const Key& key : _table.keys())
    {
        if (!isFamily(key))
        {
            const auto found = _set.find(key.name);
            const std::string& written =
                found != _set.end() ? found->second.written : key.defaultValue;
            entries.push_back({key.name, shown(key, written), origin(key.name), key.reload});
            continue;
        }
        for (const auto& [name, value] : _set)
        {
            if (_table.find(name) == &key)
                entries.push_back({name, shown(key, value.written), value.origin, key.reload});
        }
    }
    return entries;
}

std::vector<std::string> Configuration::changedFrom(const Configuration& previous) const
{
    const auto written = [](const Configuration& from, const std::string& name)
    {
        const auto found = from._set.find(name);
        if (found != from._set.end())
            return found->second.written;
        const Key* key = from._table.find(name);
        return key != nullptr ? key->defaultValue : std::string();
    };
    std::vector<std::string> changed;
    for (const auto* values : {&_set, &previous._set})
    {
        for (const auto& entry : *values)
        {
            if (written(*this, entry.first) != written(previous, entry.first))
                changed.push_back(entry.first);
        }
    }
    std::sort(changed.begin(), changed.end());
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
    return changed;
}

} // namespace octostore::config
