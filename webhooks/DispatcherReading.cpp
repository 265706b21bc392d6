// SPDX-License-Identifier: MIT
#include "Dispatcher.h"
#include "Matching.h"

#include <algorithm>
#include <chrono>
#include <set>

namespace octostore::webhooks
{

namespace
{

using namespace std::chrono_literals;

constexpr std::size_t pageEvents = 256;
constexpr auto saveEvery = 1s;
constexpr auto saveIdleEvery = 60s; ///< when nothing but the reading place has moved
constexpr auto ageEvery = 1s;

} // namespace

std::string Dispatcher::holder(const std::string& id)
{
    return "webhook " + id;
}

/// True: there may be more.
bool Dispatcher::readFor(const std::string& id, Sequence after)
{
    const Sequence newest = _parts.journal.newest();
    auto page = _parts.journal.read(after, pageEvents);
    if (!page)
    {
        _parts.logger.warning("the journal could not be read", {{"error", page.error().message}});
        return false;
    }
    // Asked after the read, or what is forgotten in between would be missing and nobody told.
    const Sequence trimmed = _parts.journal.trimmed();
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

std::vector<Cursor::Tried> Dispatcher::takeUnread(Line& line)
{
    // Not one by one: each time the rest is moved up.
    if (line.unread.empty() || line.backlog.asked() > Backlog::pendingMax / 2)
        return {};
    const std::size_t room = Backlog::pendingMax - line.backlog.asked();
    std::set<DeliveryKey> asked; // who asks for one twice takes one place
    auto end = line.unread.begin();
    for (; end != line.unread.end() && asked.size() < room; ++end)
        if (end->asked)
            asked.insert(end->key);
    std::vector<Cursor::Tried> taken(line.unread.begin(), end);
    line.unread.erase(line.unread.begin(), end);
    return taken;
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
        if (page->empty() || page->front()->sequence != one.key.sequence ||
            one.key.fact >= page->front()->what.facts.size())
            noteForgotten(line, one);
        else if (const auto* known = line.backlog.find(one.key); known == nullptr)
            line.backlog.add(one.key, {page->front(), one.attempts, due, false, one.asked});
        else if (!known->inFlight && one.asked)
            line.backlog.giveBack(one.key, now.boot);
        line.dirty = true;
    }
}

Sequence Dispatcher::neededBy(const Line& line)
{
    Sequence needed = line.backlog.needed();
    for (const Cursor::Tried& one : line.unread)
        needed = std::min(needed, Sequence(one.key.sequence.value() - 1));
    return needed;
}

Milliseconds Dispatcher::maxAge(const Webhook& webhook) const
{
    if (!webhook.maxAgeSeconds)
        return _options.maxAge;
    return Milliseconds(static_cast<std::int64_t>(*webhook.maxAgeSeconds) * 1000);
}

void Dispatcher::expire(Line& line, Now now)
{
    if (now.boot - line.agedAt < ageEvery)
        return;
    line.agedAt = now.boot;
    // Only noted here; the event is needed for that, so it is looked at before it goes.
    const WallTime oldest = now.wall - maxAge(*line.webhook);
    for (const auto& [key, pending] : line.backlog.older(oldest))
    {
        note(*line.webhook, *pending.event, key, "expired", pending.attempts);
        if (pending.attempts > 0)
            tellGivenUp(line, key,
                        "too old after " + std::to_string(pending.attempts) + " attempts");
        line.backlog.finish(key);
        _parts.figures.expired.add();
        line.dirty = true;
    }
}

void Dispatcher::save(const std::string& id, Line& line, Now now)
{
    if (line.saving)
        return;
    const bool moved = line.backlog.lowWater() > line.saved;
    const auto since = now.boot - line.savedAt;
    if (!(line.dirty && since >= saveEvery) && !(moved && since >= saveIdleEvery))
        return;
    Cursor cursor;
    cursor.low = line.backlog.lowWater();
    for (const auto& [key, pending] : line.backlog.tried())
        cursor.tried.push_back(
            {key, pending.attempts, now.wall + (pending.due - now.boot), pending.asked});
    // What a person asked for while it is paused, or could not be read, is not lost either.
    cursor.tried.insert(cursor.tried.end(), line.unread.begin(), line.unread.end());
    cursor.failingSince = line.health.failingSince();
    cursor.alerted = line.health.alerted();
    line.dirty = false;
    line.saving = true;
    line.savedAt = now.boot;
    const Sequence needed = neededBy(line);
    _parts.records.saveCursor(id, encode(cursor),
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
                                      _parts.journal.hold(holder(id), std::min(low, needed));
                              });
}

} // namespace octostore::webhooks
