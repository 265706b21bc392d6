// SPDX-License-Identifier: MIT
#include "KeyIndex.h"

#include <algorithm>

namespace octostore::sqlite
{

using backend::Collection;
using backend::Key;

KeyIndex::Places& KeyIndex::places(Collection collection)
{
    return _places[static_cast<std::size_t>(collection)];
}

const KeyIndex::Places& KeyIndex::places(Collection collection) const
{
    return _places[static_cast<std::size_t>(collection)];
}

std::int64_t& KeyIndex::lastRow(Collection collection)
{
    return collection == Collection::Lease ? _lastLeaseRow : _lastRecordRow;
}

std::optional<Place> KeyIndex::find(const Key& key) const
{
    const Places& all = places(key.collection);
    const auto found = all.find(key.name);
    return found == all.end() ? std::nullopt : std::optional(found->second);
}

void KeyIndex::reserve(Collection collection, std::size_t count)
{
    places(collection).reserve(count);
}

bool KeyIndex::restore(const Key& key, Place place)
{
    lastRow(key.collection) = std::max(lastRow(key.collection), place.row);
    return places(key.collection).try_emplace(key.name, place).second;
}

void KeyIndex::put(const Key& key, Place place)
{
    const auto [entry, isNew] = places(key.collection).try_emplace(key.name, place);
    _changes.push_back({key, isNew ? std::nullopt : std::optional(entry->second)});
    entry->second = place;
}

void KeyIndex::erase(const Key& key)
{
    Places& all = places(key.collection);
    const auto found = all.find(key.name);
    if (found == all.end())
        return;
    _changes.push_back({key, found->second});
    all.erase(found);
}

std::int64_t KeyIndex::newRow(Collection collection)
{
    return ++lastRow(collection);
}

void KeyIndex::undo()
{
    for (auto change = _changes.rbegin(); change != _changes.rend(); ++change)
    {
        if (change->before)
            places(change->key.collection).insert_or_assign(change->key.name, *change->before);
        else
            places(change->key.collection).erase(change->key.name);
    }
    _changes.clear();
}

} // namespace octostore::sqlite
