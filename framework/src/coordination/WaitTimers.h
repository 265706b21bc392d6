// SPDX-License-Identifier: MIT
/// @file
/// When waits, and the keeping of places, are over.
#pragma once

#include "coordination/NameTable.h"

#include <octostore/base/Api.h>
#include <octostore/base/Time.h>

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace octostore::coordination
{

/// At most one timer for each place, which has its number (`Waiter::timer`) exactly while it is
/// set: whoever takes a place out of its queue, or changes its `until`, clears the timer first.
/// Of those that are over at the same time the one set first comes first.
/// Thread-safety: thread-affine(engine).
class OCTOSTORE_API WaitTimers
{
public:
    struct End
    {
        Name* name;
        Queue::iterator place;
    };

    /// Sets the timer of `place`, in the queue of `name`, to its `until`; none may be set.
    void set(Name& name, Queue::iterator place);
    /// Nothing happens if none is set.
    void clear(Waiter& waiter);
    /// When the first is over; nothing: there is none.
    std::optional<BootTime> next() const;
    /// The first, if it is over. It stays until it is cleared.
    std::optional<End> due(BootTime now) const;

private:
    std::map<std::pair<BootTime, std::uint64_t>, End> _ends; ///< by time and number
    std::uint64_t _last = 0;                                 ///< number given
};

} // namespace octostore::coordination
