// SPDX-License-Identifier: MIT
/// @file
/// Whole databases copied page by page, while others may write to the source.
#pragma once

#include <octostore/base/Result.h>

#include <functional>
#include <memory>
#include <string>

struct sqlite3;

namespace octostore::sqlite
{

struct CloseConnection
{
    void operator()(sqlite3* connection) const noexcept;
};
/// A connection without any of the settings of a store.
using PlainConnection = std::unique_ptr<sqlite3, CloseConnection>;

/// A file that nobody writes to, and that has no log beside it.
/// Errors: Configuration (there is a log: it is no snapshot), Unavailable.
Result<PlainConnection> openFinishedFile(const std::string& file);
/// Makes `file` with mode 0600; it must not exist. Errors: Unavailable.
Result<PlainConnection> createFile(const std::string& file);

/// Copies everything `from` sees into `to`; asks `cancelled` after each mebibyte. When `from` is in
/// a read transaction the copy is of that instant. The copy has no log: it is one file.
/// Errors: Draining (cancelled), Corrupt, Unavailable; `to` is then of no use.
Result<void> copyPages(sqlite3* from, sqlite3* to, const std::function<bool()>& cancelled);

/// Removes a database and what SQLite may have left beside it.
void removeDatabase(const std::string& file) noexcept;

} // namespace octostore::sqlite
