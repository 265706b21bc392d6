// SPDX-License-Identifier: MIT
/// @file
/// Leases as rows with a column for each field.
#pragma once

#include "Statement.h"

#include <octostore/backend/Record.h>

#include <cstdint>
#include <optional>

namespace octostore::sqlite
{

/// A record and the row it lies in.
struct StoredRecord
{
    std::int64_t row = 0;
    backend::Record record;
};

/// Writes are blind: the caller knows the row of every key. Members return an SQLite code.
/// Thread-safety: thread-compatible.
class LeaseStatements
{
public:
    int prepare(sqlite3* connection);

    int insert(std::int64_t row, const std::string& name, const backend::LeaseRecord& lease,
               Revision version);
    int update(std::int64_t row, const backend::LeaseRecord& lease, Revision version);
    int erase(std::int64_t row);

    /// SQLITE_ROW with the record, SQLITE_CORRUPT when the row is not there or not a lease.
    int find(std::int64_t row, StoredRecord& found);
    /// The highest row there is; 0 when there is none. SQLITE_ROW when it went well.
    int lastRow(std::int64_t& row);
    /// Gives one record a call in order of arrival; SQLITE_DONE behind the last, SQLITE_CORRUPT
    /// when a row is not a lease.
    int nextOfAll(StoredRecord& found);

private:
    Statement _insert;
    Statement _update;
    Statement _erase;
    Statement _find;
    Statement _last;
    Statement _all;
};

} // namespace octostore::sqlite
