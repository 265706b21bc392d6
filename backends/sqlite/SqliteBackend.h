// SPDX-License-Identifier: MIT
/// @file
/// The default backend: one SQLite file, one server.
#pragma once

#include "Checkpointer.h"
#include "Committer.h"
#include "Journal.h"
#include "Loss.h"
#include "Options.h"
#include "StoreFiles.h"
#include "Turn.h"
#include "Writer.h"

#include <octostore/backend/Backend.h>

#include <memory>

namespace octostore::sqlite
{

/// Puts the parts together; each says what it does. Thread-safety: thread-safe from start() on.
class SqliteBackend final : public backend::Backend
{
public:
    /// `options.clock` must outlive the backend.
    /// Errors: Configuration, Unavailable (in use by another server, or not durable), Corrupt.
    static Result<std::unique_ptr<SqliteBackend>> open(Options options);
    /// Calls stop().
    ~SqliteBackend() override;

    backend::Traits traits() const noexcept override;
    Result<Revision> load(const backend::RecordSink& sink) noexcept override;
    Result<void> start(backend::BackendListener& listener) noexcept override;
    void commit(std::vector<backend::Transaction> batch) noexcept override;
    void read(backend::ReadId request, std::vector<backend::Key> keys) noexcept override;
    void sync(backend::ReadId request) noexcept override;
    Result<std::vector<event::Event>> events(Sequence after, std::size_t limit) noexcept override;
    Result<void> trimEvents(Sequence upTo) noexcept override;
    void stop() noexcept override;
    std::uint64_t sizeBytes() const noexcept override;
    Result<void> snapshot(const std::string& file,
                          const std::function<bool()>& cancelled) noexcept override;

private:
    explicit SqliteBackend(Options options);

    // In the order in which they are needed: the lock is let go last.
    const Options _options;
    Loss _loss;
    Turn _turn;
    std::unique_ptr<StoreFiles> _files;
    std::unique_ptr<Writer> _writer;
    std::unique_ptr<Checkpointer> _checkpointer;
    std::unique_ptr<Journal> _journal;
    std::unique_ptr<Committer> _committer;
    bool _loaded = false;
};

} // namespace octostore::sqlite
