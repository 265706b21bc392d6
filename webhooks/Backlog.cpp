// SPDX-License-Identifier: MIT
#include "Backlog.h"

#include <octostore/base/Assert.h>

#include <algorithm>
#include <utility>

namespace octostore::webhooks
{

void Backlog::add(DeliveryKey key, Pending pending)
{
    const auto [at, added] = _pending.emplace(key, std::move(pending));
    if (!added)
        return;
    index(key, at->second);
    _asked += at->second.asked ? 1 : 0;
}

void Backlog::index(DeliveryKey key, const Pending& pending)
{
    if (isFresh(pending))
        _fresh.insert(key);
    else if (!pending.inFlight)
        _waiting.emplace(pending.due, key);
}

void Backlog::unindex(DeliveryKey key, const Pending& pending)
{
    _fresh.erase(key);
    _waiting.erase({pending.due, key});
}

void Backlog::makeDue(DeliveryKey key, Pending& pending, BootTime due)
{
    unindex(key, pending);
    pending.due = due;
    index(key, pending);
}

std::optional<DeliveryKey> Backlog::surplus() const
{
    if (_ordered || _pending.size() - _fresh.size() - _asked <= triedMax)
        return std::nullopt;
    for (const auto& [key, pending] : _pending)
        if (pending.attempts > 0 && !pending.asked && !pending.inFlight)
            return key;
    return std::nullopt;
}

bool Backlog::passesItsOwn(const Pending& pending) const
{
    const event::Draft& what = pending.event->what;
    return std::any_of(_flying.begin(), _flying.end(),
                       [&](DeliveryKey key)
                       {
                           const event::Draft& other = _pending.at(key).event->what;
                           return other.kind == what.kind && other.name == what.name;
                       });
}

bool Backlog::mayBegin(const Pending& pending, BootTime now) const
{
    return !pending.inFlight && pending.due <= now && !passesItsOwn(pending);
}

std::optional<DeliveryKey> Backlog::next(BootTime now, unsigned most) const
{
    if (_pending.empty() || inFlight() >= (_ordered ? 1 : std::min(most, inFlightMax)))
        return std::nullopt;
    if (_ordered)
        return mayBegin(_pending.begin()->second, now) ? std::optional(_pending.begin()->first)
                                                       : std::nullopt;
    for (const DeliveryKey key : _fresh)
        if (mayBegin(_pending.at(key), now))
            return key;
    for (const auto& [due, key] : _waiting)
    {
        if (due > now)
            break;
        if (mayBegin(_pending.at(key), now))
            return key;
    }
    return std::nullopt;
}

const Backlog::Pending* Backlog::find(DeliveryKey key) const
{
    const auto found = _pending.find(key);
    return found == _pending.end() ? nullptr : &found->second;
}

void Backlog::begin(DeliveryKey key)
{
    const auto found = _pending.find(key);
    OCTOSTORE_ASSERT(found != _pending.end() && !found->second.inFlight);
    found->second.inFlight = true;
    _waiting.erase({found->second.due, key});
    _flying.push_back(key);
}

void Backlog::land(DeliveryKey key)
{
    std::erase(_flying, key);
}

void Backlog::finish(DeliveryKey key)
{
    const auto found = _pending.find(key);
    if (found == _pending.end())
        return;
    land(key);
    unindex(key, found->second);
    _asked -= found->second.asked ? 1 : 0;
    _pending.erase(found);
}

void Backlog::retry(DeliveryKey key, BootTime due)
{
    if (const auto found = _pending.find(key); found != _pending.end())
        ++found->second.attempts;
    giveBack(key, due);
}

void Backlog::giveBack(DeliveryKey key, BootTime due)
{
    const auto found = _pending.find(key);
    if (found == _pending.end())
        return;
    land(key);
    found->second.inFlight = false;
    makeDue(key, found->second, due);
}

void Backlog::hasten(BootTime now)
{
    for (auto& [key, pending] : _pending)
        if (pending.attempts > 0 && !std::exchange(pending.hastened, true))
            makeDue(key, pending, std::min(pending.due, now));
}

void Backlog::hastenAll(BootTime now)
{
    for (auto& [key, pending] : _pending)
        makeDue(key, pending, std::min(pending.due, now));
}

std::vector<std::pair<DeliveryKey, Backlog::Pending>> Backlog::older(WallTime oldest) const
{
    std::vector<std::pair<DeliveryKey, Pending>> old;
    for (const auto& entry : _pending)
        if (!entry.second.inFlight && !entry.second.asked && entry.second.event->what.time < oldest)
            old.emplace_back(entry);
    return old;
}

Sequence Backlog::lowWater() const
{
    if (_fresh.empty())
        return _scanned;
    return std::min(_scanned, Sequence(_fresh.begin()->sequence.value() - 1));
}

Sequence Backlog::needed() const
{
    if (_pending.empty())
        return _scanned;
    return std::min(_scanned, Sequence(_pending.begin()->first.sequence.value() - 1));
}

std::vector<std::pair<DeliveryKey, Backlog::Pending>> Backlog::tried() const
{
    std::vector<std::pair<DeliveryKey, Pending>> all;
    for (const auto& entry : _pending)
        if (!isFresh(entry.second))
            all.emplace_back(entry);
    return all;
}

std::optional<WallTime> Backlog::oldest() const
{
    if (_pending.empty())
        return std::nullopt;
    return _pending.begin()->second.event->what.time;
}

std::optional<BootTime> Backlog::nextDue() const
{
    std::optional<BootTime> first;
    for (const auto& [key, pending] : _pending)
    {
        if (!pending.inFlight)
            first = first ? std::min(*first, pending.due) : pending.due;
        if (_ordered)
            break;
    }
    return first;
}

std::optional<BootTime> Backlog::nextRetry() const
{
    std::optional<BootTime> first;
    for (const auto& [key, pending] : _pending)
        if (pending.attempts > 0 && !pending.inFlight)
            first = first ? std::min(*first, pending.due) : pending.due;
    return first;
}

} // namespace octostore::webhooks
