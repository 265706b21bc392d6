// SPDX-License-Identifier: MIT
#include "Restore.h"

#include "Database.h"
#include "PageCopy.h"
#include "Placement.h"
#include "Schema.h"
#include "StoreFiles.h"

#include <octostore/backend/Codec.h>

#include <Poco/Data/Session.h>
#include <Poco/Exception.h>

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

namespace octostore::sqlite
{

using namespace Poco::Data::Keywords;

namespace
{

namespace fs = std::filesystem;

/// The new file while it is made, and the lock it is made under.
class Workpiece
{
public:
    static Result<std::unique_ptr<Workpiece>> begin(const std::string& database)
    {
        const std::string file = database + ".restoring";
        removeDatabase(file); // of an attempt that was killed
        Result<std::unique_ptr<StoreFiles>> files = StoreFiles::lock(file);
        if (!files)
            return files.error();
        return std::unique_ptr<Workpiece>(new Workpiece(*std::move(files)));
    }
    ~Workpiece()
    {
        removeDatabase(file());
        std::error_code ignored;
        fs::remove(_files->lockPath(), ignored);
    }
    const std::string& file() const { return _files->path(); }

private:
    explicit Workpiece(std::unique_ptr<StoreFiles> files) : _files(std::move(files)) {}
    const std::unique_ptr<StoreFiles> _files;
};

Result<void> copyFrom(const std::string& from, const std::string& to)
{
    Result<PlainConnection> source = openFinishedFile(from);
    if (!source)
        return source.error();
    Result<PlainConnection> target = createFile(to);
    if (!target)
        return target.error();
    return copyPages(source->get(), target->get(), [] { return false; });
}

Result<void> checkPages(Database& database, const std::string& from)
{
    std::string verdict;
    database.session() << "PRAGMA integrity_check(1)", into(verdict), now;
    if (verdict == "ok")
        return {};
    return Error{ErrorCode::Corrupt, from + " is damaged: " + verdict};
}

void erase(Database& database, const backend::Key& key)
{
    auto collection = static_cast<Poco::Int64>(key.collection);
    std::string name = key.name;
    database.session() << "DELETE FROM record WHERE collection = ? AND name = ?", use(collection),
        use(name), now;
}

void put(Database& database, const backend::Put& put, Poco::Int64 revision)
{
    erase(database, put.key);
    auto collection = static_cast<Poco::Int64>(put.key.collection);
    std::string name = put.key.name;
    std::string value = backend::encodeValue(put.value);
    database.session() << "INSERT INTO record (collection, name, version, value)"
                          " VALUES (?, ?, ?, ?)",
        use(collection), use(name), use(revision), use(value), now;
}

backend::RestoreReport rewrite(Database& database, const backend::RestoreOrder& order)
{
    Poco::Int64 last = 0;
    database.session() << "BEGIN IMMEDIATE", now;
    database.session() << "SELECT revision FROM batch", into(last), now;
    Poco::Int64 next = last + static_cast<Poco::Int64>(order.skip);
    database.session() << "UPDATE batch SET revision = ?", use(next), now;
    for (const backend::Key& key : order.erasures)
        erase(database, key);
    for (const backend::Put& record : order.puts)
        put(database, record, next);
    database.session() << "COMMIT", now;
    return {
        Revision(static_cast<std::uint64_t>(last)), Revision(static_cast<std::uint64_t>(next)), {}};
}

/// What the copy has to become before it is a store. It is closed, and all of it on disk, then.
Result<backend::RestoreReport> prepare(const std::string& file, const Options& options,
                                       const backend::RestoreOrder& order)
{
    Result<std::unique_ptr<Database>> opened =
        Database::open(file, options, Database::Mode::MustExist);
    if (!opened)
        return opened.error();
    Database& database = **opened;
    backend::RestoreReport report;
    try
    {
        if (Result<void> sound = checkPages(database, order.from); !sound)
            return sound.error();
        if (Result<void> ours = migrate(database); !ours)
            return Error{ours.error().code, order.from + ": " + ours.error().message};
        report = rewrite(database, order);
    }
    catch (const Poco::Exception& exception)
    {
        return database.failure(exception, "Preparing the restored store");
    }
    if (Result<void> written = database.emptyLog(); !written)
        return written.error();
    return report;
}

} // namespace

Result<backend::RestoreReport> restoreDatabase(const Options& options,
                                               const backend::RestoreOrder& order)
{
    // No server can come in between: it would need this lock.
    Result<std::unique_ptr<StoreFiles>> lock = StoreFiles::lock(options.path);
    if (!lock)
        return lock.error();
    const std::string& database = (*lock)->path();
    if (isThere(database) && !order.replace)
        return Error{ErrorCode::Conflict, "There is a database already: " + database + "."};

    Result<std::unique_ptr<Workpiece>> workpiece = Workpiece::begin(database);
    if (!workpiece)
        return workpiece.error();
    const std::string& file = (*workpiece)->file();
    if (Result<void> copied = copyFrom(order.from, file); !copied)
        return Error{copied.error().code, order.from + ": " + copied.error().message};
    Result<backend::RestoreReport> report = prepare(file, options, order);
    if (!report)
        return report;
    Result<std::string> aside = placeDatabase(file, database, options.failPoint);
    if (!aside)
        return aside.error();
    report->aside = *std::move(aside);
    return report;
}

} // namespace octostore::sqlite
