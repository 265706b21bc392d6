// SPDX-License-Identifier: MIT
#include "coordination/WaitTimers.h"

#include <octostore/base/Assert.h>

namespace octostore::coordination
{

void WaitTimers::set(Name& name, Queue::iterator place)
{
    OCTOSTORE_ASSERT(place->timer == 0);
    place->timer = ++_last;
    _ends.emplace(std::make_pair(place->until, place->timer), End{&name, place});
}

void WaitTimers::clear(Waiter& waiter)
{
    if (waiter.timer == 0)
        return;
    _ends.erase({waiter.until, waiter.timer});
    waiter.timer = 0;
}

std::optional<BootTime> WaitTimers::next() const
{
    if (_ends.empty())
        return std::nullopt;
    return _ends.begin()->first.first;
}

std::optional<WaitTimers::End> WaitTimers::due(BootTime now) const
{
    if (_ends.empty() || _ends.begin()->first.first > now)
        return std::nullopt;
    return _ends.begin()->second;
}

} // namespace octostore::coordination
