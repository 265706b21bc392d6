// SPDX-License-Identifier: MIT
/// @file
/// Records of every collection but leases, as rows with the value in one text column.
#pragma once

#include "LeaseStatements.h"
#include "Statement.h"

#include <octostore/backend/Record.h>

namespace octostore::sqlite
{

/// As LeaseStatements. Thread-safety: thread-compatible.
class RecordStatements
{
public:
    int prepare(sqlite3* connection);

    int insert(std::int64_t row, const backend::Key& key, const backend::Value& value,
               Revision version);
    int update(std::int64_t row, const backend::Value& value, Revision version);
    int erase(std::int64_t row);

    int find(std::int64_t row, StoredRecord& found);
    int nextOfAll(StoredRecord& found);

private:
    Statement _insert;
    Statement _update;
    Statement _erase;
    Statement _find;
    Statement _all;
};

} // namespace octostore::sqlite
