// SPDX-License-Identifier: MIT
/// @file
/// When something is due about which name or session.
#pragma once

#include "coordination/NameTable.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

namespace octostore::coordination
{

/// A renewal only moves a deadline later, so the old entry stays and is looked at again when it
/// comes up: one entry a name or session, however often it is renewed. `T` has `scheduled` (the
/// earliest entry) and `entries` (how many). Thread-safety: thread-compatible.
template <class T>
class Deadlines
{
public:
    /// Something is due about `subject` at `when`, if not earlier.
    void schedule(T& subject, BootTime when)
    {
        if (when >= subject.scheduled)
            return;
        subject.scheduled = when;
        ++subject.entries;
        _heap.push({when, &subject});
    }
    /// When the next entry comes up; it may turn out to be too early.
    std::optional<BootTime> next() const
    {
        if (_heap.empty())
            return std::nullopt;
        return _heap.top().when;
    }
    /// Takes the next entry out if it is due; the caller asks what is really due and schedules it
    /// again.
    T* takeDue(BootTime now)
    {
        if (_heap.empty() || _heap.top().when > now)
            return nullptr;
        const Entry entry = _heap.top();
        _heap.pop();
        --entry.subject->entries;
        if (entry.when == entry.subject->scheduled)
            entry.subject->scheduled = BootTime::max();
        return entry.subject;
    }

private:
    struct Entry
    {
        BootTime when;
        T* subject;
        bool operator<(const Entry& other) const noexcept { return when > other.when; }
    };

    std::priority_queue<Entry> _heap;
};

/// Why a remembered name is a room without a leader.
enum class Leaderless : std::uint8_t
{
    No, ///< it is no room
    Resigned,
    Lost,
};

/// The ended names that are remembered, the first to be forgotten first.
/// Thread-safety: thread-compatible.
class Remembered
{
public:
    /// Remembers `name` until `forgottenAt`; max takes it out.
    void set(Name& name, BootTime forgottenAt)
    {
        if (name.forgottenAt == forgottenAt)
            return;
        if (name.forgottenAt != BootTime::max())
            takeOut(_order.find({name.forgottenAt, &name}));
        name.forgottenAt = forgottenAt;
        if (forgottenAt == BootTime::max())
            return;
        const Leaderless why = leaderlessOf(name.state);
        _order.emplace(std::pair(forgottenAt, &name), why);
        ++_rooms[static_cast<std::size_t>(why)];
    }
    std::size_t size() const noexcept { return _order.size(); }
    /// The rooms among them that have no leader for this reason.
    std::size_t rooms(Leaderless why) const noexcept
    {
        return _rooms[static_cast<std::size_t>(why)];
    }
    /// The first, if it is to be forgotten at `now` or there are more than `most`.
    Name* due(BootTime now, std::size_t most) const
    {
        if (_order.empty() || (_order.begin()->first.first > now && _order.size() <= most))
            return nullptr;
        return _order.begin()->first.second;
    }
    std::optional<BootTime> next() const
    {
        if (_order.empty())
            return std::nullopt;
        return _order.begin()->first.first;
    }

private:
    using Order = std::map<std::pair<BootTime, Name*>, Leaderless>;

    static Leaderless leaderlessOf(const NameState& state) noexcept
    {
        if (!state.lease || state.lease->kind != backend::LeaseKind::Election)
            return Leaderless::No;
        return state.lease->cause == event::Cause::Resigned ? Leaderless::Resigned
                                                            : Leaderless::Lost;
    }
    void takeOut(Order::iterator entry)
    {
        --_rooms[static_cast<std::size_t>(entry->second)];
        _order.erase(entry);
    }

    Order _order;
    std::array<std::size_t, 3> _rooms{}; ///< by Leaderless
};

} // namespace octostore::coordination
