// SPDX-License-Identifier: MIT
/// @file
/// A disk that does something wrong at a chosen operation, and forgets what was never synced.
#pragma once

#include "FaultPlan.h"

#include <octostore/base/Mutex.h>

#include <sqlite3.h>

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace octostore::test
{

/// Lies between SQLite and the real files. A sync only notes what is durable now; real syncs are
/// left out, because a process that is killed needs none and a power failure is only played.
/// Thread-safety: thread-safe.
class FaultDisk
{
public:
    /// Files by their path.
    using Files = std::map<std::string, std::string>;

    /// `plan` must outlive the disk. `remembers`: whether it can tell what a power failure leaves.
    explicit FaultDisk(FaultPlan& plan, bool remembers = true) : _plan(plan), _remembers(remembers)
    {
    }

    /// Forgets every file and that the power failed.
    void reset() OCTOSTORE_EXCLUDES(_mutex);
    /// What a power failure leaves: what was synced and, of what was not, each sector of 512 bytes
    /// by lot; with `torn` false none of it. At the moment the power failed, or now.
    Files afterPowerFailure(bool torn, std::uint64_t seed) OCTOSTORE_EXCLUDES(_mutex);

    // What SQLite asks for; the results are SQLite's.
    void opened(const std::string& path, sqlite3_file* real) OCTOSTORE_EXCLUDES(_mutex);
    void removed(const std::string& path) OCTOSTORE_EXCLUDES(_mutex);
    /// Whether opening a file for writing, or removing one, is refused.
    bool refuses(FaultOperation operation) OCTOSTORE_EXCLUDES(_mutex);
    int write(const std::string& path, sqlite3_file* real, const void* data, int size,
              std::int64_t offset) OCTOSTORE_EXCLUDES(_mutex);
    int truncate(const std::string& path, sqlite3_file* real, std::int64_t size)
        OCTOSTORE_EXCLUDES(_mutex);
    int sync(const std::string& path) OCTOSTORE_EXCLUDES(_mutex);

private:
    /// Since the last sync: bytes at an offset, or a new length.
    struct Change
    {
        std::int64_t offset = 0;
        std::string bytes;
        bool truncates = false;
    };
    struct File
    {
        std::string durable;
        std::vector<Change> pending;
    };

    /// The fault that strikes this operation. Ends the process where that is the fault.
    Fault strike(FaultOperation operation) OCTOSTORE_REQUIRES(_mutex);
    /// Whether a write or truncation with that fault does nothing at all.
    bool isRefused(Fault fault) const OCTOSTORE_REQUIRES(_mutex);
    void remember(const std::string& path, Change change) OCTOSTORE_REQUIRES(_mutex);
    static void apply(std::string& content, const Change& change);
    static void applySome(std::string& content, const Change& change, std::mt19937_64& random);

    FaultPlan& _plan;
    const bool _remembers;
    Mutex _mutex;
    std::map<std::string, File> _files OCTOSTORE_GUARDED_BY(_mutex);
    bool _powerFailed OCTOSTORE_GUARDED_BY(_mutex) = false;
};

} // namespace octostore::test
