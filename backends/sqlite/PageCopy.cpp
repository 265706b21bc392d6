// SPDX-License-Identifier: MIT
#include "PageCopy.h"

#include "Database.h"

#include <Poco/URI.h>
#include <sqlite3.h>

#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace octostore::sqlite
{

namespace
{

constexpr int pagesAtOnce = 256;

Error failure(int code, const std::string& doing)
{
    return {isDamage(code) ? ErrorCode::Corrupt : ErrorCode::Unavailable,
            doing + " failed: " + sqlite3_errstr(code) + " (SQLite code " + std::to_string(code) +
                ")."};
}

Result<PlainConnection> open(const std::string& file, std::string_view parameters, int flags)
{
    std::string encoded;
    Poco::URI::encode(file, "?#&%", encoded);
    sqlite3* opened = nullptr;
    const std::string name = "file:" + encoded + std::string(parameters);
    const int code = sqlite3_open_v2(name.c_str(), &opened, flags | SQLITE_OPEN_URI, nullptr);
    PlainConnection connection(opened); // also when it failed
    if (code != SQLITE_OK)
        return failure(code, "Opening " + file);
    sqlite3_extended_result_codes(connection.get(), 1);
    return connection;
}

Result<void> run(sqlite3* connection, const char* sql)
{
    const int code = sqlite3_exec(connection, sql, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK)
        return failure(code, sql);
    return {};
}

struct FinishBackup
{
    void operator()(sqlite3_backup* backup) const noexcept { sqlite3_backup_finish(backup); }
};

} // namespace

void CloseConnection::operator()(sqlite3* connection) const noexcept
{
    sqlite3_close_v2(connection);
}

Result<PlainConnection> openFinishedFile(const std::string& file)
{
    std::error_code ignored;
    // Pages that are only in the log would be missing.
    if (std::filesystem::exists(file + "-wal", ignored))
        return Error{ErrorCode::Configuration,
                     file + " is no snapshot but a database in use, or one that was not closed: " +
                         file + "-wal is there. Take a backup of it with its server."};
    return open(file, "?mode=ro&immutable=1", SQLITE_OPEN_READONLY);
}

Result<PlainConnection> createFile(const std::string& file)
{
    const int made = ::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (made < 0)
        return Error{ErrorCode::Unavailable,
                     "The file " + file + " cannot be made: " +
                         std::error_code(errno, std::system_category()).message() + "."};
    ::close(made);
    return open(file, "?mode=rw", SQLITE_OPEN_READWRITE);
}

Result<void> copyPages(sqlite3* from, sqlite3* to, const std::function<bool()>& cancelled)
{
    std::unique_ptr<sqlite3_backup, FinishBackup> backup(
        sqlite3_backup_init(to, "main", from, "main"));
    if (!backup)
        return failure(sqlite3_extended_errcode(to), "Copying the database");
    int code = SQLITE_OK;
    while (code == SQLITE_OK)
    {
        if (cancelled())
            return Error{ErrorCode::Draining, "The copy was cancelled."};
        code = sqlite3_backup_step(backup.get(), pagesAtOnce);
    }
    if (code != SQLITE_DONE)
        return failure(code, "Copying the database");
    code = sqlite3_backup_finish(backup.release());
    if (code != SQLITE_OK)
        return failure(code, "Copying the database");
    return run(to, "PRAGMA journal_mode=DELETE");
}

void removeDatabase(const std::string& file) noexcept
{
    for (const char* suffix : {"", "-wal", "-shm", "-journal"})
    {
        std::error_code ignored;
        std::filesystem::remove(file + suffix, ignored);
    }
}

} // namespace octostore::sqlite
