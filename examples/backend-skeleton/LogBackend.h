// SPDX-License-Identifier: MIT
/// @file
/// A store in one file that only grows: a line of JSON for each commit.
#pragma once

#include <octostore/backend/Backend.h>
#include <octostore/base/Mutex.h>

#include <condition_variable>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace logbackend
{

using namespace octostore;

/// Shows what a backend has to do, in the fewest lines: judge conditions, number commits, be
/// durable before it answers, keep the journal. It never compacts its file. Thread-safety:
/// thread-safe.
class LogBackend final : public backend::Backend
{
public:
    /// Errors: Unavailable: the file cannot be opened.
    static Result<std::unique_ptr<backend::Backend>> open(const std::string& file);
    ~LogBackend() override;

    backend::Traits traits() const noexcept override { return {.shared = false, .durable = true}; }
    Result<Revision> load(const backend::RecordSink& sink) noexcept override;
    Result<void> start(backend::BackendListener& listener) noexcept override;
    void commit(std::vector<backend::Transaction> batch) noexcept override;
    void read(backend::ReadId request, std::vector<backend::Key> keys) noexcept override;
    void sync(backend::ReadId request) noexcept override;
    Result<std::vector<event::Event>> events(Sequence after, std::size_t limit) noexcept override;
    Result<void> trimEvents(Sequence upTo) noexcept override;
    void stop() noexcept override;
    std::uint64_t sizeBytes() const noexcept override;

private:
    /// A read(), or a sync() when there are no keys to look up.
    struct Question
    {
        backend::ReadId id;
        std::optional<std::vector<backend::Key>> keys;
    };

    explicit LogBackend(int file) : _file(file) {}
    Result<void> takeLine(const std::string& line);
    void run() noexcept;
    void commitAll(std::vector<backend::Transaction> batch);
    backend::Outcome judge(backend::Transaction& transaction, std::string& lines,
                           std::vector<event::Event>& happened);
    void answer(const Question& question);
    void ask(Question question);

    const int _file;
    backend::BackendListener* _listener = nullptr;
    std::thread _committer;

    // Of load(), then of the committer alone.
    std::map<backend::Key, backend::Record> _records;
    Revision _revision;
    bool _broken = false; ///< a write failed: what the file has is not known

    Mutex _mutex;
    std::condition_variable _wake;
    ClassQueue<backend::Transaction> _queue OCTOSTORE_GUARDED_BY(_mutex);
    std::deque<Question> _questions OCTOSTORE_GUARDED_BY(_mutex);
    std::deque<event::Event> _events OCTOSTORE_GUARDED_BY(_mutex);
    bool _stopping OCTOSTORE_GUARDED_BY(_mutex) = false;
};

} // namespace logbackend
