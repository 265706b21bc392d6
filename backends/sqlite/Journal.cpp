// SPDX-License-Identifier: MIT
#include "Journal.h"

#include <octostore/backend/Codec.h>

#include <Poco/Data/RecordSet.h>
#include <Poco/Data/Session.h>
#include <Poco/Exception.h>
#include <sqlite3.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace octostore::sqlite
{

using namespace Poco::Data::Keywords;

namespace
{

constexpr int journalCacheKilobytes = 512;
constexpr Poco::Int64 trimSliceMax = 1000;

/// SQLite's integers are signed; "up to the end" may be asked for as the largest there is.
Poco::Int64 toSigned(std::uint64_t value)
{
    return static_cast<Poco::Int64>(
        std::min<std::uint64_t>(value, std::numeric_limits<Poco::Int64>::max()));
}

} // namespace

struct Journal::Page
{
    std::vector<Poco::Int64> sequences;
    std::vector<std::string> texts;
};

Journal::Journal(const Options& options, const StoreFiles& files, Turn& turn, Loss& loss)
    : _options(options), _files(files), _turn(turn), _loss(loss)
{
}

Journal::~Journal() = default;

Result<Database*> Journal::connect(std::unique_ptr<Database>& connection)
{
    if (connection)
        return connection.get();
    // Another file at the path must not be opened: its journal is not ours.
    if (Result<void> same = _files.check(); !same)
        return same.error();
    Result<std::unique_ptr<Database>> opened =
        Database::open(_files.path(), _options, Database::Mode::MustExist);
    if (!opened)
        return opened.error();
    if (Result<void> cache = (*opened)->setCacheKilobytes(journalCacheKilobytes); !cache)
        return cache.error();
    connection = *std::move(opened);
    return connection.get();
}

Result<std::vector<event::Event>> Journal::events(Sequence after, std::size_t limit)
{
    const Result<Page> page = readPage(after, limit);
    if (!page)
    {
        if (page.error().code == ErrorCode::Corrupt)
            _loss.declare(page.error());
        return page.error();
    }
    std::vector<event::Event> events;
    events.reserve(page->sequences.size());
    for (std::size_t i = 0; i < page->sequences.size(); ++i)
    {
        Result<event::Draft> draft = backend::decodeEvent(page->texts[i]);
        if (!draft)
            return draft.error();
        events.push_back(
            {Sequence(static_cast<std::uint64_t>(page->sequences[i])), *std::move(draft)});
    }
    return events;
}

Result<Journal::Page> Journal::readPage(Sequence after, std::size_t limit)
{
    Page page;
    Poco::Int64 first = toSigned(after.value());
    Poco::Int64 most = toSigned(limit);
    MutexLock lock(_mutex);
    Result<Database*> database = connect(_reader);
    if (!database)
        return database.error();
    try
    {
        (*database)->session()
            << "SELECT sequence, event FROM journal WHERE sequence > ? ORDER BY sequence LIMIT ?",
            into(page.sequences), into(page.texts), use(first), use(most), now;
        return page;
    }
    catch (const Poco::Exception& exception)
    {
        Error error = (*database)->failure(exception, "Reading the journal");
        _reader.reset();
        return error;
    }
}

Result<void> Journal::trim(Sequence upTo)
{
    Result<std::size_t> gone = std::size_t{0};
    do
    {
        TurnLock turn(_turn);
        gone = trimSlice(upTo);
        if (!gone)
            _trimmer.reset();
    } while (gone && *gone == static_cast<std::size_t>(trimSliceMax));
    if (gone)
        return {};
    if (gone.error().code == ErrorCode::Corrupt)
        _loss.declare(gone.error());
    return gone.error();
}

Result<std::size_t> Journal::trimSlice(Sequence upTo)
{
    Result<Database*> database = connect(_trimmer);
    if (!database)
        return database.error();
    Poco::Int64 last = toSigned(upTo.value());
    Poco::Int64 limit = trimSliceMax;
    try
    {
        // One statement is one transaction.
        (*database)->session() << "DELETE FROM journal WHERE sequence IN (SELECT sequence FROM"
                                  " journal WHERE sequence <= ? ORDER BY sequence LIMIT ?)",
            use(last), use(limit), now;
        return static_cast<std::size_t>(sqlite3_changes((*database)->handle()));
    }
    catch (const Poco::Exception& exception)
    {
        return (*database)->failure(exception, "Trimming the journal");
    }
}

} // namespace octostore::sqlite
