// SPDX-License-Identifier: MIT
#include "DeliveryLog.h"

#include "DeliveryStore.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <sys/prctl.h>

namespace octostore::webhooks
{

namespace
{

constexpr std::size_t batchMax = 1'000;
constexpr std::chrono::seconds trimEvery{60};

} // namespace

Result<std::unique_ptr<DeliveryLog>> DeliveryLog::open(const std::string& file, const Clock& clock,
                                                       DeliveryLogLimits limits, Logger logger)
{
    auto store = Store::open(file);
    if (!store)
        return store.error();
    return std::unique_ptr<DeliveryLog>(
        new DeliveryLog(*std::move(store), clock, limits, std::move(logger)));
}

DeliveryLog::DeliveryLog(std::unique_ptr<Store> store, const Clock& clock, DeliveryLogLimits limits,
                         Logger logger)
    : _store(std::move(store)),
      _clock(clock),
      _limits(limits),
      _logger(std::move(logger)),
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
        MutexLock lock(_mutex);
        if (_stopping || _notes.size() >= _limits.queued)
        {
            ++_dropped;
            return;
        }
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
        _questions.push_back(std::move(task));
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

void DeliveryLog::run() noexcept
{
    prctl(PR_SET_NAME, "webhook-log");
    BootTime trimAt = _clock.bootTime();
    for (;;)
    {
        std::vector<DeliveryNote> notes;
        std::deque<Task> questions;
        bool stopping = false;
        {
            MutexLock lock(_mutex);
            if (_notes.empty() && _questions.empty() && !_stopping)
                lock.waitFor(_changed, trimEvery);
            const auto count = static_cast<std::ptrdiff_t>(std::min(batchMax, _notes.size()));
            std::move(_notes.begin(), _notes.begin() + count, std::back_inserter(notes));
            _notes.erase(_notes.begin(), _notes.begin() + count);
            if (_notes.empty())
                questions.swap(_questions);
            stopping = _stopping && _notes.empty();
        }
        if (!notes.empty() && !_store->write(notes))
        {
            _dropped += notes.size();
            _logger.warning("deliveries could not be logged", {{"count", notes.size()}});
        }
        for (const Task& question : questions)
            question();
        if (stopping)
            return;
        if (_clock.bootTime() >= trimAt)
        {
            _store->trim(_clock.wallTime(), _limits);
            trimAt = _clock.bootTime() + trimEvery;
        }
    }
}

} // namespace octostore::webhooks
