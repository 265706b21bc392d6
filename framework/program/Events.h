// SPDX-License-Identifier: MIT
/// @file
/// What the program's main thread waits for while the server runs.
#pragma once

#include <octostore/base/Mutex.h>

#include <condition_variable>
#include <cstdint>
#include <deque>

namespace octostore::program
{

enum class Event : std::uint8_t
{
    Stop,   ///< somebody asked the server to end
    Reload, ///< somebody asked for the configuration to be read again
    Lost,   ///< the store can never be used again
};

/// Thread-safety: thread-safe.
class Events
{
public:
    void post(Event event) OCTOSTORE_EXCLUDES(_mutex);
    /// Waits for the next one, in the order posted.
    Event wait() OCTOSTORE_EXCLUDES(_mutex);

private:
    std::condition_variable _posted;
    Mutex _mutex;
    std::deque<Event> _events OCTOSTORE_GUARDED_BY(_mutex);
};

} // namespace octostore::program
