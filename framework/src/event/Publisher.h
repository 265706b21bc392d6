// SPDX-License-Identifier: MIT
/// @file
/// From committed events to those who want to know.
#pragma once

#include "event/Retention.h"

#include <octostore/backend/Backend.h>
#include <octostore/base/Log.h>
#include <octostore/base/Mutex.h>
#include <octostore/event/Consumer.h>
#include <octostore/event/Journal.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <thread>
#include <vector>

namespace octostore::event
{

/// Takes what the engine says is committed, in order, and gives it to the consumers on a thread of
/// its own. The engine never waits for it: when too much has gathered it is dropped here and read
/// from the journal instead. Also cuts the journal to size.
/// Thread-safety: thread-safe; start() and stop() belong to one thread.
class OCTOSTORE_API Publisher final : public Journal
{
public:
    /// References must outlive stop().
    Publisher(backend::Backend& backend, const Clock& clock, RetentionLimits limits, Logger logger);
    ~Publisher() override;

    /// Before start(). `consumer` must outlive stop().
    void add(Consumer& consumer) { _consumers.push_back(&consumer); }
    /// `newest`: the last revision of the store as it was loaded. `hole`: the store was restored
    /// with this revision; somewhere before it events are missing. Errors: those of the backend.
    Result<void> start(Revision newest, Revision hole = {});
    /// Gives out what has gathered, then ends the thread.
    void stop();

    /// Called by the engine thread. Never blocks.
    void publish(std::vector<Event> events, std::vector<Renewal> renewals) noexcept
        OCTOSTORE_EXCLUDES(_mutex);

    Result<std::vector<EventPtr>> read(Sequence after, std::size_t limit) noexcept override
        OCTOSTORE_EXCLUDES(_mutex);
    std::optional<std::vector<EventPtr>> recent(Sequence after,
                                                std::size_t limit) const noexcept override
        OCTOSTORE_EXCLUDES(_mutex);
    Sequence trimmed() const noexcept override { return std::max(_retention.trimmed(), _hole); }
    Sequence newest() const noexcept override { return Sequence(_newest.load()); }
    /// Renewals that no consumer was told of, because too many had gathered. Events are never lost
    /// so: the journal has them.
    std::uint64_t droppedRenewals() const noexcept { return _droppedRenewals; }
    void hold(const std::string& who, std::optional<Sequence> from) noexcept override
    {
        _retention.hold(who, from);
    }

private:
    struct Batch
    {
        std::vector<Event> events;
        std::vector<Renewal> renewals;
    };

    void run() noexcept;
    void countSome();
    void giveOut(std::vector<Event> events);
    /// What was dropped because too much had gathered.
    void catchUp(Sequence upTo);

    backend::Backend& _backend;
    const Clock& _clock;
    const Logger _logger;
    std::vector<Consumer*> _consumers;
    Retention _retention;
    Sequence _hole; // set by start(), before the thread
    // Of the thread: whether the journal has events that the retention does not know yet, and up to
    // where it knows them.
    bool _counting = true;
    Sequence _countedTo;
    std::thread _thread;
    std::atomic<std::uint64_t> _newest{0};
    std::atomic<std::uint64_t> _droppedRenewals{0};

    mutable Mutex _mutex;
    std::condition_variable _changed;
    Batch _gathered OCTOSTORE_GUARDED_BY(_mutex);
    std::optional<Sequence> _dropped OCTOSTORE_GUARDED_BY(_mutex); ///< the last one dropped
    bool _stopping OCTOSTORE_GUARDED_BY(_mutex) = false;
    /// The last events, and up to where what came before them is not here.
    std::deque<EventPtr> _recent OCTOSTORE_GUARDED_BY(_mutex);
    Sequence _recentAfter OCTOSTORE_GUARDED_BY(_mutex);
};

} // namespace octostore::event
