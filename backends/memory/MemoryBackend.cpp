// SPDX-License-Identifier: MIT
#include "MemoryBackend.h"

#include <chrono>
#include <utility>

namespace octostore::memory
{

namespace
{
constexpr std::size_t batchMax = 512;
/// How often a server of a shared store looks for the commits of the others.
constexpr std::chrono::milliseconds feedInterval{2};
} // namespace

MemoryBackend::MemoryBackend(std::shared_ptr<MemoryStore> store) : _store(std::move(store)) {}

MemoryBackend::~MemoryBackend()
{
    stop();
}

backend::Traits MemoryBackend::traits() const noexcept
{
    return {.shared = _store->isShared(), .durable = false};
}

Result<Revision> MemoryBackend::load(const backend::RecordSink& sink) noexcept
{
    _fed = _store->load(sink);
    return _fed;
}

Result<void> MemoryBackend::start(backend::BackendListener& listener) noexcept
{
    OCTOSTORE_ASSERT(!_committer.joinable());
    _listener = &listener;
    _committer = std::thread([this] { run(); });
    return {};
}

void MemoryBackend::commit(std::vector<backend::Transaction> batch) noexcept
{
    {
        MutexLock lock(_mutex);
        for (backend::Transaction& transaction : batch)
        {
            const Priority priority = transaction.priority;
            _queue.push(priority, std::move(transaction));
        }
    }
    _wake.notify_one();
}

void MemoryBackend::read(backend::ReadId request, std::vector<backend::Key> keys) noexcept
{
    ask({request, std::move(keys)});
}

void MemoryBackend::sync(backend::ReadId request) noexcept
{
    ask({request, std::nullopt});
}

void MemoryBackend::ask(Question question)
{
    {
        MutexLock lock(_mutex);
        _questions.push_back(std::move(question));
    }
    _wake.notify_one();
}

Result<std::vector<event::Event>> MemoryBackend::events(Sequence after, std::size_t limit) noexcept
{
    return _store->events(after, limit);
}

Result<void> MemoryBackend::trimEvents(Sequence upTo) noexcept
{
    _store->trimEvents(upTo);
    return {};
}

void MemoryBackend::stop() noexcept
{
    {
        MutexLock lock(_mutex);
        _stopping = true;
    }
    _wake.notify_one();
    if (_committer.joinable())
        _committer.join();
}

void MemoryBackend::run() noexcept
{
    while (std::optional<Work> work = takeWork())
    {
        std::vector<backend::Outcome> outcomes;
        outcomes.reserve(work->transactions.size());
        for (backend::Transaction& transaction : work->transactions)
            outcomes.push_back(_store->commit(std::move(transaction)));
        if (!outcomes.empty())
            _listener->outcomes(std::move(outcomes));
        feed();
        for (const Question& question : work->questions)
            answer(question);
    }
}

/// Tells everything that was committed since; our own commits were reported before.
void MemoryBackend::feed() noexcept
{
    if (!_store->isShared())
        return;
    MemoryStore::Changes changes = _store->changes(_fed);
    if (changes.upTo == _fed)
        return;
    _fed = changes.upTo;
    _listener->changes(std::move(changes.records), changes.upTo);
}

std::optional<MemoryBackend::Work> MemoryBackend::takeWork()
{
    MutexLock lock(_mutex);
    while (_queue.empty() && _questions.empty())
    {
        if (_stopping)
            return std::nullopt;
        if (!_store->isShared())
            lock.wait(_wake);
        else if (!lock.waitFor(_wake, feedInterval))
            return Work{};
    }
    return Work{_queue.take(batchMax), std::exchange(_questions, {})};
}

void MemoryBackend::answer(const Question& question)
{
    if (question.keys)
        _listener->records(question.id, _store->read(*question.keys));
    else
        _listener->caughtUp(question.id, _store->isShared() ? _fed : _store->revision());
}

} // namespace octostore::memory
