// SPDX-License-Identifier: MIT
/// @file
/// Writes one batch of transactions at a time and finds out what became of it.
#pragma once

#include "Database.h"
#include "KeyIndex.h"
#include "Options.h"
#include "StoreFiles.h"
#include "Tables.h"

#include <octostore/backend/Backend.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace octostore::sqlite
{

/// What became of a batch.
struct Ending
{
    enum class Kind
    {
        Committed,
        Unchanged, ///< nothing of it is in the database, nor will be
        Unknown,   ///< call settle()
    };
    Kind kind = Kind::Committed;
    std::optional<Error> error; ///< why it was not committed
};

/// The one that writes records. Conditions are judged against the keys in memory, which include
/// earlier transactions of the same batch; that is why all outcomes of a batch stand or fall with
/// it. Revisions and batch numbers are never used twice, not even by batches that failed.
/// Thread-safety: thread-affine(committer), load() before it.
class Writer
{
public:
    /// `files` and what `options` refers to must outlive this object.
    /// Errors: Configuration, Unavailable, Corrupt.
    static Result<std::unique_ptr<Writer>> open(const Options& options, StoreFiles& files);
    ~Writer();

    /// Gives every record to `sink` and returns the last revision. Everything given is durable,
    /// even what a killed server wrote but never synced. Errors: Unavailable, Corrupt.
    Result<Revision> load(const backend::RecordSink& sink);

    /// Errors: Unavailable, Corrupt; nothing has changed.
    Result<void> begin();
    /// Judges and writes. The outcome holds only if commit() says Committed.
    /// Errors: Unavailable, Corrupt; call abandon().
    Result<backend::Outcome> apply(backend::Transaction transaction);
    Ending commit();
    Ending abandon(Error error);

    /// After Unknown: closes and opens the connection, makes whatever is in the log durable, and
    /// tells whether the batch is in the database. Until it succeeds nothing else may be called.
    /// Errors: Unavailable (try again later), Corrupt.
    Result<bool> settle();

    /// The committed records; monostate at version 0 for what is not there.
    /// Errors: Unavailable, Corrupt.
    Result<std::vector<backend::Record>> read(const std::vector<backend::Key>& keys);
    /// Of the last transaction that is known to be committed.
    Revision committedRevision() const noexcept { return _committedRevision; }

    /// Pages in the write-ahead log after the last commit.
    std::uint32_t logPages() const noexcept { return _logPages; }
    /// Copies what is left of the log, if nobody else is copying. Returns the pages copied so far.
    std::uint32_t copyLog();

private:
    Writer(const Options& options, StoreFiles& files);
    void reserveIndex();
    Result<void> connect(Database::Mode mode);
    void disconnect() noexcept;
    int failPoint(std::string_view step);
    bool holds(const backend::Condition& condition) const;
    Result<backend::Record> recordOf(const backend::Key& key);
    int write(backend::Transaction& transaction, Revision revision);
    int put(backend::Put& put, Revision revision);
    /// True when no transaction is open any more.
    bool rollBack() noexcept;
    int makeFence(BatchRow stored);
    void keep();

    const Options& _options;
    StoreFiles& _files;
    std::unique_ptr<Database> _database;
    std::unique_ptr<Tables> _tables; // after _database: finalised first
    KeyIndex _index;
    std::uint64_t _batch = 0; // number of the batch being written, or of the last one
    std::uint64_t _fence = 0;
    Revision _revision; // the last one given out
    Revision _committedRevision;
    bool _changed = false; // by the batch being written
    std::uint32_t _logPages = 0;
};

} // namespace octostore::sqlite
