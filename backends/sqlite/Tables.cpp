// SPDX-License-Identifier: MIT
#include "Tables.h"

#include <octostore/backend/Codec.h>

#include <sqlite3.h>

#include <utility>
#include <variant>

namespace octostore::sqlite
{

using backend::Collection;
using backend::LeaseRecord;

int Tables::prepare(sqlite3* connection)
{
    int code = prepareAll(
        connection,
        {
            {&_begin, "BEGIN IMMEDIATE"},
            {&_commit, "COMMIT"},
            {&_rollBack, "ROLLBACK"},
            {&_addEvent, "INSERT INTO journal (sequence, event) VALUES (?1, ?2)"},
            {&_readBatch, "SELECT number, revision, fence FROM batch WHERE id=1"},
            {&_writeBatch, "UPDATE batch SET number=?1, revision=?2, fence=?3 WHERE id=1"},
        });
    if (code == SQLITE_OK)
        code = _leases.prepare(connection);
    return code == SQLITE_OK ? _records.prepare(connection) : code;
}

int Tables::insert(std::int64_t row, const backend::Key& key, const backend::Value& value,
                   Revision version)
{
    if (key.collection == Collection::Lease)
        return _leases.insert(row, key.name, *std::get_if<LeaseRecord>(&value), version);
    return _records.insert(row, key, value, version);
}

int Tables::update(std::int64_t row, const backend::Key& key, const backend::Value& value,
                   Revision version)
{
    if (key.collection == Collection::Lease)
        return _leases.update(row, *std::get_if<LeaseRecord>(&value), version);
    return _records.update(row, value, version);
}

int Tables::erase(std::int64_t row, Collection collection)
{
    return collection == Collection::Lease ? _leases.erase(row) : _records.erase(row);
}

int Tables::addEvent(Revision revision, const event::Draft& draft)
{
    const std::string text = backend::encodeEvent(draft);
    _addEvent.bind(1, static_cast<std::int64_t>(revision.value()));
    _addEvent.bind(2, std::string_view(text));
    return _addEvent.run();
}

int Tables::find(std::int64_t row, Collection collection, StoredRecord& found)
{
    return collection == Collection::Lease ? _leases.find(row, found) : _records.find(row, found);
}

int Tables::nextOfAll(StoredRecord& found)
{
    if (!_leasesDone)
    {
        const int code = _leases.nextOfAll(found);
        if (code != SQLITE_DONE)
            return code;
        _leasesDone = true;
    }
    return _records.nextOfAll(found);
}

int Tables::readBatch(BatchRow& batch)
{
    int code = _readBatch.next();
    if (code == SQLITE_ROW)
        batch = {static_cast<std::uint64_t>(_readBatch.integer(0)),
                 Revision(static_cast<std::uint64_t>(_readBatch.integer(1))),
                 static_cast<std::uint64_t>(_readBatch.integer(2))};
    else if (code == SQLITE_DONE)
        code = SQLITE_CORRUPT;
    _readBatch.reset();
    return code;
}

int Tables::writeBatch(const BatchRow& batch)
{
    _writeBatch.bind(1, static_cast<std::int64_t>(batch.number));
    _writeBatch.bind(2, static_cast<std::int64_t>(batch.revision.value()));
    _writeBatch.bind(3, static_cast<std::int64_t>(batch.fence));
    return _writeBatch.run();
}

} // namespace octostore::sqlite
