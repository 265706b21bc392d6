// SPDX-License-Identifier: MIT
#include "Writer.h"

#include "Schema.h"

#include <octostore/backend/Codec.h>

#include <sqlite3.h>

#include <algorithm>
#include <utility>

namespace octostore::sqlite
{

using backend::Condition;

namespace
{

constexpr int writerCacheKilobytes = 32 * 1024;

int noteLogPages(void* pages, sqlite3*, const char*, int count)
{
    *static_cast<std::uint32_t*>(pages) = static_cast<std::uint32_t>(count);
    return SQLITE_OK;
}

} // namespace

Writer::Writer(const Options& options, StoreFiles& files) : _options(options), _files(files) {}

Writer::~Writer()
{
    disconnect();
}

Result<std::unique_ptr<Writer>> Writer::open(const Options& options, StoreFiles& files)
{
    std::unique_ptr<Writer> writer(new Writer(options, files));
    if (Result<void> connected = writer->connect(Database::Mode::CreateIfMissing); !connected)
        return connected.error();
    if (Result<void> remembered = files.remember(); !remembered)
        return remembered.error();
    return writer;
}

Result<void> Writer::connect(Database::Mode mode)
{
    Result<std::unique_ptr<Database>> opened = Database::open(_files.path(), _options, mode);
    if (!opened)
        return opened.error();
    _database = *std::move(opened);
    if (Result<void> cache = _database->setCacheKilobytes(writerCacheKilobytes); !cache)
        return cache;
    if (mode == Database::Mode::CreateIfMissing)
    {
        if (Result<void> migrated = migrate(*_database); !migrated)
            return migrated;
    }
    _tables = std::make_unique<Tables>();
    if (const int code = _tables->prepare(_database->handle()); code != SQLITE_OK)
        return _database->failure(code, "Preparing statements");
    sqlite3_wal_hook(_database->handle(), &noteLogPages, &_logPages);
    return {};
}

void Writer::disconnect() noexcept
{
    _tables.reset();
    _database.reset();
}

int Writer::failPoint(std::string_view step)
{
    return _options.failPoint ? _options.failPoint(step, _database->handle()) : SQLITE_OK;
}

Result<Revision> Writer::load(const backend::RecordSink& sink)
{
    if (Result<void> durable = _database->emptyLog(); !durable)
        return durable.error();
    reserveIndex();
    StoredRecord found;
    int code = _tables->nextOfAll(found);
    for (; code == SQLITE_ROW; code = _tables->nextOfAll(found))
    {
        if (!_index.restore(found.record.key, {found.row, found.record.version}))
            return Error{ErrorCode::Corrupt,
                         "The database has two rows for \"" + found.record.key.name + "\"."};
        sink(std::move(found.record));
    }
    BatchRow batch;
    if (code == SQLITE_DONE)
        code = _tables->readBatch(batch);
    if (code != SQLITE_ROW)
        return _database->failure(code, "Loading");
    _batch = batch.number;
    _fence = batch.fence;
    _revision = batch.revision;
    _committedRevision = _revision;
    return _revision;
}

void Writer::reserveIndex()
{
    // Saves a million keys from being moved twenty times. Rows are numbered through for ever, so
    // their numbers alone could be much too high a guess.
    constexpr std::uint64_t rowBytesMin = 256;
    std::int64_t last = 0;
    if (_tables->lastLeaseRow(last) == SQLITE_ROW)
        _index.reserve(backend::Collection::Lease, std::min(static_cast<std::uint64_t>(last),
                                                            _files.databaseBytes() / rowBytesMin));
}

Result<void> Writer::begin()
{
    _changed = false;
    int code = failPoint("begin");
    if (code == SQLITE_OK)
        code = _tables->begin();
    if (code != SQLITE_OK)
        return _database->failure(code, "Beginning a transaction");
    ++_batch;
    return {};
}

bool Writer::holds(const Condition& condition) const
{
    const std::optional<Place> place = _index.find(condition.key);
    switch (condition.kind)
    {
    case Condition::Kind::Absent:
        return !place;
    case Condition::Kind::AtVersion:
        return place && place->version == condition.version;
    case Condition::Kind::Present:
        return place.has_value();
    }
    return false;
}

Result<backend::Record> Writer::recordOf(const backend::Key& key)
{
    const std::optional<Place> place = _index.find(key);
    if (!place)
        return backend::Record{key, {}, Revision{}};
    StoredRecord found;
    int code = _tables->find(place->row, key.collection, found);
    // The row must be the one we think it is: all writes are blind.
    if (code == SQLITE_ROW && (found.record.key != key || found.record.version != place->version))
        code = SQLITE_CORRUPT;
    if (code != SQLITE_ROW)
        return _database->failure(code, "Reading");
    return std::move(found.record);
}

Result<backend::Outcome> Writer::apply(backend::Transaction transaction)
{
    if (!backend::isWellFormed(transaction))
        return backend::Outcome{transaction.id, backend::Failed{{ErrorCode::Unavailable,
                                                                 "The transaction is malformed."}}};
    backend::Conflict conflict;
    for (const Condition& condition : transaction.conditions)
    {
        if (holds(condition))
            continue;
        Result<backend::Record> current = recordOf(condition.key);
        if (!current)
            return current.error();
        conflict.current.push_back(*std::move(current));
    }
    if (!conflict.current.empty())
        return backend::Outcome{transaction.id, std::move(conflict)};

    _revision = Revision(_revision.value() + 1);
    _changed = true;
    if (const int code = write(transaction, _revision); code != SQLITE_OK)
        return _database->failure(code, "Writing");
    return backend::Outcome{transaction.id, backend::Committed{_revision}};
}

int Writer::write(backend::Transaction& transaction, Revision revision)
{
    int code = failPoint("write");
    for (backend::Put& put : transaction.puts)
    {
        if (code != SQLITE_OK)
            return code;
        code = this->put(put, revision);
    }
    for (const backend::Key& key : transaction.erasures)
    {
        const std::optional<Place> place = _index.find(key);
        if (code != SQLITE_OK || !place)
            continue;
        code = _tables->erase(place->row, key.collection);
        _index.erase(key);
    }
    if (code == SQLITE_OK && transaction.event)
    {
        backend::stamp(*transaction.event, revision);
        code = _tables->addEvent(revision, *transaction.event);
    }
    return code;
}

int Writer::put(backend::Put& put, Revision revision)
{
    backend::stamp(put.value, revision);
    const std::optional<Place> place = _index.find(put.key);
    const std::int64_t row = place ? place->row : _index.newRow(put.key.collection);
    _index.put(put.key, {row, revision});
    return place ? _tables->update(row, put.key, put.value, revision)
                 : _tables->insert(row, put.key, put.value, revision);
}

void Writer::keep()
{
    _index.keep();
    _committedRevision = _revision;
}

bool Writer::rollBack() noexcept
{
    // Some errors make SQLite roll back by itself.
    if (sqlite3_get_autocommit(_database->handle()) != 0)
        return true;
    return _tables->rollBack() == SQLITE_OK && sqlite3_get_autocommit(_database->handle()) != 0;
}

Ending Writer::abandon(Error error)
{
    if (!rollBack())
        return {Ending::Kind::Unknown, std::move(error)};
    _index.undo();
    return {Ending::Kind::Unchanged, std::move(error)};
}

Ending Writer::commit()
{
    int code = SQLITE_OK;
    if (!_changed)
    {
        // Only conflicts: they hold whatever becomes of this transaction.
        if (!rollBack())
            return {Ending::Kind::Unknown, Error{ErrorCode::Unavailable, "Rolling back failed."}};
        return {};
    }
    code = _tables->writeBatch({_batch, _revision, _fence});
    if (code != SQLITE_OK)
        return abandon(_database->failure(code, "Writing"));

    code = failPoint("commit-before");
    if (code == SQLITE_OK)
        code = _tables->commit();
    if (code == SQLITE_OK)
        code = failPoint("commit-after");
    if (code == SQLITE_OK)
    {
        keep();
        return {};
    }
    // A failed COMMIT is not "nothing changed": after a failed sync the transaction may still be in
    // the log. Only for "full" is it certain that the last page of it was never written.
    Error error = _database->failure(code, "Committing");
    if (isFull(code))
        return abandon(std::move(error));
    return {Ending::Kind::Unknown, std::move(error)};
}

Result<bool> Writer::settle()
{
    disconnect();
    if (Result<void> same = _files.check(); !same)
        return same.error();
    if (Result<void> connected = connect(Database::Mode::MustExist); !connected)
        return connected.error();
    if (const int code = failPoint("settle"); code != SQLITE_OK)
        return _database->failure(code, "Reading the fate of a batch");
    // Whatever the log has becomes part of the database, durably, before anybody looks at it.
    if (Result<void> durable = _database->emptyLog(); !durable)
        return durable.error();
    BatchRow stored;
    if (const int code = _tables->readBatch(stored); code != SQLITE_ROW)
        return _database->failure(code, "Reading the fate of a batch");
    if (const int code = makeFence(stored); code != SQLITE_OK)
        return _database->failure(code, "Making sure of the fate of a batch");

    const bool committed = stored.number == _batch;
    if (committed)
        keep();
    else
        _index.undo();
    return committed;
}

int Writer::makeFence(BatchRow stored)
{
    // Emptying the log does not sync its new length; the next commit does, since it starts the log
    // anew. Until then a power failure could bring back what the old log held.
    int code = _tables->begin();
    _fence = stored.fence + 1;
    if (code == SQLITE_OK)
        code = _tables->writeBatch({stored.number, stored.revision, _fence});
    return code == SQLITE_OK ? _tables->commit() : code;
}

Result<std::vector<backend::Record>> Writer::read(const std::vector<backend::Key>& keys)
{
    std::vector<backend::Record> found;
    found.reserve(keys.size());
    for (const backend::Key& key : keys)
    {
        Result<backend::Record> record = recordOf(key);
        if (!record)
            return record.error();
        found.push_back(*std::move(record));
    }
    return found;
}

std::uint32_t Writer::copyLog()
{
    int pages = 0;
    int copied = 0;
    const int code = sqlite3_wal_checkpoint_v2(_database->handle(), nullptr,
                                               SQLITE_CHECKPOINT_PASSIVE, &pages, &copied);
    return code == SQLITE_OK && copied > 0 ? static_cast<std::uint32_t>(copied) : 0;
}

} // namespace octostore::sqlite
