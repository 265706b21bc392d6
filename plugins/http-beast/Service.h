// SPDX-License-Identifier: MIT
/// @file
/// What the threads and connections of one transport share.
#pragma once

#include <octostore/base/Log.h>
#include <octostore/base/Mutex.h>
#include <octostore/base/Random.h>
#include <octostore/base/Time.h>
#include <octostore/http/Transport.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>

namespace octostore::http_beast
{

/// Instants for timeouts; they may be late.
using SteadyTime = std::chrono::steady_clock::time_point;

/// Counts the connections and tells when none is left. Thread-safety: thread-safe.
class OpenCount
{
public:
    std::size_t value() const noexcept { return _open; }
    void add() noexcept { ++_open; }
    void remove() noexcept OCTOSTORE_EXCLUDES(_mutex)
    {
        if (--_open > 0)
            return;
        MutexLock lock(_mutex); // or awaitNone() could miss it between look and wait
        _none.notify_all();
    }
    void awaitNone(Milliseconds patience) OCTOSTORE_EXCLUDES(_mutex)
    {
        const SteadyTime deadline = std::chrono::steady_clock::now() + patience;
        MutexLock lock(_mutex);
        while (_open > 0)
        {
            const auto left = deadline - std::chrono::steady_clock::now();
            if (left <= left.zero())
                return;
            lock.waitFor(_none, left);
        }
    }

private:
    std::atomic<std::size_t> _open{0};
    Mutex _mutex;
    std::condition_variable _none;
};

/// Thread-safety: thread-safe.
struct Service
{
    Service(const http::TransportOptions& transportOptions, http::Dispatcher& exchangeDispatcher,
            const Clock& systemClock, Random& idRandom, Logger transportLogger)
        : options(transportOptions),
          dispatcher(exchangeDispatcher),
          clock(systemClock),
          random(idRandom),
          logger(std::move(transportLogger))
    {
    }

    http::TransportOptions options;
    http::Dispatcher& dispatcher;
    const Clock& clock;
    Random& random;
    const Logger logger;
    OpenCount open;                          ///< connections that are served
    std::atomic<std::size_t> refused{};      ///< connections that are only told to come back
    std::atomic<std::uint64_t> turnedAway{}; ///< connections above the limit, ever
    std::atomic<bool> draining{false};
};

} // namespace octostore::http_beast
