// SPDX-License-Identifier: MIT
/// @file
/// Ends network exchanges that take too long as a whole.
#pragma once

#include <octostore/base/Mutex.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <thread>

namespace octostore::webhooks
{

/// Receive timeouts bound each wait; a receiver that sends a byte now and then is bounded here.
/// Thread-safety: thread-safe.
class Watchdog
{
public:
    using Clock = std::chrono::steady_clock; // late is fine

    Watchdog();
    ~Watchdog();

    /// While it lives, the socket is shut down at `deadline`. Duplicates the descriptor.
    class Guard
    {
    public:
        Guard(Watchdog& watchdog, int socket, Clock::time_point deadline);
        ~Guard();
        Guard(const Guard&) = delete;
        Guard& operator=(const Guard&) = delete;

    private:
        Watchdog& _watchdog;
        std::uint64_t _id;
    };

    /// Shuts down what is guarded, and whatever will be, at once.
    void stop() OCTOSTORE_EXCLUDES(_mutex);

private:
    struct Watched
    {
        int socket = -1;
        Clock::time_point deadline;
    };
    std::uint64_t add(int socket, Clock::time_point deadline) OCTOSTORE_EXCLUDES(_mutex);
    void remove(std::uint64_t id) OCTOSTORE_EXCLUDES(_mutex);
    void run() noexcept OCTOSTORE_EXCLUDES(_mutex);

    Mutex _mutex;
    std::condition_variable _changed;
    std::map<std::uint64_t, Watched> _watched OCTOSTORE_GUARDED_BY(_mutex);
    std::uint64_t _last OCTOSTORE_GUARDED_BY(_mutex) = 0;
    bool _stopped OCTOSTORE_GUARDED_BY(_mutex) = false;
    bool _ending OCTOSTORE_GUARDED_BY(_mutex) = false;
    std::thread _thread;
};

} // namespace octostore::webhooks
