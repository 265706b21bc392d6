// SPDX-License-Identifier: MIT
#include "LeaseStatements.h"

#include "ReadRow.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <utility>

namespace octostore::sqlite
{

using backend::LeaseKind;
using backend::LeaseRecord;
using backend::LeaseState;

namespace
{

constexpr std::string_view insertSql =
    "INSERT INTO lease (id, name, version, state, kind, term, holder, principal, label, lease,"
    " secret_digest, token_nonce, metadata, ttl_ms, lock_delay_ms, session, ephemeral,"
    " granted_at_ns, deadline_boot_ns, deadline_clock, deadline_wall_ns, cause, ended_at_ns)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,"
    " ?19, ?20, ?21, ?22, ?23)";
constexpr std::string_view updateSql =
    "UPDATE lease SET version=?3, state=?4, kind=?5, term=?6, holder=?7, principal=?8, label=?9,"
    " lease=?10, secret_digest=?11, token_nonce=?12, metadata=?13, ttl_ms=?14, lock_delay_ms=?15,"
    " session=?16, ephemeral=?17, granted_at_ns=?18, deadline_boot_ns=?19, deadline_clock=?20,"
    " deadline_wall_ns=?21, cause=?22, ended_at_ns=?23 WHERE id=?1";
constexpr std::string_view eraseSql = "DELETE FROM lease WHERE id=?1";
constexpr std::string_view findSql =
    "SELECT id, name, version, state, kind, term, holder, principal, label, lease, secret_digest,"
    " token_nonce, metadata, ttl_ms, lock_delay_ms, session, ephemeral, granted_at_ns,"
    " deadline_boot_ns, deadline_clock, deadline_wall_ns, cause, ended_at_ns"
    " FROM lease WHERE id=?1";
constexpr std::string_view lastSql = "SELECT max(id) FROM lease";
constexpr std::string_view allSql =
    "SELECT id, name, version, state, kind, term, holder, principal, label, lease, secret_digest,"
    " token_nonce, metadata, ttl_ms, lock_delay_ms, session, ephemeral, granted_at_ns,"
    " deadline_boot_ns, deadline_clock, deadline_wall_ns, cause, ended_at_ns"
    " FROM lease ORDER BY id";

/// All-zero bytes are stored as NULL: most leases have no session, many no principal.
template <std::size_t Size>
void bindOrNull(Statement& statement, int parameter, const std::array<std::uint8_t, Size>& bytes)
{
    if (std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte == 0; }))
        statement.bindNull(parameter);
    else
        statement.bindBytes(parameter, bytes);
}

/// False when the column has another length.
template <std::size_t Size>
bool readBytes(const Statement& row, int column, std::array<std::uint8_t, Size>& bytes)
{
    bytes.fill(0);
    const auto stored = row.bytes(column);
    if (stored.size() == Size)
        std::copy(stored.begin(), stored.end(), bytes.begin());
    return stored.size() == Size || stored.empty();
}

template <class Enumeration>
bool readEnumerator(const Statement& row, int column, Enumeration first, Enumeration last,
                    Enumeration& value)
{
    const std::int64_t number = row.integer(column);
    if (number < static_cast<std::int64_t>(first) || number > static_cast<std::int64_t>(last))
        return false;
    value = static_cast<Enumeration>(number);
    return true;
}

std::int64_t ticks(WallTime time)
{
    return time.time_since_epoch().count();
}
WallTime wallTime(std::int64_t ticks)
{
    return WallTime(std::chrono::nanoseconds(ticks));
}

