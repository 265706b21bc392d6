// SPDX-License-Identifier: MIT
/// @file
/// Which row and version every key has; what conditions are judged against.
#pragma once

#include "KeyTable.h"

#include <octostore/backend/Record.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace octostore::sqlite
{

/// Includes the changes of the batch that is being written; they stay when it is committed and are
/// undone when it is not. Rows are never used twice.
/// Thread-safety: thread-compatible.
class KeyIndex
{
public:
    /// Nothing when there is no such record.
    std::optional<Place> find(const backend::Key& key) const;
    /// Makes room for `count` records of `collection`.
    void reserve(backend::Collection collection, std::size_t count);
    /// At load: not undone. False when the key is there already.
    [[nodiscard]] bool restore(const backend::Key& key, Place place);

    void put(const backend::Key& key, Place place);
    void erase(const backend::Key& key);
    /// The next row of the table that `collection` is in.
    std::int64_t newRow(backend::Collection collection);

    /// The changes since the last keep() or undo() are there to stay.
    void keep() { _changes.clear(); }
    void undo();

private:
    struct Change
    {
        backend::Key key;
        std::optional<Place> before;
    };

    KeyTable& places(backend::Collection collection);
    const KeyTable& places(backend::Collection collection) const;
    std::int64_t& lastRow(backend::Collection collection);

    // A table for each collection: its key is then the name alone.
    std::array<KeyTable, static_cast<std::size_t>(backend::Collection::Meta) + 1> _places;
    std::vector<Change> _changes;
    std::int64_t _lastLeaseRow = 0;
    std::int64_t _lastRecordRow = 0;
};

} // namespace octostore::sqlite
