// SPDX-License-Identifier: MIT
/// @file
/// Every statement the committer runs on its connection.
#pragma once

#include "LeaseStatements.h"
#include "RecordStatements.h"
#include "Statement.h"

#include <octostore/backend/Record.h>

#include <cstdint>
#include <string>

namespace octostore::sqlite
{

/// The one row of `batch`.
struct BatchRow
{
    std::uint64_t number = 0;
    Revision revision;
    std::uint64_t fence = 0;
};

/// Sends each record to its table. Members return an SQLite code.
/// Thread-safety: thread-compatible.
class Tables
{
public:
    int prepare(sqlite3* connection);

    int begin() { return _begin.run(); }
    int commit() { return _commit.run(); }
    int rollBack() { return _rollBack.run(); }

    int insert(std::int64_t row, const backend::Key& key, const backend::Value& value,
               Revision version);
    int update(std::int64_t row, const backend::Key& key, const backend::Value& value,
               Revision version);
    int erase(std::int64_t row, backend::Collection collection);
    int addEvent(Revision revision, const event::Draft& draft);

    /// SQLITE_ROW with the record, or SQLITE_CORRUPT.
    int find(std::int64_t row, backend::Collection collection, StoredRecord& found);
    /// No lease has a higher row.
    int lastLeaseRow(std::int64_t& row) { return _leases.lastRow(row); }
    /// One record a call, leases first; SQLITE_DONE behind the last.
    int nextOfAll(StoredRecord& found);

    /// SQLITE_ROW with the row, or SQLITE_CORRUPT.
    int readBatch(BatchRow& batch);
    int writeBatch(const BatchRow& batch);

private:
    Statement _begin;
    Statement _commit;
    Statement _rollBack;
    LeaseStatements _leases;
    RecordStatements _records;
    Statement _addEvent;
    Statement _readBatch;
    Statement _writeBatch;
    bool _leasesDone = false; // of nextOfAll()
};

} // namespace octostore::sqlite
