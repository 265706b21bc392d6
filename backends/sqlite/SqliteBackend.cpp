// SPDX-License-Identifier: MIT
#include "SqliteBackend.h"

#include "Snapshot.h"

#include <utility>

namespace octostore::sqlite
{

SqliteBackend::SqliteBackend(Options options) : _options(std::move(options)), _loss(_options.logger)
{
}

SqliteBackend::~SqliteBackend()
{
    stop();
}

Result<std::unique_ptr<SqliteBackend>> SqliteBackend::open(Options options)
{
    OCTOSTORE_ASSERT(options.clock != nullptr);
    std::unique_ptr<SqliteBackend> backend(new SqliteBackend(std::move(options)));
    const Options& kept = backend->_options;
    Result<std::unique_ptr<StoreFiles>> files = StoreFiles::lock(kept.path);
    if (!files)
        return files.error();
    backend->_files = *std::move(files);
    Result<std::unique_ptr<Writer>> writer = Writer::open(kept, *backend->_files);
    if (!writer)
        return writer.error();
    backend->_writer = *std::move(writer);
    backend->_checkpointer = std::make_unique<Checkpointer>(kept, *backend->_files, backend->_loss);
    backend->_journal =
        std::make_unique<Journal>(kept, *backend->_files, backend->_turn, backend->_loss);
    backend->_committer =
        std::make_unique<Committer>(kept, *backend->_files, *backend->_writer,
                                    *backend->_checkpointer, backend->_turn, backend->_loss);
    return backend;
}

backend::Traits SqliteBackend::traits() const noexcept
{
    return {.shared = false, .durable = true};
}

Result<Revision> SqliteBackend::load(const backend::RecordSink& sink) noexcept
{
    OCTOSTORE_ASSERT(!_loaded);
    _loaded = true;
    return _writer->load(sink);
}

Result<void> SqliteBackend::start(backend::BackendListener& listener) noexcept
{
    // What load() has not given, the writer does not know.
    OCTOSTORE_ASSERT(_loaded);
    if (Result<void> opened = _checkpointer->open(); !opened)
        return opened;
    _loss.reportTo(&listener);
    _checkpointer->start();
    _committer->start(listener);
    return {};
}

void SqliteBackend::commit(std::vector<backend::Transaction> batch) noexcept
{
    _committer->commit(std::move(batch));
}

void SqliteBackend::read(backend::ReadId request, std::vector<backend::Key> keys) noexcept
{
    _committer->read(request, std::move(keys));
}

void SqliteBackend::sync(backend::ReadId request) noexcept
{
    _committer->sync(request);
}

Result<std::vector<event::Event>> SqliteBackend::events(Sequence after, std::size_t limit) noexcept
{
    return _journal->events(after, limit);
}

Result<void> SqliteBackend::trimEvents(Sequence upTo) noexcept
{
    return _journal->trim(upTo);
}

void SqliteBackend::stop() noexcept
{
    if (_committer)
        _committer->stop();
    if (_checkpointer)
        _checkpointer->stop();
    _loss.reportTo(nullptr);
}

std::uint64_t SqliteBackend::sizeBytes() const noexcept
{
    return _files->databaseBytes();
}

Result<void> SqliteBackend::snapshot(const std::string& file,
                                     const std::function<bool()>& cancelled) noexcept
{
    Result<void> taken = takeSnapshot(_options, *_files, file, cancelled);
    if (!taken && taken.error().code == ErrorCode::Corrupt)
        _loss.declare(taken.error());
    return taken;
}

} // namespace octostore::sqlite
