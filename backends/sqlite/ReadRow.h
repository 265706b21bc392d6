// SPDX-License-Identifier: MIT
/// @file
/// A record from a statement that selects one, whatever table it is in.
#pragma once

#include "LeaseStatements.h"
#include "Statement.h"

#include <sqlite3.h>

#include <cstdint>

namespace octostore::sqlite
{

/// Runs `statement` for `row`: SQLITE_ROW with the record, SQLITE_CORRUPT when the row is not there
/// or `read` says that it is none.
template <class Read>
int findRow(Statement& statement, std::int64_t row, const Read& read, StoredRecord& found)
{
    statement.bind(1, row);
    int code = statement.next();
    if (code == SQLITE_DONE || (code == SQLITE_ROW && !read(statement, found)))
        code = SQLITE_CORRUPT;
    statement.reset();
    return code;
}

/// The next row of `statement`: as findRow(), and SQLITE_DONE behind the last.
template <class Read>
int nextRow(Statement& statement, const Read& read, StoredRecord& found)
{
    int code = statement.next();
    if (code == SQLITE_ROW && !read(statement, found))
        code = SQLITE_CORRUPT;
    if (code != SQLITE_ROW)
        statement.reset();
    return code;
}

} // namespace octostore::sqlite
