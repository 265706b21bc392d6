// SPDX-License-Identifier: MIT
#include "Database.h"

#include <Poco/Data/RecordSet.h>
#include <Poco/Data/SQLite/SessionImpl.h>
#include <Poco/Data/SQLite/Utility.h>
#include <Poco/Data/Session.h>
#include <Poco/URI.h>
#include <sqlite3.h>

#include <utility>

namespace octostore::sqlite
{

using namespace Poco::Data::Keywords;

namespace
{

constexpr int busyTimeoutMs = 5000;
// Poco tries to open for so long, whatever the error is; who calls knows better when to try again.
constexpr std::size_t loginTimeoutSeconds = 0;

/// Every connection of this process has one user at a time, and nobody asks how much memory SQLite
/// has: its own locks around both are a sixth of the time of a commit. Once SQLite has begun its
/// work this is refused, and everything goes on as slowly as it did.
void spareLocks() noexcept
{
    static const bool once = []
    {
        sqlite3_config(SQLITE_CONFIG_MULTITHREAD);
        sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
        return true;
    }();
    (void)once;
}

int primaryCode(int sqliteCode) noexcept
{
    return sqliteCode & 0xff;
}

/// A name SQLite reads as a URI, so that no character of the path is special and the mode of a new
/// file can be told.
std::string uri(const std::string& path, const Options& options, Database::Mode mode)
{
    std::string encoded;
    Poco::URI::encode(path, "?#&%", encoded);
    std::string name = "file:" + encoded + "?mode=";
    name += mode == Database::Mode::CreateIfMissing ? "rwc" : "rw";
    // The lock file is 0600; only its mode is looked at.
    name += "&modeof=" + encoded + ".lock";
    if (!options.vfs.empty())
        name += "&vfs=" + options.vfs;
    return name;
}

} // namespace

bool isDamage(int sqliteCode) noexcept
{
    return primaryCode(sqliteCode) == SQLITE_CORRUPT || primaryCode(sqliteCode) == SQLITE_NOTADB;
}

bool isFull(int sqliteCode) noexcept
{
    return primaryCode(sqliteCode) == SQLITE_FULL;
}

Database::Database(std::string path, std::unique_ptr<Poco::Data::Session> session, sqlite3* handle)
    : _path(std::move(path)), _session(std::move(session)), _handle(handle)
{
}

Database::~Database() = default;

Result<std::unique_ptr<Database>> Database::open(const std::string& path, const Options& options,
                                                 Mode mode)
{
    spareLocks();
    std::unique_ptr<Database> database;
    try
    {
        auto session = std::make_unique<Poco::Data::Session>(
            new Poco::Data::SQLite::SessionImpl(uri(path, options, mode), loginTimeoutSeconds));
        sqlite3* const handle = Poco::Data::SQLite::Utility::dbHandle(*session);
        database.reset(new Database(path, std::move(session), handle));
    }
    catch (const Poco::Exception& exception)
    {
        return Error{ErrorCode::Unavailable,
                     "The database " + path + " cannot be opened: " + exception.displayText()};
    }
    sqlite3_extended_result_codes(database->_handle, 1);
    sqlite3_busy_timeout(database->_handle, busyTimeoutMs);
    // What it may not write SQLite opens for reading only, and such a connection never recovers.
    if (sqlite3_db_readonly(database->_handle, "main") == 1)
        return Error{ErrorCode::Unavailable,
                     "The database " + path +
                         " can only be read; its file and its file system must be writable."};
    if (options.failPoint)
    {
        if (const int code = options.failPoint("open", database->_handle); code != SQLITE_OK)
            return database->failure(code, "Opening");
    }
    if (Result<void> durable = database->makeDurable(); !durable)
        return durable.error();
    return database;
}

Result<void> Database::makeDurable()
{
    Result<void> done = require("journal_mode=WAL", "wal",
                                "a write-ahead log is not to be had there (is it a network file "
                                "system?); put the database on a local disk");
    if (!done)
        return done;
    try
    {
        *_session << "PRAGMA synchronous=FULL", now;
        *_session << "PRAGMA wal_autocheckpoint=0", now;
        *_session << "PRAGMA journal_size_limit=67108864", now;
        *_session << "PRAGMA cell_size_check=ON", now;
        *_session << "PRAGMA trusted_schema=OFF", now;
        *_session << "PRAGMA secure_delete=FAST", now;
    }
    catch (const Poco::Exception& exception)
    {
        return failure(exception, "Preparing the connection");
    }
    return require("synchronous", "2",
                   "synchronous=FULL is not to be had, so a commit would not be "
                   "durable");
}

Result<void> Database::require(std::string_view pragma, std::string_view wanted,
                               std::string_view complaint)
{
    std::string answer;
    try
    {
        Poco::Data::Statement statement(*_session);
        statement << "PRAGMA " + std::string(pragma), into(answer), now;
    }
    catch (const Poco::Exception& exception)
    {
        return failure(exception, "PRAGMA " + std::string(pragma));
    }
    if (answer == wanted)
        return {};
    return Error{ErrorCode::Unavailable,
                 "The database " + _path + " cannot be used: " + std::string(complaint) + "."};
}

Result<void> Database::setCacheKilobytes(int kilobytes)
{
    try
    {
        *_session << "PRAGMA cache_size=-" + std::to_string(kilobytes), now;
        return {};
    }
    catch (const Poco::Exception& exception)
    {
        return failure(exception, "Setting the cache size");
    }
}

Result<void> Database::emptyLog()
{
    int left = -1;
    int copied = -1;
    const int code =
        sqlite3_wal_checkpoint_v2(_handle, nullptr, SQLITE_CHECKPOINT_TRUNCATE, &left, &copied);
    if (code != SQLITE_OK)
        return failure(code, "Emptying the write-ahead log");
    return {};
}

Error Database::failure(int sqliteCode, std::string_view doing) const
{
    // A code from a fail point has no message of its own.
    const bool own = sqlite3_extended_errcode(_handle) == sqliteCode;
    const std::string text = own ? sqlite3_errmsg(_handle) : sqlite3_errstr(sqliteCode);
    return {isDamage(sqliteCode) ? ErrorCode::Corrupt : ErrorCode::Unavailable,
            std::string(doing) + " failed on the database " + _path + ": " + text +
                " (SQLite code " + std::to_string(sqliteCode) + ")."};
}

Error Database::failure(const Poco::Exception& exception, std::string_view doing) const
{
    const int code = sqlite3_extended_errcode(_handle);
    if (code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE)
        return failure(code, doing);
    return {ErrorCode::Unavailable, std::string(doing) + " failed on the database " + _path + ": " +
                                        exception.displayText()};
}

} // namespace octostore::sqlite
