// SPDX-License-Identifier: MIT
/// @file
/// What was delivered, and how it went.
#pragma once

#include "Backlog.h"
#include "Sender.h"

#include <octostore/base/Executor.h>
#include <octostore/base/Log.h>
#include <octostore/base/Mutex.h>
#include <octostore/base/Result.h>
#include <octostore/base/Time.h>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace octostore::webhooks
{

struct DeliveryRow
{
    std::string webhook;
    DeliveryKey key;
    std::string id;
    std::string type;
    std::string resource;
    std::string state; ///< pending, delivering, retrying, succeeded, exhausted, expired, cancelled
    unsigned attempts = 0;
    std::string reason; ///< of the last attempt; empty: success or none yet
    int status = 0;
    WallTime happened;
    WallTime updated;
    std::optional<WallTime> nextAttempt;
    std::string body; ///< empty: not kept any more
};

struct AttemptRow
{
    unsigned number = 0;
    WallTime at;
    Milliseconds took{0};
    int status = 0;
    std::string reason;
    std::string detail;
    std::string requestHeaders; ///< a JSON object
    std::string response;
};

/// A change of a delivery, with the attempt that led to it.
struct DeliveryNote
{
    DeliveryRow row;
    std::optional<AttemptRow> attempt;
};

struct DeliveryQuery
{
    std::string webhook;
    std::string state; ///< empty: any; `failed`: whatever was given up
    std::string type;  ///< empty: any
    std::size_t limit = 50;
    std::optional<DeliveryKey> before; ///< only older ones
    Sequence after;                    ///< only newer ones
    WallTime since;                    ///< only of events that happened then or later
};

struct DeliveryDetail
{
    DeliveryRow row;
    std::vector<AttemptRow> attempts;
};

struct DeliveryStats
{
    std::uint64_t attempts = 0; ///< in the last 24 hours
    std::uint64_t succeeded = 0;
    std::optional<Milliseconds> p95;
};

struct DeliveryLogLimits
{
    Milliseconds age{std::chrono::hours(30 * 24)};
    Milliseconds bodyAge{std::chrono::hours(7 * 24)};
    std::uint64_t bytes = 256ull * 1024 * 1024;
    std::size_t queued = 20'000; ///< notes that may wait to be written; more are dropped
};

/// A SQLite file of its own, written by a thread of its own: nothing waits for it, and when it is
/// too slow notes are lost, not deliveries. Thread-safety: thread-safe.
class DeliveryLog
{
public:
    /// `clock` must outlive this object. Errors: Unavailable.
    static Result<std::unique_ptr<DeliveryLog>> open(const std::string& file, const Clock& clock,
                                                     DeliveryLogLimits limits, Logger logger);
    ~DeliveryLog();

    void note(DeliveryNote note) OCTOSTORE_EXCLUDES(_mutex);
    std::uint64_t dropped() const noexcept { return _dropped.load(); }

    // What has been noted before is in the answers. `done` runs on the log's thread.
    /// Newest first; one more than the limit when there are more.
    void list(DeliveryQuery query, std::function<void(std::vector<DeliveryRow>)> done);
    void find(std::string webhook, DeliveryKey key,
              std::function<void(std::optional<DeliveryDetail>)> done);
    void stats(std::string webhook, std::function<void(DeliveryStats)> done);
    /// Writes what has been noted and ends the thread.
    void stop() OCTOSTORE_EXCLUDES(_mutex);

private:
    class Store;
    DeliveryLog(std::unique_ptr<Store> store, const Clock& clock, DeliveryLogLimits limits,
                Logger logger);
    void post(Task task) OCTOSTORE_EXCLUDES(_mutex);
    void run() noexcept OCTOSTORE_EXCLUDES(_mutex);

    const std::unique_ptr<Store> _store; ///< the thread's own
    const Clock& _clock;
    const DeliveryLogLimits _limits;
    const Logger _logger;
    std::atomic<std::uint64_t> _dropped{0};
    Mutex _mutex;
    std::condition_variable _changed;
    std::deque<DeliveryNote> _notes OCTOSTORE_GUARDED_BY(_mutex);
    std::deque<Task> _questions OCTOSTORE_GUARDED_BY(_mutex);
    bool _stopping OCTOSTORE_GUARDED_BY(_mutex) = false;
    std::thread _thread;
};

} // namespace octostore::webhooks
