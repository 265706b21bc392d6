// SPDX-License-Identifier: MIT
/// @file
/// The second thread: copies the write-ahead log into the database and watches the files.
#pragma once

#include "Database.h"
#include "Loss.h"
#include "Options.h"
#include "StoreFiles.h"

#include <octostore/base/Mutex.h>

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <thread>

namespace octostore::sqlite
{

/// Copying on the committer's thread would stall commits by as long as 16 MiB take. But while the
/// committer writes, the log never is copied to its end, which it must be to start anew: the
/// committer copies the last few pages itself (mustFinish()).
/// Thread-safety: thread-safe; mustFinish() and finished() are the committer's.
class Checkpointer
{
public:
    /// What it is given must outlive it.
    Checkpointer(const Options& options, const StoreFiles& files, Loss& loss);
    ~Checkpointer();

    /// Errors: Unavailable, Corrupt.
    Result<void> open();
    void start();
    /// Returns when the copying under way is done.
    void stop() OCTOSTORE_EXCLUDES(_mutex);

    /// The log has `pages` now. True: copy what is left before the next batch, then call
    /// finished().
    bool mustFinish(std::uint32_t pages) OCTOSTORE_EXCLUDES(_mutex);
    void finished(std::uint32_t pages, std::uint32_t copied) OCTOSTORE_EXCLUDES(_mutex);

private:
    void run() noexcept;
    /// Waits until there is something to copy or to watch. False: stop.
    bool waitForWork() OCTOSTORE_EXCLUDES(_mutex);
    bool worthCopying() const OCTOSTORE_REQUIRES(_mutex);
    void copy() OCTOSTORE_EXCLUDES(_mutex);

    const Options& _options;
    const StoreFiles& _files;
    Loss& _loss;
    std::unique_ptr<Database> _database; // used by its thread only, once started
    bool _failed = false;                // the last copy(); so that the log says it once
    std::thread _thread;

    Mutex _mutex;
    std::condition_variable _wake;
    bool _stopping OCTOSTORE_GUARDED_BY(_mutex) = false;
    std::uint32_t _pages OCTOSTORE_GUARDED_BY(_mutex) = 0;  // in the log
    std::uint32_t _copied OCTOSTORE_GUARDED_BY(_mutex) = 0; // of these
    std::uint32_t _tryAt OCTOSTORE_GUARDED_BY(_mutex) = 0;  // not before the log has so many
};

} // namespace octostore::sqlite
