// SPDX-License-Identifier: MIT
/// @file
/// Records and journal in memory, judged and changed one transaction at a time.
#pragma once

#include <octostore/backend/Backend.h>
#include <octostore/backend/Record.h>
#include <octostore/backend/Transaction.h>
#include <octostore/base/Mutex.h>

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace octostore::memory
{

/// What MemoryBackends write to. It outlives them, so a test can "restart" a server on it, and
/// several backends may stand on one store.
/// Thread-safety: thread-safe. Nothing blocks for longer than one copy.
class MemoryStore
{
    struct Stored
    {
        backend::Value value;
        Revision version;
    };

public:
    enum class Mode
    {
        Exclusive,
        Shared, ///< remembers every change, for the feeds of its servers
    };
    /// `remembers`: every change of an exclusive store too, for whoever watches it.
    explicit MemoryStore(Mode mode = Mode::Exclusive, bool remembers = false)
        : _mode(mode), _remembers(remembers || mode == Mode::Shared)
    {
    }
    bool isShared() const noexcept { return _mode == Mode::Shared; }

    /// Judges the conditions and, if they hold, does the rest; all or nothing.
    backend::Outcome commit(backend::Transaction transaction) OCTOSTORE_EXCLUDES(_mutex);

    /// One record per key; monostate at version 0 for what is not there.
    std::vector<backend::Record> read(const std::vector<backend::Key>& keys) const
        OCTOSTORE_EXCLUDES(_mutex);
    struct Snapshot
    {
        std::vector<backend::Record> records;
        Revision revision;
    };
    /// Every record, in the order of the keys, and the last revision.
    Snapshot snapshot() const OCTOSTORE_EXCLUDES(_mutex);
    /// Gives `sink` what snapshot() has and returns its revision; the store may change meanwhile.
    Revision load(const backend::RecordSink& sink) const OCTOSTORE_EXCLUDES(_mutex);
    /// Of the last commit; 0 before the first.
    Revision revision() const OCTOSTORE_EXCLUDES(_mutex);

    struct Changes
    {
        std::vector<backend::Record> records; ///< in the order of the commits; erased: monostate
        Revision upTo;
    };
    /// What was committed behind `after`; of a store that remembers it.
    Changes changes(Revision after) const OCTOSTORE_EXCLUDES(_mutex);

    std::vector<event::Event> events(Sequence after, std::size_t limit) const
        OCTOSTORE_EXCLUDES(_mutex);
    void trimEvents(Sequence upTo) OCTOSTORE_EXCLUDES(_mutex);

    /// All that is in it, for putBack().
    struct Image
    {
        std::map<backend::Key, Stored> records;
        std::map<Sequence, event::Draft> journal;
        Revision revision;
    };
    Image image() const OCTOSTORE_EXCLUDES(_mutex);
    /// `image` takes the place of what is there, completed as `order` says; backends on it meet
    /// another store from then on. There is no file: `order.from` and `replace` are not looked at.
    backend::RestoreReport putBack(Image image, const backend::RestoreOrder& order)
        OCTOSTORE_EXCLUDES(_mutex);

private:
    bool holds(const backend::Condition& condition) const OCTOSTORE_REQUIRES(_mutex);
    backend::Record find(const backend::Key& key) const OCTOSTORE_REQUIRES(_mutex);
    Revision apply(backend::Transaction transaction) OCTOSTORE_REQUIRES(_mutex);
    /// At the revision of now.
    void put(backend::Put record) OCTOSTORE_REQUIRES(_mutex);
    void erase(const backend::Key& key) OCTOSTORE_REQUIRES(_mutex);

    const Mode _mode;
    const bool _remembers;
    mutable Mutex _mutex;
    std::map<backend::Key, Stored> _records OCTOSTORE_GUARDED_BY(_mutex);
    std::map<Sequence, event::Draft> _journal OCTOSTORE_GUARDED_BY(_mutex);
    std::vector<backend::Record> _changes OCTOSTORE_GUARDED_BY(_mutex);
    Revision _revision OCTOSTORE_GUARDED_BY(_mutex);
};

} // namespace octostore::memory
