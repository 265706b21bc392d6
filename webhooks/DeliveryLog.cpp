// SPDX-License-Identifier: MIT
#include "DeliveryLog.h"

#include "SqliteDeliveryStore.h"

#include <utility>

#include <sys/prctl.h>

namespace octostore::webhooks
{

namespace
{

constexpr std::size_t batchMax = 1'000;
constexpr std::uint64_t batchBytesMax = 1024 * 1024;
constexpr std::chrono::seconds trimEvery{60};
/// In a flood it is trimmed whenever this part of its size was written, so that it is never much
/// above it.
constexpr std::uint64_t trimPart = 16;

} // namespace

Result<std::unique_ptr<DeliveryLog>> DeliveryLog::open(const std::string& file, const Clock& clock,
                                                       DeliveryLogLimits limits, Logger logger)
{
    auto store = SqliteDeliveryStore::open(file, std::move(logger));
    if (!store)
        return store.error();
    return std::make_unique<DeliveryLog>(*std::move(store), clock, limits);
}

DeliveryLog::DeliveryLog(std::unique_ptr<DeliveryStore> store, const Clock& clock,
                         DeliveryLogLimits limits)
    : _store(std::move(store)),
      _clock(clock),
      _limits(limits),
      _trimAt(clock.bootTime()),
      _thread([this] { run(); })
{
}

DeliveryLog::~DeliveryLog()
{
    stop();
}

void DeliveryLog::stop()
{
    {
        MutexLock lock(_mutex);
        _stopping = true;
    }
    _changed.notify_all();
    if (_thread.joinable())
        _thread.join();
}

void DeliveryLog::note(DeliveryNote note)
{
    {
        const std::uint64_t bytes = note.bytes();
        MutexLock lock(_mutex);
        if (_stopping || _notes.size() >= _limits.queued ||
            _queuedBytes + bytes > _limits.queuedBytes)
        {
            ++_dropped;
            return;
        }
        _queuedBytes += bytes;
        _notes.push_back(std::move(note));
    }
    _changed.notify_one();
}

void DeliveryLog::post(Task task)
{
    {
        MutexLock lock(_mutex);
        if (_stopping)
            return;
        _questions.push_back({_taken + _notes.size(), std::move(task)});
    }
    _changed.notify_one();
}

void DeliveryLog::list(DeliveryQuery query, std::function<void(std::vector<DeliveryRow>)> done)
{
    post([this, query = std::move(query), done = std::move(done)] { done(_store->list(query)); });
}

void DeliveryLog::find(std::string webhook, DeliveryKey key,
                       std::function<void(std::optional<DeliveryDetail>)> done)
{
    post([this, webhook = std::move(webhook), key, done = std::move(done)]
         { done(_store->find(webhook, key)); });
}

void DeliveryLog::stats(std::string webhook, std::function<void(DeliveryStats)> done)
{
    post([this, webhook = std::move(webhook), done = std::move(done)]
         { done(_store->stats(webhook, _clock.wallTime() - std::chrono::hours(24))); });
}

DeliveryLog::Work DeliveryLog::take()
{
    Work work;
    MutexLock lock(_mutex);
    if (_notes.empty() && _questions.empty() && !_stopping)
        lock.waitFor(_changed, trimEvery);
    for (std::uint64_t bytes = 0;
         !_notes.empty() && work.notes.size() < batchMax && bytes < batchBytesMax;
         _notes.pop_front())
    {
        bytes += _notes.front().bytes();
        _queuedBytes -= _notes.front().bytes();
        work.notes.push_back(std::move(_notes.front()));
    }
    _taken += work.notes.size();
    // Those that came in meanwhile keep no question waiting.
    for (; !_questions.empty() && _questions.front().after <= _taken; _questions.pop_front())
        work.questions.push_back(std::move(_questions.front().ask));
    work.last = _stopping && _notes.empty();
    return work;
}

void DeliveryLog::write(const std::vector<DeliveryNote>& notes)
{
    if (!notes.empty() && !_store->write(notes))
        _dropped += notes.size();
    for (const DeliveryNote& note : notes)
        _untrimmed += note.bytes();
}

void DeliveryLog::trim()
{
    if (_clock.bootTime() < _trimAt && _untrimmed < _limits.bytes / trimPart)
        return;
    _store->trim(_clock.wallTime(), _limits);
    _trimAt = _clock.bootTime() + trimEvery;
    _untrimmed = 0;
}

void DeliveryLog::run() noexcept
{
    prctl(PR_SET_NAME, "webhook-log");
    for (;;)
    {
        const Work work = take();
        write(work.notes);
        trim();
        for (const Task& question : work.questions)
            question();
        if (work.last)
            return;
    }
}

} // namespace octostore::webhooks
