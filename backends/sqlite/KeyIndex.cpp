// SPDX-License-Identifier: MIT
#include "KeyIndex.h"

#include <algorithm>

namespace octostore::sqlite
{

using backend::Collection;
using backend::Key;

KeyTable& KeyIndex::places(Collection collection)
{
    return _places[static_cast<std::size_t>(collection)];
}

const KeyTable& KeyIndex::places(Collection collection) const
{
    return _places[static_cast<std::size_t>(collection)];
}

std::int64_t& KeyIndex::lastRow(Collection collection)
{
    return collection == Collection::Lease ? _lastLeaseRow : _lastRecordRow;
}

std::optional<Place> KeyIndex::find(const Key& key) const
{
    return places(key.collection).find(key.name);
}

void KeyIndex::reserve(Collection collection, std::size_t count)
{
    places(collection).reserve(count);
}

bool KeyIndex::restore(const Key& key, Place place)
{
    lastRow(key.collection) = std::max(lastRow(key.collection), place.row);
    return !places(key.collection).put(key.name, place);
}

void KeyIndex::put(const Key& key, Place place)
{
    _changes.push_back({key, places(key.collection).put(key.name, place)});
}

void KeyIndex::erase(const Key& key)
{
    if (const std::optional<Place> before = places(key.collection).erase(key.name))
        _changes.push_back({key, before});
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
            places(change->key.collection).put(change->key.name, *change->before);
        else
            places(change->key.collection).erase(change->key.name);
    }
    _changes.clear();
}

} // namespace octostore::sqlite
