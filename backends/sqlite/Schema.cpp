// SPDX-License-Identifier: MIT
#include "Schema.h"

#include <Poco/Data/RecordSet.h>
#include <Poco/Data/Session.h>
#include <Poco/Exception.h>

#include <string>

namespace octostore::sqlite
{

using namespace Poco::Data::Keywords;

namespace
{

// "OCTO", so that a database of another program is not taken for an empty one of ours.
constexpr Poco::Int64 applicationId = 0x4f43544f;

// Rows lie in order of arrival and no key has an index: the backend knows the row of every key, so
// that a new lease is an append. All-zero ids and digests are NULL.
constexpr std::string_view createLease = R"(CREATE TABLE lease (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    state INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    term INTEGER NOT NULL,
    holder BLOB,
    principal BLOB,
    label TEXT NOT NULL,
    lease BLOB,
    secret_digest BLOB,
    token_nonce BLOB,
    metadata TEXT,
    ttl_ms INTEGER NOT NULL,
    lock_delay_ms INTEGER NOT NULL,
    session BLOB,
    ephemeral INTEGER NOT NULL,
    granted_at_ns INTEGER NOT NULL,
    deadline_boot_ns INTEGER NOT NULL,
    deadline_clock TEXT NOT NULL,
    deadline_wall_ns INTEGER NOT NULL,
    cause INTEGER NOT NULL,
    ended_at_ns INTEGER NOT NULL
) STRICT)";

constexpr std::string_view createRecord = R"(CREATE TABLE record (
    id INTEGER PRIMARY KEY,
    collection INTEGER NOT NULL,
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    value TEXT NOT NULL
) STRICT)";

constexpr std::string_view createJournal = R"(CREATE TABLE journal (
    sequence INTEGER PRIMARY KEY,
    event TEXT NOT NULL
) STRICT)";

// One row. `number`: of the last batch that is in the database; `revision`: the last one given out
// (it survives the erasure of every record that has it); `fence`: counts the commits that were made
// only to be sure of the fate of an earlier one.
constexpr std::string_view createBatch = R"(CREATE TABLE batch (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    fence INTEGER NOT NULL
) STRICT)";

Poco::Int64 number(Database& database, const std::string& query)
{
    Poco::Int64 value = 0;
    database.session() << query, into(value), now;
    return value;
}

Result<void> refuseForeign(Database& database, Poco::Int64 version, std::size_t known)
{
    const Poco::Int64 owner = number(database, "PRAGMA application_id");
    const Poco::Int64 tables = number(database, "SELECT count(*) FROM sqlite_schema");
    if (owner != applicationId && (owner != 0 || version != 0 || tables != 0))
        return Error{ErrorCode::Configuration,
                     "storage.database names the SQLite database of another program."};
    if (version > static_cast<Poco::Int64>(known))
        return Error{ErrorCode::Configuration,
                     "The database has schema version " + std::to_string(version) +
                         ", this server knows versions up to " + std::to_string(known) +
                         ": run the newer server, or restore a backup made with this one."};
    return {};
}

void apply(Database& database, const Migration& migration, Poco::Int64 version)
{
    for (const std::string_view statement : migration.statements)
        database.session() << std::string(statement), now;
    database.session() << "PRAGMA application_id=" + std::to_string(applicationId), now;
    database.session() << "PRAGMA user_version=" + std::to_string(version), now;
}

void rollBack(Database& database) noexcept
{
    try
    {
        database.session() << "ROLLBACK", now;
    }
    catch (const Poco::Exception&)
    {
        // SQLite has rolled back by itself, or will when the connection closes.
    }
}

} // namespace

std::span<const Migration> migrations()
{
    static const std::vector<Migration> all = {
        {{createLease, createRecord, createJournal, createBatch,
          "INSERT INTO batch (id, number, revision, fence) VALUES (1, 0, 0, 0)"}},
    };
    return all;
}

Result<void> migrate(Database& database, std::span<const Migration> known)
{
    bool open = false;
    try
    {
        Poco::Int64 version = number(database, "PRAGMA user_version");
        if (Result<void> ours = refuseForeign(database, version, known.size()); !ours)
            return ours;
        for (; version < static_cast<Poco::Int64>(known.size()); ++version)
        {
            database.session() << "BEGIN IMMEDIATE", now;
            open = true;
            apply(database, known[static_cast<std::size_t>(version)], version + 1);
            database.session() << "COMMIT", now;
            open = false;
        }
        return {};
    }
    catch (const Poco::Exception& exception)
    {
        Error error = database.failure(exception, "Preparing the tables");
        if (open)
            rollBack(database);
        return error;
    }
}

} // namespace octostore::sqlite
