// SPDX-License-Identifier: MIT
/// @file
/// What was delivered, and how it went.
#pragma once

#include "DeliveryStore.h"

#include <octostore/base/Executor.h>
#include <octostore/base/Log.h>
#include <octostore/base/Mutex.h>
#include <octostore/base/Result.h>
#include <octostore/base/Time.h>

#include <atomic>
#include <condition_variable>
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

/// Written by a thread of its own: nothing waits for it, and when its store is too slow notes are
/// lost, not deliveries. Thread-safety: thread-safe.
class DeliveryLog
{
public:
    /// On a SQLite file. `clock` must outlive this object. Errors: Unavailable.
    static Result<std::unique_ptr<DeliveryLog>> open(const std::string& file, const Clock& clock,
                                                     DeliveryLogLimits limits, Logger logger);
    /// `clock` must outlive this object.
    DeliveryLog(std::unique_ptr<DeliveryStore> store, const Clock& clock, DeliveryLogLimits limits);
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
    struct Question
    {
        std::uint64_t after = 0; ///< so many notes come before it
        Task ask;
    };
    struct Work
    {
        std::vector<DeliveryNote> notes;
        std::vector<Task> questions; ///< after the notes
        bool last = false;
    };

    void post(Task task) OCTOSTORE_EXCLUDES(_mutex);
    void run() noexcept;
    /// Waits for some.
    Work take() OCTOSTORE_EXCLUDES(_mutex);
    void write(const std::vector<DeliveryNote>& notes);
    void trim();

    const std::unique_ptr<DeliveryStore> _store; ///< the thread's own
    const Clock& _clock;
    const DeliveryLogLimits _limits;
    BootTime _trimAt;             ///< the thread's own
    std::uint64_t _untrimmed = 0; ///< bytes written since; the thread's own
    std::atomic<std::uint64_t> _dropped{0};
    Mutex _mutex;
    std::condition_variable _changed;
    std::deque<DeliveryNote> _notes OCTOSTORE_GUARDED_BY(_mutex);
    std::uint64_t _queuedBytes OCTOSTORE_GUARDED_BY(_mutex) = 0;
    std::uint64_t _taken OCTOSTORE_GUARDED_BY(_mutex) = 0; ///< notes that were in the queue
    std::deque<Question> _questions OCTOSTORE_GUARDED_BY(_mutex);
    bool _stopping OCTOSTORE_GUARDED_BY(_mutex) = false;
    std::thread _thread;
};

} // namespace octostore::webhooks
