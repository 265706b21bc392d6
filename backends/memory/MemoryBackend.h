// SPDX-License-Identifier: MIT
/// @file
/// The backend of tests: one server's view of a MemoryStore, with a thread of its own.
#pragma once

#include "MemoryStore.h"

#include <octostore/backend/Backend.h>
#include <octostore/base/Mutex.h>

#include <condition_variable>
#include <deque>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace octostore::memory
{

/// Keeps nothing when the process ends. Outcomes come from the committer thread, never from within
/// commit(): whoever works with this backend meets the same asynchrony as with a durable one.
/// Thread-safety: thread-safe.
class MemoryBackend final : public backend::Backend
{
public:
    explicit MemoryBackend(std::shared_ptr<MemoryStore> store);
    /// Calls stop().
    ~MemoryBackend() override;

    backend::Traits traits() const noexcept override;
    Result<Revision> load(const backend::RecordSink& sink) noexcept override;
    Result<void> start(backend::BackendListener& listener) noexcept override;
    void commit(std::vector<backend::Transaction> batch) noexcept override
        OCTOSTORE_EXCLUDES(_mutex);
    void read(backend::ReadId request, std::vector<backend::Key> keys) noexcept override
        OCTOSTORE_EXCLUDES(_mutex);
    void sync(backend::ReadId request) noexcept override OCTOSTORE_EXCLUDES(_mutex);
    Result<std::vector<event::Event>> events(Sequence after, std::size_t limit) noexcept override;
    Result<void> trimEvents(Sequence upTo) noexcept override;
    void stop() noexcept override OCTOSTORE_EXCLUDES(_mutex);
    std::uint64_t sizeBytes() const noexcept override { return 0; }

private:
    /// A read(), or a sync() when there are no keys to look up.
    struct Question
    {
        backend::ReadId id;
        std::optional<std::vector<backend::Key>> keys;
    };
    struct Work
    {
        std::vector<backend::Transaction> transactions;
        std::deque<Question> questions;
    };

    void run() noexcept;
    void feed() noexcept;
    /// Waits for something to do; nothing when stopped and all is done.
    std::optional<Work> takeWork() OCTOSTORE_EXCLUDES(_mutex);
    void ask(Question question) OCTOSTORE_EXCLUDES(_mutex);
    void answer(const Question& question);

    const std::shared_ptr<MemoryStore> _store;
    backend::BackendListener* _listener = nullptr; // set by start(), before the thread
    Revision _fed;                                 // the committer's own, once it runs
    std::thread _committer;
    Mutex _mutex;
    std::condition_variable _wake;
    ClassQueue<backend::Transaction> _queue OCTOSTORE_GUARDED_BY(_mutex);
    std::deque<Question> _questions OCTOSTORE_GUARDED_BY(_mutex);
    bool _stopping OCTOSTORE_GUARDED_BY(_mutex) = false;
};

} // namespace octostore::memory
