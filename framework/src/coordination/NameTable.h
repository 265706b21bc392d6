// SPDX-License-Identifier: MIT
/// @file
/// The names the engine knows, and what is going on about each.
#pragma once

#include "coordination/Rules.h"

#include <octostore/coordination/Coordinator.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace octostore::coordination
{

struct Name;

/// A command that waits for the transaction in flight about its name.
struct Pending
{
    Ticket ticket; ///< 0: the engine's own
    Request request;
    unsigned conflicts = 0;    ///< how often it was decided on a stale state
    bool stoodInFront = false; ///< its turn had come: if it has to wait again, then in front
    /// On a shared store: what is not committed is told only after this sync.
    std::uint64_t sync = 0;
};

/// A place in the queue of a name. It is present while its caller is connected and waits.
struct Waiter
{
    Ticket ticket; ///< 0: absent
    Request request;
    std::string identity; ///< who may take the place over; empty: nobody
    BootTime until;       ///< present: end of the wait; absent: the place is kept until then
    std::uint64_t timer = 0;
    bool overdue = false; ///< the wait ran out while the name was busy
    std::uint64_t sync = 0;

    bool present() const noexcept { return ticket != Ticket(0); }
};

using Queue = std::list<Waiter>;

/// The servers of a shared store whose waiters want a name, in the order in which they get it.
struct Turns
{
    std::vector<std::string> servers; ///< never empty
    Revision version;
    BootTime since; ///< the first of them has been first, and the lease what it is
};

/// What only names need about which something is going on.
struct Activity
{
    bool busy = false; ///< a transaction is in flight
    bool held = false; ///< what others changed is being asked for; nothing is decided meanwhile
    std::deque<Pending> pending;
    Queue waiters;
    std::size_t present = 0;
    std::size_t overdue = 0;
    /// How many waiters of each identity there are.
    std::unordered_map<std::string, std::size_t> identities;
    std::unique_ptr<Turns> turns; ///< null: on no server anybody waits

    bool idle() const noexcept
    {
        return !busy && !held && pending.empty() && waiters.empty() && !turns;
    }
};

/// One name. Its address is stable. There may be a million, most of them just held: what only some
/// need belongs to their `activity` (NameTableTest says how large this may be).
struct Name
{
    const std::string* key = nullptr;
    NameState state;
    std::unique_ptr<Activity> activity;
    /// How often the present lease was answered for. Compared only with what it was a request ago,
    /// so it may begin anew.
    std::uint32_t answers = 0;
    std::uint32_t entries = 0;              ///< of this name among the deadlines,
    BootTime scheduled = BootTime::max();   ///< and the earliest of them
    BootTime forgottenAt = BootTime::max(); ///< its entry among the remembered; max: none

    bool busy() const noexcept { return activity && (activity->busy || activity->held); }
    /// Its lease is over because its session is, and the end of the session is not committed yet:
    /// a keepalive may be on its way.
    bool waitsForSession(BootTime now) const noexcept
    {
        return state.session && !state.session->ended && !state.session->liveAt(now);
    }
    bool hasPresentWaiters() const noexcept { return activity && activity->present > 0; }
    /// Null: on no server anybody waits.
    const Turns* turns() const noexcept { return activity ? activity->turns.get() : nullptr; }
    Activity& act()
    {
        if (!activity)
            activity = std::make_unique<Activity>();
        return *activity;
    }
};

/// In byte order, so that a prefix is a range. Thread-safety: thread-compatible.
class NameTable
{
public:
    Name* find(std::string_view key)
    {
        const auto found = _names.find(key);
        return found == _names.end() ? nullptr : &found->second;
    }
    const Name* find(std::string_view key) const
    {
        const auto found = _names.find(key);
        return found == _names.end() ? nullptr : &found->second;
    }
    Name& get(std::string key)
    {
        const auto [entry, made] = _names.try_emplace(std::move(key));
        if (made)
            entry->second.key = &entry->first;
        return entry->second;
    }
    /// Forgets `name` unless something still refers to it.
    void drop(Name& name)
    {
        if (name.activity && name.activity->idle())
            name.activity.reset();
        if (!name.state.lease && !name.state.acl && !name.activity && name.entries == 0 &&
            name.forgottenAt == BootTime::max())
            _names.erase(_names.find(*name.key));
    }
    /// The first name that is not before `key`.
    std::map<std::string, Name, std::less<>>::const_iterator from(std::string_view key) const
    {
        return _names.lower_bound(key);
    }
    std::map<std::string, Name, std::less<>>::const_iterator end() const { return _names.end(); }
    std::map<std::string, Name, std::less<>>::iterator begin() { return _names.begin(); }
    std::map<std::string, Name, std::less<>>::iterator end() { return _names.end(); }

private:
    std::map<std::string, Name, std::less<>> _names;
};

} // namespace octostore::coordination
