// SPDX-License-Identifier: MIT
/// @file
/// What is wanted of the program's main thread while the server runs.
#pragma once

#include <octostore/base/Mutex.h>

#include <condition_variable>
#include <cstdint>
#include <deque>

namespace octostore::program
{

enum class Wish : std::uint8_t
{
    Stop,   ///< somebody asked the server to end
    Reload, ///< somebody asked for the configuration to be read again
    GiveUp, ///< the store can never be used again: end, as a failure
};

/// Thread-safety: thread-safe.
class Wishes
{
public:
    void post(Wish wish) OCTOSTORE_EXCLUDES(_mutex);
    /// Waits for the next one, in the order posted.
    Wish wait() OCTOSTORE_EXCLUDES(_mutex);

private:
    std::condition_variable _posted;
    Mutex _mutex;
    std::deque<Wish> _wishes OCTOSTORE_GUARDED_BY(_mutex);
};

} // namespace octostore::program
