// SPDX-License-Identifier: MIT
/// @file
/// When something is due about which name or session.
#pragma once

#include "coordination/NameTable.h"

#include <optional>
#include <queue>
#include <set>
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

/// The ended names that are remembered, the first to be forgotten first.
/// Thread-safety: thread-compatible.
class Remembered
{
public:
    /// Remembers `name` until `forgottenAt`; nothing takes it out.
    void set(Name& name, std::optional<BootTime> forgottenAt)
    {
        if (name.forgottenAt == forgottenAt)
            return;
        if (name.forgottenAt)
            _order.erase({*name.forgottenAt, &name});
        name.forgottenAt = forgottenAt;
        if (forgottenAt)
            _order.insert({*forgottenAt, &name});
    }
    std::size_t size() const noexcept { return _order.size(); }
    /// The first, if it is to be forgotten at `now` or there are more than `most`.
    Name* due(BootTime now, std::size_t most) const
    {
        if (_order.empty() || (_order.begin()->first > now && _order.size() <= most))
            return nullptr;
        return _order.begin()->second;
    }
    std::optional<BootTime> next() const
    {
        if (_order.empty())
            return std::nullopt;
        return _order.begin()->first;
    }

private:
    std::set<std::pair<BootTime, Name*>> _order;
};

} // namespace octostore::coordination
