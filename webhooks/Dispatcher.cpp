// SPDX-License-Identifier: MIT
#include "Dispatcher.h"

#include <algorithm>
#include <chrono>

#include <sys/prctl.h>

namespace octostore::webhooks
{

namespace
{

constexpr Milliseconds turnEvery{1'000};

} // namespace

Dispatcher::Dispatcher(DispatcherParts parts, DispatcherOptions options)
    : _parts(std::move(parts)), _options(std::move(options))
{
}

Dispatcher::~Dispatcher()
{
    stop();
}

void Dispatcher::start()
{
    {
        MutexLock lock(_mutex);
        _started = true;
    }
    _thread = std::thread([this] { run(); });
}

void Dispatcher::step()
{
    for (bool more = true; more;)
    {
        turn();
        more = false;
        for (;;)
        {
            std::optional<Job> job;
            {
                MutexLock lock(_mutex);
                job = pick(_parts.clock.now());
            }
            if (!job)
                break;
            more = true;
            perform(*std::move(job));
        }
        MutexLock lock(_mutex);
        more = std::exchange(_woken, false) || more;
    }
}

void Dispatcher::stop()
{
    std::vector<std::thread> workers;
    {
        MutexLock lock(_mutex);
        _stopping = true;
        workers.swap(_workers);
    }
    _parts.sender.stop();
    _changed.notify_all();
    _work.notify_all();
    if (_thread.joinable())
        _thread.join();
    for (std::thread& worker : workers)
        worker.join();
}

void Dispatcher::wake()
{
    {
        MutexLock lock(_mutex);
        _woken = true;
    }
    _changed.notify_one();
}

void Dispatcher::put(const WebhookPtr& webhook, const Cursor& cursor, Revision version)
{
    {
        MutexLock lock(_mutex);
        const auto found = _lines.find(webhook->id);
        if (found == _lines.end())
        {
            Line line(webhook, cursor);
            line.health.restore(cursor.failingSince, cursor.alerted);
            line.saved = cursor.low;
            line.version = version;
            if (webhook->active)
                _parts.journal.hold(holder(webhook->id), neededBy(line));
            _lines.emplace(webhook->id, std::move(line));
        }
        else
            change(found->second, webhook, version);
    }
    wake();
}

void Dispatcher::change(const WebhookPtr& webhook, Revision version)
{
    {
        MutexLock lock(_mutex);
        const auto found = _lines.find(webhook->id);
        if (found == _lines.end())
            return;
        change(found->second, webhook, version);
    }
    wake();
}

void Dispatcher::change(Line& line, const WebhookPtr& webhook, Revision version)
{
    if (version < line.version)
        return;
    const bool another = line.webhook->url.text() != webhook->url.text();
    if (another || (webhook->active && !line.webhook->active))
    {
        line.health.reset();
        line.pace.resume();
        line.backlog.hastenAll(_parts.clock.bootTime());
    }
    line.webhook = webhook;
    line.version = version;
    line.backlog.setOrdered(webhook->ordered);
    line.pace.setRate(webhook->ratePerSecond);
    line.dirty = true;
    _parts.journal.hold(holder(webhook->id),
                        webhook->active ? std::optional(neededBy(line)) : std::nullopt);
}

void Dispatcher::remove(const std::string& id)
{
    MutexLock lock(_mutex);
    _lines.erase(id);
    _parts.journal.hold(holder(id), std::nullopt);
}

bool Dispatcher::redeliver(const std::string& id, DeliveryKey key)
{
    {
        MutexLock lock(_mutex);
        const auto found = _lines.find(id);
        if (found == _lines.end())
            return true; // it is being removed
        Line& line = found->second;
        if (line.unread.size() >= askedMax)
            return false;
        line.unread.push_back({key, 0, _parts.clock.wallTime(), true});
        line.dirty = true;
    }
    wake();
    return true;
}

std::optional<Dispatcher::Summary> Dispatcher::summary(const std::string& id)
{
    MutexLock lock(_mutex);
    const auto found = _lines.find(id);
    if (found == _lines.end())
        return std::nullopt;
    const Line& line = found->second;
    const Now now = _parts.clock.now();
    Summary summary;
    summary.pending = line.backlog.size() + line.unread.size();
    summary.more = line.backlog.scanned() < _parts.journal.newest();
    summary.inFlight = line.backlog.inFlight();
    if (const auto due = line.backlog.nextRetry())
        summary.nextRetry = now.wall + (std::max(*due, line.heldUntil()) - now.boot);
    summary.failingSince = line.health.failingSince();
    summary.breakerOpen = line.health.openUntil().has_value();
    return summary;
}

std::size_t Dispatcher::pending()
{
    MutexLock lock(_mutex);
    std::size_t sum = 0;
    for (const auto& [id, line] : _lines)
        sum += line.backlog.size();
    return sum;
}

void Dispatcher::run() noexcept
{
    prctl(PR_SET_NAME, "webhooks");
    for (;;)
    {
        turn();
        MutexLock lock(_mutex);
        if (_stopping)
            return;
        if (!_woken)
        {
            Milliseconds pause = turnEvery;
            if (const auto due = nextDue())
                pause = std::clamp(std::chrono::ceil<Milliseconds>(*due - _parts.clock.bootTime()),
                                   Milliseconds(1), turnEvery);
            lock.waitFor(_changed, pause);
        }
        _woken = false;
    }
}

/// When the next delivery becomes due; what is due already waits for a worker, not for time.
std::optional<BootTime> Dispatcher::nextDue()
{
    const BootTime now = _parts.clock.bootTime();
    std::optional<BootTime> first;
    for (const auto& [id, line] : _lines)
    {
        auto due = line.backlog.nextDue();
        if (due)
            due = std::max(*due, line.heldUntil());
        if (due && *due > now && line.webhook->active)
            first = first ? std::min(*first, *due) : *due;
    }
    return first;
}

void Dispatcher::turn()
{
    std::vector<std::pair<std::string, Sequence>> reading;
    std::vector<std::pair<std::string, std::vector<Cursor::Tried>>> again;
    {
        MutexLock lock(_mutex);
        for (auto& [id, line] : _lines)
        {
            if (line.webhook->active)
                if (auto tried = takeUnread(line); !tried.empty())
                    again.emplace_back(id, std::move(tried));
            if (line.webhook->active && !line.backlog.full() &&
                line.backlog.scanned() < _parts.journal.newest())
                reading.emplace_back(id, line.backlog.scanned());
        }
    }
    for (const auto& [id, tried] : again)
        readTried(id, tried);
    bool more = false;
    for (const auto& [id, after] : reading)
        more = readFor(id, after) || more;

    const Now now = _parts.clock.now();
    MutexLock lock(_mutex);
    std::size_t pending = 0;
    for (auto& [id, line] : _lines)
    {
        expire(line, now);
        save(id, line, now);
        pending += line.backlog.size();
    }
    _parts.figures.pending.set(static_cast<std::int64_t>(pending));
    _woken = _woken || more;
    if (pending > 0 || !_pings.empty())
        spawn();
}

} // namespace octostore::webhooks
