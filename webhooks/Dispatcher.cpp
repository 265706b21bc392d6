// SPDX-License-Identifier: MIT
#include "Dispatcher.h"

#include "Matching.h"

#include <octostore/event/EventJson.h>

#include <algorithm>
#include <chrono>

#include <sys/prctl.h>

namespace octostore::webhooks
{

namespace
{

using namespace std::chrono_literals;

constexpr std::size_t pageEvents = 256;
constexpr auto saveEvery = 1s;
constexpr auto saveIdleEvery = 60s; ///< when nothing but the reading place has moved
constexpr Milliseconds turnEvery{1'000};

std::string holderOf(const std::string& id)
{
    return "webhook " + id;
}

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
    _thread = std::thread([this] { run(); });
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

void Dispatcher::put(WebhookPtr webhook, const Cursor& cursor)
{
    {
        MutexLock lock(_mutex);
        const auto found = _lines.find(webhook->id);
        if (found == _lines.end())
        {
            Line line(webhook, cursor);
            line.health.restore(cursor.failingSince, cursor.alerted);
            line.saved = cursor.low;
            if (webhook->active)
                _parts.journal.hold(holderOf(webhook->id), cursor.low);
            _lines.emplace(webhook->id, std::move(line));
        }
        else
        {
            Line& line = found->second;
            const bool another = line.webhook->url.text() != webhook->url.text();
            if (another || (webhook->active && !line.webhook->active))
            {
                line.health.reset();
                line.backlog.hasten(_parts.clock.bootTime());
            }
            line.webhook = webhook;
            line.backlog.setOrdered(webhook->ordered);
            line.dirty = true;
            _parts.journal.hold(holderOf(webhook->id), webhook->active
                                                           ? std::optional(line.backlog.needed())
                                                           : std::nullopt);
        }
    }
    wake();
}

void Dispatcher::remove(const std::string& id)
{
    MutexLock lock(_mutex);
    _lines.erase(id);
    _parts.journal.hold(holderOf(id), std::nullopt);
}

void Dispatcher::redeliver(const std::string& id, DeliveryKey key)
{
    {
        MutexLock lock(_mutex);
        if (const auto found = _lines.find(id); found != _lines.end())
            found->second.unread.push_back({key, 0, _parts.clock.wallTime(), true});
    }
    wake();
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
        summary.nextRetry = now.wall + (*due - now.boot);
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
        if (due && line.health.openUntil())
            due = std::max(*due, *line.health.openUntil());
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
            if (!line.unread.empty() && line.webhook->active)
                again.emplace_back(id, std::exchange(line.unread, {}));
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

/// True: there may be more.
bool Dispatcher::readFor(const std::string& id, Sequence after)
{
    const Sequence newest = _parts.journal.newest();
    const Sequence trimmed = _parts.journal.trimmed();
    auto page = _parts.journal.read(after, pageEvents);
    if (!page)
    {
        _parts.logger.warning("the journal could not be read", {{"error", page.error().message}});
        return false;
    }
    MutexLock lock(_mutex);
    const auto found = _lines.find(id);
    if (found == _lines.end())
        return false;
    Line& line = found->second;
    if (line.backlog.scanned() < trimmed)
        noteGap(line, trimmed);
    const bool whole = page->size() < pageEvents;
    take(line, *page, whole ? newest : page->back()->sequence);
    return !whole && !line.backlog.full();
}

void Dispatcher::take(Line& line, const std::vector<event::EventPtr>& page, Sequence upTo)
{
    const Now now = _parts.clock.now();
    const WallTime oldest = now.wall - maxAge(*line.webhook);
    const bool waits = line.health.standing() != EndpointHealth::Standing::Proven;
    for (const event::EventPtr& event : page)
    {
        if (event->sequence <= line.backlog.scanned())
            continue;
        // Whatever is beyond is read when there is room again.
        if (line.backlog.full())
            return;
        for (const std::uint8_t fact : deliveriesOf(*line.webhook, *event))
        {
            const DeliveryKey key{event->sequence, fact};
            line.dirty = true;
            if (event->what.time < oldest)
            {
                _parts.figures.expired.add();
                note(*line.webhook, *event, key, "expired", 0);
                continue;
            }
            if (waits && line.backlog.find(key) == nullptr)
                note(*line.webhook, *event, key, "pending", 0, now.wall);
            line.backlog.add(key, {event, 0, now.boot});
        }
        line.backlog.scannedTo(event->sequence);
    }
    line.backlog.scannedTo(upTo);
}

void Dispatcher::noteGap(Line& line, Sequence trimmed)
{
    const Sequence from = line.backlog.scanned();
    _parts.logger.warning(
        "events were forgotten before they were delivered",
        {{"webhook", line.webhook->id}, {"after", from.value()}, {"up_to", trimmed.value()}});
    _parts.office.report(line.webhook, event::Type::WebhookGap,
                         "sequences " + std::to_string(from.value() + 1) + " to " +
                             std::to_string(trimmed.value()));
    line.backlog.scannedTo(trimmed);
    line.dirty = true;
}

/// What the cursor says was tried, and what a person wants again.
void Dispatcher::readTried(const std::string& id, const std::vector<Cursor::Tried>& tried)
{
    for (const Cursor::Tried& one : tried)
    {
        auto page = _parts.journal.read(Sequence(one.key.sequence.value() - 1), 1);
        MutexLock lock(_mutex);
        const auto found = _lines.find(id);
        if (found == _lines.end())
            return;
        Line& line = found->second;
        if (!page)
        {
            line.unread.push_back(one); // next turn
            continue;
        }
        const Now now = _parts.clock.now();
        const auto due = now.boot + std::clamp<BootClock::duration>(one.due - now.wall, 0s,
                                                                    RetryRules::retryAfterMax);
        if (page->empty() || page->front()->sequence != one.key.sequence)
            _parts.logger.warning("a delivery is given up: its event is forgotten",
                                  {{"webhook", id}, {"sequence", one.key.sequence.value()}});
        else if (const auto* known = line.backlog.find(one.key); known == nullptr)
            line.backlog.add(one.key, {page->front(), one.attempts, due, false, one.asked});
        else if (!known->inFlight && one.asked)
            line.backlog.giveBack(one.key, now.boot);
        line.dirty = true;
    }
}

Milliseconds Dispatcher::maxAge(const Webhook& webhook) const
{
    if (!webhook.maxAgeSeconds)
        return _options.maxAge;
    return Milliseconds(static_cast<std::int64_t>(*webhook.maxAgeSeconds) * 1000);
}

void Dispatcher::expire(Line& line, Now now)
{
    // Only noted here; the event is needed for that, so it is looked at before it goes.
    const WallTime oldest = now.wall - maxAge(*line.webhook);
    for (const auto& [key, pending] : line.backlog.older(oldest))
    {
        note(*line.webhook, *pending.event, key, "expired", pending.attempts);
        line.backlog.finish(key);
        _parts.figures.expired.add();
        line.dirty = true;
    }
}

void Dispatcher::save(const std::string& id, Line& line, Now now)
{
    if (line.saving || !line.unread.empty())
        return;
    const bool moved = line.backlog.lowWater() > line.saved;
    const auto since = now.boot - line.savedAt;
    if (!(line.dirty && since >= saveEvery) && !(moved && since >= saveIdleEvery))
        return;
    Cursor cursor;
    cursor.low = line.backlog.lowWater();
    for (const auto& [key, pending] : line.backlog.tried())
        cursor.tried.push_back({key, pending.attempts, now.wall + (pending.due - now.boot), false});
    cursor.failingSince = line.health.failingSince();
    cursor.alerted = line.health.alerted();
    line.dirty = false;
    line.saving = true;
    line.savedAt = now.boot;
    const Sequence needed = line.backlog.needed();
    _parts.office.saveCursor(id, encode(cursor),
                             [this, id, low = cursor.low, needed](bool saved)
                             {
                                 MutexLock lock(_mutex);
                                 const auto found = _lines.find(id);
                                 if (found == _lines.end())
                                     return;
                                 found->second.saving = false;
                                 found->second.dirty = found->second.dirty || !saved;
                                 if (!saved)
                                     return;
                                 found->second.saved = low;
                                 if (found->second.webhook->active)
                                     _parts.journal.hold(holderOf(id), std::min(low, needed));
                             });
}

} // namespace octostore::webhooks