void bindValues(Statement& to, std::int64_t row, const LeaseRecord& lease, Revision version)
{
    to.bind(1, row);
    to.bind(3, static_cast<std::int64_t>(version.value()));
    to.bind(4, static_cast<std::int64_t>(lease.state));
    to.bind(5, static_cast<std::int64_t>(lease.kind));
    to.bind(6, static_cast<std::int64_t>(lease.term.value()));
    bindOrNull(to, 7, lease.holder.uuid.bytes);
    bindOrNull(to, 8, lease.principal.uuid.bytes);
    to.bind(9, std::string_view(lease.label));
    bindOrNull(to, 10, lease.lease.uuid.bytes);
    bindOrNull(to, 11, lease.secretDigest);
    bindOrNull(to, 12, lease.tokenNonce);
    if (lease.metadata)
        to.bind(13, lease.metadata->view());
    else
        to.bindNull(13);
    to.bind(14, lease.ttl.count());
    to.bind(15, lease.lockDelay.count());
    bindOrNull(to, 16, lease.session.uuid.bytes);
    to.bind(17, std::int64_t{lease.ephemeral});
    to.bind(18, ticks(lease.grantedAt));
    to.bind(19, lease.deadline.boot.time_since_epoch().count());
    to.bind(20, lease.deadline.clock.view());
    to.bind(21, ticks(lease.deadline.wall));
    to.bind(22, static_cast<std::int64_t>(lease.cause));
    to.bind(23, ticks(lease.endedAt));
}

/// False when a field is not one of a lease.
bool readIdentities(const Statement& row, LeaseRecord& lease)
{
    return readEnumerator(row, 3, LeaseState::Held, LeaseState::Vacant, lease.state) &&
           readEnumerator(row, 4, LeaseKind::Lock, LeaseKind::Election, lease.kind) &&
           readEnumerator(row, 21, event::Cause::None, event::Cause::Undelivered, lease.cause) &&
           readBytes(row, 6, lease.holder.uuid.bytes) &&
           readBytes(row, 7, lease.principal.uuid.bytes) &&
           readBytes(row, 9, lease.lease.uuid.bytes) && readBytes(row, 10, lease.secretDigest) &&
           readBytes(row, 11, lease.tokenNonce) && readBytes(row, 15, lease.session.uuid.bytes);
}

bool readLease(const Statement& row, StoredRecord& found)
{
    LeaseRecord lease;
    if (!readIdentities(row, lease))
        return false;
    lease.term = Term(static_cast<std::uint64_t>(row.integer(5)));
    lease.label = row.text(8);
    if (!row.isNull(12))
        lease.metadata = row.text(12);
    lease.ttl = Milliseconds(row.integer(13));
    lease.lockDelay = Milliseconds(row.integer(14));
    lease.ephemeral = row.integer(16) != 0;
    lease.grantedAt = wallTime(row.integer(17));
    lease.deadline.boot = BootTime(BootClock::duration(row.integer(18)));
    lease.deadline.clock = row.text(19);
    lease.deadline.wall = wallTime(row.integer(20));
    lease.endedAt = wallTime(row.integer(22));

    found.row = row.integer(0);
    found.record = {{backend::Collection::Lease, row.text(1)},
                    std::move(lease),
                    Revision(static_cast<std::uint64_t>(row.integer(2)))};
    return true;
}

} // namespace

int LeaseStatements::prepare(sqlite3* connection)
{
    return prepareAll(connection, {
                                      {&_insert, insertSql},
                                      {&_update, updateSql},
                                      {&_erase, eraseSql},
                                      {&_find, findSql},
                                      {&_all, allSql},
                                      {&_last, lastSql},
                                  });
}

int LeaseStatements::insert(std::int64_t row, const std::string& name, const LeaseRecord& lease,
                            Revision version)
{
    bindValues(_insert, row, lease, version);
    _insert.bind(2, std::string_view(name));
    return _insert.run();
}

int LeaseStatements::update(std::int64_t row, const LeaseRecord& lease, Revision version)
{
    bindValues(_update, row, lease, version);
    return _update.run();
}

int LeaseStatements::erase(std::int64_t row)
{
    _erase.bind(1, row);
    return _erase.run();
}

int LeaseStatements::find(std::int64_t row, StoredRecord& found)
{
    return findRow(_find, row, readLease, found);
}

int LeaseStatements::lastRow(std::int64_t& row)
{
    const int code = _last.next();
    row = code == SQLITE_ROW ? _last.integer(0) : 0;
    _last.reset();
    return code;
}

int LeaseStatements::nextOfAll(StoredRecord& found)
{
    return nextRow(_all, readLease, found);
}

} // namespace octostore::sqlite
