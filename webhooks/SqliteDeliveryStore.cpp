// SPDX-License-Identifier: MIT
#include "SqliteDeliveryStore.h"

#include "WebhookCodec.h"

#include <octostore/event/TypePattern.h>

#include <sqlite3.h>

#include <algorithm>
#include <cstdio>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

namespace octostore::webhooks
{

namespace
{

// The log may lose its last second in a power cut; deliveries do not depend on it. How it vacuums
// is said first: once the journal mode is set the file has its first page, and it is too late.
constexpr const char* schema = R"(
PRAGMA auto_vacuum=INCREMENTAL;
PRAGMA journal_mode=WAL;
PRAGMA journal_size_limit=8388608;
PRAGMA synchronous=OFF;
CREATE TABLE IF NOT EXISTS deliveries(
    webhook TEXT NOT NULL, sequence INTEGER NOT NULL, fact INTEGER NOT NULL, id TEXT NOT NULL,
    type TEXT NOT NULL, resource TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL,
    reason TEXT NOT NULL, status INTEGER NOT NULL, happened INTEGER NOT NULL,
    updated INTEGER NOT NULL, next INTEGER, body TEXT,
    PRIMARY KEY(webhook, sequence, fact)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS deliveries_updated ON deliveries(updated);
CREATE TABLE IF NOT EXISTS attempts(
    webhook TEXT NOT NULL, sequence INTEGER NOT NULL, fact INTEGER NOT NULL,
    number INTEGER NOT NULL, at INTEGER NOT NULL, took INTEGER NOT NULL, status INTEGER NOT NULL,
    reason TEXT NOT NULL, detail TEXT NOT NULL, request TEXT NOT NULL, response BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS attempts_delivery ON attempts(webhook, sequence, fact);
CREATE INDEX IF NOT EXISTS attempts_at ON attempts(at);
CREATE INDEX IF NOT EXISTS attempts_webhook ON attempts(webhook, at);
)";

/// Thread-safety: thread-compatible.
class Statement
{
public:
    Statement(sqlite3* database, std::string_view sql)
    {
        sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &_statement,
                           nullptr);
    }
    ~Statement() { sqlite3_finalize(_statement); }
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    Statement& bind(std::string_view text)
    {
        sqlite3_bind_text(_statement, ++_bound, text.data(), static_cast<int>(text.size()),
                          SQLITE_TRANSIENT);
        return *this;
    }
    Statement& bind(std::int64_t number)
    {
        sqlite3_bind_int64(_statement, ++_bound, number);
        return *this;
    }
    Statement& bindNull()
    {
        ++_bound;
        return *this;
    }
    Statement& bind(DeliveryKey key)
    {
        return bind(static_cast<std::int64_t>(key.sequence.value())).bind(std::int64_t{key.fact});
    }
    /// Of one that gives no rows; false: it failed.
    bool finish() { return _statement != nullptr && sqlite3_step(_statement) == SQLITE_DONE; }
    bool step() { return _statement != nullptr && sqlite3_step(_statement) == SQLITE_ROW; }

    std::int64_t number(int column) const { return sqlite3_column_int64(_statement, column); }
    bool isNull(int column) const { return sqlite3_column_type(_statement, column) == SQLITE_NULL; }
    std::string text(int column) const
    {
        const auto* bytes = static_cast<const char*>(sqlite3_column_blob(_statement, column));
        const int size = sqlite3_column_bytes(_statement, column);
        return bytes == nullptr ? std::string()
                                : std::string(bytes, static_cast<std::size_t>(size));
    }

private:
    sqlite3_stmt* _statement = nullptr;
    int _bound = 0;
};

std::string_view textOf(sqlite3_value* value)
{
    const auto* bytes = static_cast<const char*>(sqlite3_value_blob(value));
    const int size = sqlite3_value_bytes(value);
    return bytes == nullptr ? std::string_view()
                            : std::string_view(bytes, static_cast<std::size_t>(size));
}

/// `matches_type(pattern, type)` in SQL.
void matchType(sqlite3_context* context, int /*count*/, sqlite3_value** values)
{
    const bool matches = event::matchesTypeName(textOf(values[0]), textOf(values[1]));
    sqlite3_result_int(context, matches ? 1 : 0);
}

constexpr std::string_view columns =
    "SELECT webhook, sequence, fact, id, type, resource, state, attempts, reason, status, "
    "happened, updated, next, body FROM deliveries WHERE webhook = ?1 ";

DeliveryRow rowOf(const Statement& found)
{
    DeliveryRow row;
    row.webhook = found.text(0);
    row.key = {Sequence(static_cast<std::uint64_t>(found.number(1))),
               static_cast<std::uint8_t>(found.number(2))};
    row.id = found.text(3);
    row.type = found.text(4);
    row.resource = found.text(5);
    row.state = found.text(6);
    row.attempts = static_cast<unsigned>(found.number(7));
    row.reason = found.text(8);
    row.status = static_cast<int>(found.number(9));
    row.happened = fromUnixMilliseconds(found.number(10));
    row.updated = fromUnixMilliseconds(found.number(11));
    if (!found.isNull(12))
        row.nextAttempt = fromUnixMilliseconds(found.number(12));
    row.body = found.text(13);
    return row;
}

} // namespace

Result<std::unique_ptr<DeliveryStore>> SqliteDeliveryStore::open(const std::string& file,
                                                                 Logger logger)
{
    std::unique_ptr<SqliteDeliveryStore> store(new SqliteDeliveryStore(file, std::move(logger)));
    auto connected = store->connect();
    if (!connected && connected.error().code == ErrorCode::Corrupt)
    {
        store->setAside();
        connected = store->connect();
    }
    if (!connected)
        return connected.error();
    return std::unique_ptr<DeliveryStore>(std::move(store));
}

SqliteDeliveryStore::~SqliteDeliveryStore()
{
    sqlite3_close(_database);
}

Result<void> SqliteDeliveryStore::connect()
{
    // It has what was sent: only for this account, and so are the files SQLite puts beside it.
    if (const int made = ::open(_file.c_str(), O_CREAT | O_RDONLY | O_CLOEXEC, 0600); made >= 0)
        ::close(made);
    const int opened =
        sqlite3_open_v2(_file.c_str(), &_database,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
    if (opened != SQLITE_OK || !run(schema))
        return fault();
    if (sqlite3_create_function_v2(_database, "matches_type", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                                   nullptr, matchType, nullptr, nullptr, nullptr) != SQLITE_OK)
        return fault();
    return {};
}

void SqliteDeliveryStore::setAside()
{
    _logger.warning("the delivery log is damaged and set aside", {{"file", _file + ".damaged"}});
    sqlite3_close(_database);
    _database = nullptr;
    std::rename(_file.c_str(), (_file + ".damaged").c_str());
    for (const char* end : {"-wal", "-shm"})
        std::remove((_file + end).c_str());
}

Error SqliteDeliveryStore::fault() const
{
    const int code = sqlite3_errcode(_database);
    return {code == SQLITE_CORRUPT || code == SQLITE_NOTADB ? ErrorCode::Corrupt
                                                            : ErrorCode::Unavailable,
            "the delivery log " + _file + ": " + sqlite3_errmsg(_database)};
}

bool SqliteDeliveryStore::run(const char* sql)
{
    return sqlite3_exec(_database, sql, nullptr, nullptr, nullptr) == SQLITE_OK;
}

std::int64_t SqliteDeliveryStore::number(const char* sql)
{
    Statement found(_database, sql);
    return found.step() ? found.number(0) : 0;
}

bool SqliteDeliveryStore::write(const std::vector<DeliveryNote>& notes) noexcept
{
    auto written = writeAll(notes);
    if (!written && written.error().code == ErrorCode::Corrupt)
    {
        setAside();
        written = connect();
        if (written)
            written = writeAll(notes);
    }
    if (!written)
        _logger.warning("deliveries could not be logged",
                        {{"count", notes.size()}, {"error", written.error().message}});
    return written.ok();
}

Result<void> SqliteDeliveryStore::writeAll(const std::vector<DeliveryNote>& notes)
{
    bool written = run("BEGIN");
    for (std::size_t i = 0; written && i < notes.size(); ++i)
        written = write(notes[i]);
    if (written && run("COMMIT"))
        return {};
    Error error = fault();
    run("ROLLBACK");
    return error;
}

bool SqliteDeliveryStore::write(const DeliveryNote& note)
{
    const DeliveryRow& row = note.row;
    Statement put(_database,
                  "INSERT INTO deliveries VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?) "
                  "ON CONFLICT DO UPDATE SET state = excluded.state, attempts = excluded.attempts, "
                  "reason = excluded.reason, status = excluded.status, updated = excluded.updated, "
                  "next = excluded.next, body = coalesce(excluded.body, body)");
    put.bind(row.webhook).bind(row.key).bind(row.id).bind(row.type).bind(row.resource);
    put.bind(row.state).bind(std::int64_t{row.attempts}).bind(row.reason);
    put.bind(std::int64_t{row.status}).bind(unixMilliseconds(row.happened));
    put.bind(unixMilliseconds(row.updated));
    row.nextAttempt ? put.bind(unixMilliseconds(*row.nextAttempt)) : put.bindNull();
    row.body.empty() ? put.bindNull() : put.bind(row.body);
    if (!put.finish())
        return false;
    if (!note.attempt)
        return true;
    const AttemptRow& attempt = *note.attempt;
    Statement add(_database, "INSERT INTO attempts VALUES(?,?,?,?,?,?,?,?,?,?,?)");
    add.bind(row.webhook).bind(row.key).bind(std::int64_t{attempt.number});
    add.bind(unixMilliseconds(attempt.at)).bind(attempt.took.count());
    add.bind(std::int64_t{attempt.status}).bind(attempt.reason).bind(attempt.detail);
    add.bind(attempt.requestHeaders).bind(attempt.response);
    return add.finish();
}

std::vector<DeliveryRow> SqliteDeliveryStore::list(const DeliveryQuery& query) noexcept
{
    const DeliveryKey before = query.before.value_or(DeliveryKey{Sequence(INT64_MAX), 0});
    Statement found(_database, std::string(columns) +
                                   "AND (sequence, fact) < (?2, ?3) AND (?4 = '' OR state = ?4 OR "
                                   "(?4 = 'failed' AND state IN "
                                   "('exhausted', 'expired', 'cancelled', 'retrying'))) "
                                   "AND (?5 = '' OR matches_type(?5, type)) "
                                   "AND sequence > ?7 AND happened >= ?8 "
                                   "ORDER BY sequence DESC, fact DESC LIMIT ?6");
    found.bind(query.webhook).bind(before).bind(query.state).bind(query.type);
    found.bind(static_cast<std::int64_t>(query.limit + 1));
    found.bind(static_cast<std::int64_t>(query.after.value())).bind(unixMilliseconds(query.since));
    std::vector<DeliveryRow> rows;
    while (found.step())
        rows.push_back(rowOf(found));
    return rows;
}

std::optional<DeliveryDetail> SqliteDeliveryStore::find(const std::string& webhook,
                                                        DeliveryKey key) noexcept
{
    Statement found(_database, std::string(columns) + "AND sequence = ?2 AND fact = ?3");
    if (!found.bind(webhook).bind(key).step())
        return std::nullopt;
    DeliveryDetail detail;
    detail.row = rowOf(found);
    Statement tried(_database, "SELECT number, at, took, status, reason, detail, request, response "
                               "FROM attempts WHERE webhook = ? AND sequence = ? AND fact = ? "
                               "ORDER BY at, rowid LIMIT 100");
    tried.bind(webhook).bind(key);
    while (tried.step())
        detail.attempts.push_back({static_cast<unsigned>(tried.number(0)),
                                   fromUnixMilliseconds(tried.number(1)),
                                   Milliseconds(tried.number(2)), static_cast<int>(tried.number(3)),
                                   tried.text(4), tried.text(5), tried.text(6), tried.text(7)});
    return detail;
}

DeliveryStats SqliteDeliveryStore::stats(const std::string& webhook, WallTime since) noexcept
{
    DeliveryStats stats;
    Statement sums(_database, "SELECT count(*), coalesce(sum(reason = ''), 0) FROM attempts "
                              "WHERE webhook = ? AND at > ?");
    if (sums.bind(webhook).bind(unixMilliseconds(since)).step())
    {
        stats.attempts = static_cast<std::uint64_t>(sums.number(0));
        stats.succeeded = static_cast<std::uint64_t>(sums.number(1));
    }
    Statement slow(_database, "SELECT took FROM attempts WHERE webhook = ? AND at > ? "
                              "ORDER BY took LIMIT 1 OFFSET ?");
    slow.bind(webhook).bind(unixMilliseconds(since));
    if (stats.attempts > 0 &&
        slow.bind(static_cast<std::int64_t>((stats.attempts - 1) * 95 / 100)).step())
        stats.p95 = Milliseconds(slow.number(0));
    return stats;
}

std::uint64_t SqliteDeliveryStore::usedBytes()
{
    return static_cast<std::uint64_t>(
        (number("PRAGMA page_count") - number("PRAGMA freelist_count")) *
        number("PRAGMA page_size"));
}

void SqliteDeliveryStore::trim(WallTime now, const DeliveryLogLimits& limits) noexcept
{
    const auto old = [&](const char* sql, Milliseconds age)
    { Statement(_database, sql).bind(unixMilliseconds(now - age)).step(); };
    old("DELETE FROM attempts WHERE at < ?", limits.age);
    old("DELETE FROM deliveries WHERE updated < ?", limits.age);
    old("UPDATE deliveries SET body = NULL WHERE body IS NOT NULL AND updated < ?", limits.bodyAge);
    constexpr int stepsMax = 64; // of a tenth each
    for (int step = 0; step < stepsMax && usedBytes() > limits.bytes; ++step)
    {
        run("DELETE FROM attempts WHERE rowid IN (SELECT rowid FROM attempts ORDER BY at LIMIT "
            "(SELECT count(*) / 10 + 1 FROM attempts))");
        run("DELETE FROM deliveries WHERE updated <= (SELECT updated FROM deliveries ORDER BY "
            "updated LIMIT 1 OFFSET (SELECT count(*) / 10 FROM deliveries))");
    }
    run("PRAGMA incremental_vacuum(2000)");
}

} // namespace octostore::webhooks
