// SPDX-License-Identifier: MIT
/// @file
/// Reads and trims the journal beside the committer.
#pragma once

#include "Database.h"
#include "Loss.h"
#include "Options.h"
#include "StoreFiles.h"
#include "Turn.h"

#include <octostore/base/Mutex.h>
#include <octostore/base/Result.h>
#include <octostore/event/Event.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace octostore::sqlite
{

/// Has connections of its own, opened when first needed and anew after an error. No read stays open
/// between two calls: it would keep the write-ahead log from starting anew.
/// Thread-safety: thread-safe; calls block for as long as the database takes.
class Journal
{
public:
    /// What it is given must outlive it.
    Journal(const Options& options, const StoreFiles& files, Turn& turn, Loss& loss);
    ~Journal();

    /// Errors: Unavailable, Corrupt.
    Result<std::vector<event::Event>> events(Sequence after, std::size_t limit)
        OCTOSTORE_EXCLUDES(_mutex);
    /// In small transactions, between which the committer has its turn. After an error some may be
    /// gone already; call again. Errors: Unavailable, Corrupt.
    Result<void> trim(Sequence upTo) OCTOSTORE_EXCLUDES(_turn);

private:
    struct Page;
    Result<Page> readPage(Sequence after, std::size_t limit) OCTOSTORE_EXCLUDES(_mutex);
    Result<Database*> connect(std::unique_ptr<Database>& connection);
    /// Forgets some of the oldest events; how many were forgotten.
    Result<std::size_t> trimSlice(Sequence upTo) OCTOSTORE_REQUIRES(_turn);

    const Options& _options;
    const StoreFiles& _files;
    Turn& _turn;
    Loss& _loss;
    Mutex _mutex;
    std::unique_ptr<Database> _reader OCTOSTORE_GUARDED_BY(_mutex);
    std::unique_ptr<Database> _trimmer OCTOSTORE_GUARDED_BY(_turn);
};

} // namespace octostore::sqlite
