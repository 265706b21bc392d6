// SPDX-License-Identifier: MIT
/// @file
/// Row and version by name, in as few bytes as a million names ask for.
#pragma once

#include <octostore/base/Id.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace octostore::sqlite
{

struct Place
{
    std::int64_t row = 0;
    Revision version;
};

/// A hash table with open addressing: 15 to 24 bytes for each name, and one piece of memory with
/// its place, its length and its text. A map of strings takes 50 bytes more. Names are compared
/// whole, so two that have the same hash are merely slower.
/// Thread-safety: thread-compatible.
class KeyTable
{
public:
    /// Nothing when `name` is not there.
    std::optional<Place> find(std::string_view name) const;
    /// Makes room for `count` names in all.
    void reserve(std::size_t count);
    /// Gives `name` this place and returns the one it had.
    std::optional<Place> put(std::string_view name, Place place);
    /// Takes `name` out and returns the place it had.
    std::optional<Place> erase(std::string_view name);
    std::size_t size() const noexcept { return _size; }

private:
    using Hash = std::uint32_t;
    /// Place, length and text.
    using Packed = std::unique_ptr<char[]>;

    std::size_t capacity() const noexcept { return _hashes.size(); }
    std::size_t homeOf(Hash hash) const noexcept;
    std::size_t after(std::size_t slot) const noexcept;
    std::size_t distance(std::size_t from, std::size_t to) const noexcept;
    std::size_t slotOf(Hash hash, std::string_view name) const;
    void growTo(std::size_t capacity);
    void close(std::size_t gap);

    // Two arrays, as one would have four bytes of padding in each slot. At least one slot is free.
    std::vector<Hash> _hashes; // 0: the slot is free
    std::vector<Packed> _keys;
    std::size_t _size = 0;
};

} // namespace octostore::sqlite
