// SPDX-License-Identifier: MIT
#include "RecordStatements.h"

#include "ReadRow.h"

#include <octostore/backend/Codec.h>

#include <sqlite3.h>

#include <utility>

namespace octostore::sqlite
{

using backend::Collection;

namespace
{

bool readRecord(const Statement& row, StoredRecord& found)
{
    const std::int64_t number = row.integer(1);
    if (number <= static_cast<std::int64_t>(Collection::Lease) ||
        number > static_cast<std::int64_t>(Collection::Meta))
        return false;
    const auto collection = static_cast<Collection>(number);
    Result<backend::Value> value = backend::decodeValue(collection, row.text(4));
    if (!value)
        return false;
    found.row = row.integer(0);
    found.record = {{collection, row.text(2)},
                    *std::move(value),
                    Revision(static_cast<std::uint64_t>(row.integer(3)))};
    return true;
}

} // namespace

int RecordStatements::prepare(sqlite3* connection)
{
    return prepareAll(
        connection,
        {
            {&_insert, "INSERT INTO record (id, collection, name, version, value)"
                       " VALUES (?1, ?2, ?3, ?4, ?5)"},
            {&_update, "UPDATE record SET version=?4, value=?5 WHERE id=?1"},
            {&_erase, "DELETE FROM record WHERE id=?1"},
            {&_find, "SELECT id, collection, name, version, value FROM record WHERE id=?1"},
            {&_all, "SELECT id, collection, name, version, value FROM record ORDER BY id"},
        });
}

int RecordStatements::insert(std::int64_t row, const backend::Key& key, const backend::Value& value,
                             Revision version)
{
    const std::string text = backend::encodeValue(value);
    _insert.bind(1, row);
    _insert.bind(2, static_cast<std::int64_t>(key.collection));
    _insert.bind(3, std::string_view(key.name));
    _insert.bind(4, static_cast<std::int64_t>(version.value()));
    _insert.bind(5, std::string_view(text));
    return _insert.run();
}

int RecordStatements::update(std::int64_t row, const backend::Value& value, Revision version)
{
    const std::string text = backend::encodeValue(value);
    _update.bind(1, row);
    _update.bind(4, static_cast<std::int64_t>(version.value()));
    _update.bind(5, std::string_view(text));
    return _update.run();
}

int RecordStatements::erase(std::int64_t row)
{
    _erase.bind(1, row);
    return _erase.run();
}

int RecordStatements::find(std::int64_t row, StoredRecord& found)
{
    return findRow(_find, row, readRecord, found);
}

int RecordStatements::nextOfAll(StoredRecord& found)
{
    return nextRow(_all, readRecord, found);
}

} // namespace octostore::sqlite
