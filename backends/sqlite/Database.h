// SPDX-License-Identifier: MIT
/// @file
/// One connection to the database file, opened so that a commit is durable.
#pragma once

#include "Options.h"

#include <octostore/base/Result.h>

#include <memory>
#include <string>
#include <string_view>

namespace Poco
{
class Exception;
namespace Data
{
class Session;
}
} // namespace Poco

namespace octostore::sqlite
{

/// SQLITE_CORRUPT or SQLITE_NOTADB, extended codes included: the file can not be trusted again.
bool isDamage(int sqliteCode) noexcept;
bool isFull(int sqliteCode) noexcept;

/// A connection in WAL mode with synchronous=FULL, both read back. It never checkpoints by itself.
/// Thread-safety: thread-compatible.
class Database
{
public:
    enum class Mode
    {
        CreateIfMissing,
        MustExist,
    };
    /// `path` is absolute; its lock file must be there. A new file gets mode 0600.
    /// Errors: Corrupt; Unavailable, also when WAL or synchronous=FULL is not to be had there.
    static Result<std::unique_ptr<Database>> open(const std::string& path, const Options& options,
                                                  Mode mode);
    /// Every statement on it must be finalised before.
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    Poco::Data::Session& session() noexcept { return *_session; }
    sqlite3* handle() const noexcept { return _handle; }

    /// Limits the page cache of this connection.
    Result<void> setCacheKilobytes(int kilobytes);
    /// Copies the whole log into the database, makes that durable and empties the log.
    /// Errors: Unavailable (somebody reads or writes: try again), Corrupt.
    Result<void> emptyLog();

    /// What `sqliteCode`, just returned by this connection, means: Corrupt or Unavailable. `doing`
    /// starts the message.
    Error failure(int sqliteCode, std::string_view doing) const;
    /// As failure(), for an exception that a call on session() threw.
    Error failure(const Poco::Exception& exception, std::string_view doing) const;

private:
    Database(std::string path, std::unique_ptr<Poco::Data::Session> session, sqlite3* handle);
    Result<void> makeDurable();
    Result<void> require(std::string_view pragma, std::string_view wanted,
                         std::string_view complaint);

    const std::string _path;
    const std::unique_ptr<Poco::Data::Session> _session;
    sqlite3* const _handle;
};

} // namespace octostore::sqlite
