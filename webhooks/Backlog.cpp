// SPDX-License-Identifier: MIT
#include "Backlog.h"

#include <octostore/base/Assert.h>

#include <algorithm>

namespace octostore::webhooks
{

void Backlog::add(DeliveryKey key, Pending pending)
{
    _pending.emplace(key, std::move(pending));
}

bool Backlog::passesItsOwn(const Pending& pending) const
{
    if (_inFlight == 0)
        return false;
    const event::Draft& what = pending.event->what;
    return std::any_of(_pending.begin(), _pending.end(),
                       [&what](const auto& other)
                       {
                           return other.second.inFlight &&
                                  other.second.event->what.kind == what.kind &&
                                  other.second.event->what.name == what.name;
                       });
}

bool Backlog::mayBegin(const Pending& pending, BootTime now) const
{
    return !pending.inFlight && pending.due <= now && !passesItsOwn(pending);
}

std::optional<DeliveryKey> Backlog::next(BootTime now, unsigned most) const
{
    if (_pending.empty() || _inFlight >= (_ordered ? 1 : std::min(most, inFlightMax)))
        return std::nullopt;
    for (const auto& [key, pending] : _pending)
    {
        if (mayBegin(pending, now))
            return key;
        if (_ordered)
            break;
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
    ++_inFlight;
}

void Backlog::finish(DeliveryKey key)
{
    const auto found = _pending.find(key);
    if (found == _pending.end())
        return;
    if (found->second.inFlight)
        --_inFlight;
    _pending.erase(found);
}

void Backlog::retry(DeliveryKey key, BootTime due)
{
    giveBack(key, due);
    if (const auto found = _pending.find(key); found != _pending.end())
        ++found->second.attempts;
}

void Backlog::giveBack(DeliveryKey key, BootTime due)
{
    const auto found = _pending.find(key);
    if (found == _pending.end())
        return;
    if (found->second.inFlight)
        --_inFlight;
    found->second.inFlight = false;
    found->second.due = due;
}

void Backlog::hasten(BootTime now)
{
    for (auto& [key, pending] : _pending)
        pending.due = std::min(pending.due, now);
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
    for (const auto& [key, pending] : _pending)
        if (pending.attempts == 0 && !pending.asked)
            return std::min(_scanned, Sequence(key.sequence.value() - 1));
    return _scanned;
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
        if (entry.second.attempts > 0 || entry.second.asked)
            all.emplace_back(entry);
    return all;
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
