// SPDX-License-Identifier: MIT
#include "Events.h"

#include <algorithm>

namespace octostore::program
{

void Events::post(Event event)
{
    {
        MutexLock lock(_mutex);
        // One of a kind waiting says all: nothing is gained by reading the configuration twice.
        if (std::find(_events.begin(), _events.end(), event) == _events.end())
            _events.push_back(event);
    }
    _posted.notify_one();
}

Event Events::wait()
{
    MutexLock lock(_mutex);
    while (_events.empty())
        lock.wait(_posted);
    const Event event = _events.front();
    _events.pop_front();
    return event;
}

} // namespace octostore::program
