// SPDX-License-Identifier: MIT
#include "KeyTable.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

namespace octostore::sqlite
{

namespace
{

constexpr std::size_t capacityMin = 16;
constexpr std::size_t lengthAt = sizeof(Place);
constexpr std::size_t textAt = lengthAt + sizeof(std::uint32_t);

/// Enough that searches for what is not there stay within a few cache lines.
constexpr std::size_t capacityFor(std::size_t count)
{
    return std::max(capacityMin, count + count / 4 + 1);
}

std::uint32_t hashOf(std::string_view name)
{
    const std::uint64_t hash = std::hash<std::string_view>{}(name);
    return std::max(std::uint32_t{1}, static_cast<std::uint32_t>(hash ^ (hash >> 32U)));
}

std::unique_ptr<char[]> pack(std::string_view name, Place place)
{
    auto packed = std::make_unique<char[]>(textAt + name.size());
    const auto length = static_cast<std::uint32_t>(name.size());
    std::memcpy(packed.get(), &place, sizeof place);
    std::memcpy(packed.get() + lengthAt, &length, sizeof length);
    std::memcpy(packed.get() + textAt, name.data(), name.size());
    return packed;
}

Place placeIn(const char* packed)
{
    Place place;
    std::memcpy(&place, packed, sizeof place);
    return place;
}

std::string_view nameIn(const char* packed)
{
    std::uint32_t length = 0;
    std::memcpy(&length, packed + lengthAt, sizeof length);
    return {packed + textAt, length};
}

} // namespace

/// Hashes are spread over any number of slots, so that the table need not double when it grows.
std::size_t KeyTable::homeOf(Hash hash) const noexcept
{
    return static_cast<std::size_t>((std::uint64_t{hash} * capacity()) >> 32U);
}

std::size_t KeyTable::after(std::size_t slot) const noexcept
{
    return slot + 1 == capacity() ? 0 : slot + 1;
}

/// Steps from slot `from` to slot `to`.
std::size_t KeyTable::distance(std::size_t from, std::size_t to) const noexcept
{
    return to >= from ? to - from : to + capacity() - from;
}

/// Where `name` is, or the free slot where the search for it ended.
std::size_t KeyTable::slotOf(Hash hash, std::string_view name) const
{
    std::size_t slot = homeOf(hash);
    while (_hashes[slot] != 0 && (_hashes[slot] != hash || nameIn(_keys[slot].get()) != name))
        slot = after(slot);
    return slot;
}

std::optional<Place> KeyTable::find(std::string_view name) const
{
    if (_size == 0)
        return std::nullopt;
    const std::size_t slot = slotOf(hashOf(name), name);
    return _hashes[slot] == 0 ? std::nullopt : std::optional(placeIn(_keys[slot].get()));
}

void KeyTable::reserve(std::size_t count)
{
    if (capacityFor(count) > capacity())
        growTo(capacityFor(count));
}

std::optional<Place> KeyTable::put(std::string_view name, Place place)
{
    if (capacityFor(_size + 1) > capacity())
        growTo(capacityFor(_size + _size / 2 + 1));
    const Hash hash = hashOf(name);
    const std::size_t slot = slotOf(hash, name);
    if (_hashes[slot] != 0)
    {
        const Place before = placeIn(_keys[slot].get());
        std::memcpy(_keys[slot].get(), &place, sizeof place);
        return before;
    }
    _keys[slot] = pack(name, place);
    _hashes[slot] = hash;
    ++_size;
    return std::nullopt;
}

std::optional<Place> KeyTable::erase(std::string_view name)
{
    if (_size == 0)
        return std::nullopt;
    const std::size_t slot = slotOf(hashOf(name), name);
    if (_hashes[slot] == 0)
        return std::nullopt;
    const Place before = placeIn(_keys[slot].get());
    close(slot);
    --_size;
    return before;
}

void KeyTable::growTo(std::size_t capacity)
{
    std::vector<Hash> hashes(capacity);
    std::vector<Packed> keys(capacity);
    hashes.swap(_hashes);
    keys.swap(_keys);
    for (std::size_t old = 0; old < hashes.size(); ++old)
    {
        if (hashes[old] == 0)
            continue;
        std::size_t slot = homeOf(hashes[old]);
        while (_hashes[slot] != 0)
            slot = after(slot);
        _hashes[slot] = hashes[old];
        _keys[slot] = std::move(keys[old]);
    }
}

/// Frees `gap`, and moves into it what would no longer be found behind a free slot.
void KeyTable::close(std::size_t gap)
{
    for (std::size_t slot = after(gap); _hashes[slot] != 0; slot = after(slot))
    {
        if (distance(homeOf(_hashes[slot]), slot) < distance(gap, slot))
            continue;
        _hashes[gap] = _hashes[slot];
        _keys[gap] = std::move(_keys[slot]);
        gap = slot;
    }
    _hashes[gap] = 0;
    _keys[gap].reset();
}

} // namespace octostore::sqlite
