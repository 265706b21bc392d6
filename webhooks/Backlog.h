// SPDX-License-Identifier: MIT
/// @file
/// What one webhook has still to get, and when.
#pragma once

#include <octostore/base/Id.h>
#include <octostore/base/Time.h>
#include <octostore/event/Consumer.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace octostore::webhooks
{

/// One delivery: an event, or (in the legacy format) one fact of it.
struct DeliveryKey
{
    Sequence sequence;
    std::uint8_t fact = 0; ///< index among the facts of the event
    auto operator<=>(const DeliveryKey&) const = default;
};

/// In place of a fact: a dead letter for events that the journal has forgotten, up to `sequence`.
constexpr std::uint8_t gapFact = 255;

/// Pure: no clock, thread or random. Remembers everything up to `scanned` that is not finished; how
/// much that is, is bounded by `full()`: whoever feeds it stops there, and the journal keeps the
/// rest. Without order what was tried fills no place of what was not; `surplus()` bounds it.
/// Thread-safety: thread-compatible.
class Backlog
{
public:
    static constexpr std::size_t pendingMax = 512;
    static constexpr std::size_t triedMax = 2'048;
    static constexpr unsigned inFlightMax = 4;

    struct Pending
    {
        event::EventPtr event;
        unsigned attempts = 0; ///< that have failed
        BootTime due;
        bool inFlight = false;
        bool asked = false; ///< by a person: neither age nor a pause ends it
        bool hastened = false;
    };

    /// `from`: every event up to it is finished.
    Backlog(Sequence from, bool ordered) : _scanned(from), _ordered(ordered) {}

    bool full() const noexcept
    {
        return (_ordered ? _pending.size() - _asked : _fresh.size()) >= pendingMax;
    }
    /// How many there are that a person asked for.
    std::size_t asked() const noexcept { return _asked; }
    /// Without order, when more than `triedMax` have been tried that nobody asked for: the oldest.
    std::optional<DeliveryKey> surplus() const;
    Sequence scanned() const noexcept { return _scanned; }
    void scannedTo(Sequence upTo) { _scanned = std::max(_scanned, upTo); }
    void setOrdered(bool ordered) { _ordered = ordered; }
    /// What is known already stays as it is.
    void add(DeliveryKey key, Pending pending);

    /// What is to be delivered now. In order mode it is the first, and nothing passes one that is
    /// in flight or waits for its next attempt; else it is the first that was not tried, then what
    /// has been due for longest, and nothing passes one of its own resource that is in flight.
    /// `most`: how many may be in flight.
    std::optional<DeliveryKey> next(BootTime now, unsigned most = inFlightMax) const;
    const Pending* find(DeliveryKey key) const;
    void begin(DeliveryKey key);
    void finish(DeliveryKey key);
    void retry(DeliveryKey key, BootTime due);
    /// An attempt that says nothing about the receiver is not counted.
    void giveBack(DeliveryKey key, BootTime due);
    /// The receiver is back: nothing waits any longer. Once for each delivery, so that one which it
    /// never takes is not tried whenever it takes another.
    void hasten(BootTime now);
    /// As hasten(), for everything: a person says that the receiver is well.
    void hastenAll(BootTime now);
    /// What happened before `oldest`, is not in flight and was not asked for.
    std::vector<std::pair<DeliveryKey, Pending>> older(WallTime oldest) const;

    /// Every event up to it is finished, or has been tried or asked for and is in tried().
    Sequence lowWater() const;
    /// No event above it may be forgotten.
    Sequence needed() const;
    std::vector<std::pair<DeliveryKey, Pending>> tried() const;
    /// Neither tried nor asked for; in flight, some of them.
    const std::set<DeliveryKey>& fresh() const noexcept { return _fresh; }
    const std::vector<DeliveryKey>& flying() const noexcept { return _flying; }
    unsigned inFlight() const noexcept { return static_cast<unsigned>(_flying.size()); }
    std::size_t size() const noexcept { return _pending.size(); }
    /// When the oldest of what is here happened.
    std::optional<WallTime> oldest() const;
    /// When something is due that is not in flight.
    std::optional<BootTime> nextDue() const;
    /// Of those that have failed before.
    std::optional<BootTime> nextRetry() const;

private:
    static bool isFresh(const Pending& pending) { return pending.attempts == 0 && !pending.asked; }
    void index(DeliveryKey key, const Pending& pending);
    void unindex(DeliveryKey key, const Pending& pending);
    void makeDue(DeliveryKey key, Pending& pending, BootTime due);
    bool passesItsOwn(const Pending& pending) const;
    void land(DeliveryKey key);
    bool mayBegin(const Pending& pending, BootTime now) const;

    Sequence _scanned;
    bool _ordered;
    std::map<DeliveryKey, Pending> _pending;
    std::set<DeliveryKey> _fresh; ///< neither tried nor asked for; those in flight too
    std::set<std::pair<BootTime, DeliveryKey>> _waiting; ///< the others, but for those in flight
    std::size_t _asked = 0;
    std::vector<DeliveryKey> _flying; ///< few: looked at for every delivery that could be next
};

} // namespace octostore::webhooks
