// SPDX-License-Identifier: MIT
/// @file
/// The path of the database, the lock that keeps other servers out, and whether both are still the
/// files this server opened.
#pragma once

#include <octostore/base/Result.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace octostore::sqlite
{

/// Holds flock() on `<path>.lock` while it lives. Never opens the database file: closing any
/// descriptor of it would drop the locks SQLite has on it.
/// Thread-safety: thread-safe once remember() was called.
class StoreFiles
{
public:
    /// Resolves `configuredPath` and takes the lock.
    /// Errors: Configuration (not a path of a file), Unavailable (no such directory, no permission,
    /// or another server has the lock; the message names the path).
    static Result<std::unique_ptr<StoreFiles>> lock(const std::string& configuredPath);
    ~StoreFiles();
    StoreFiles(const StoreFiles&) = delete;
    StoreFiles& operator=(const StoreFiles&) = delete;

    /// Absolute, without symbolic links.
    const std::string& path() const noexcept { return _path; }
    const std::string& lockPath() const noexcept { return _lockPath; }

    /// Takes the database file as it is now for the one to watch. Errors: Unavailable.
    Result<void> remember();
    /// Errors: Unavailable, when the database or the lock file is gone or another file now; this
    /// server must not write any more.
    Result<void> check() const;
    /// 0 when it cannot be told.
    std::uint64_t databaseBytes() const noexcept;

private:
    struct Identity
    {
        std::uint64_t device;
        std::uint64_t inode;
        bool operator==(const Identity&) const = default;
    };
    StoreFiles(std::string path, std::string lockPath, int lockDescriptor);
    static std::optional<Identity> identify(const std::string& path) noexcept;
    /// Locked, and still the file behind the path.
    Result<void> claim();

    const std::string _path;
    const std::string _lockPath;
    const int _lock;
    Identity _lockIdentity{};
    std::optional<Identity> _database;
};

} // namespace octostore::sqlite
