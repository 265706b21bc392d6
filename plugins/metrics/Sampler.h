// SPDX-License-Identifier: MIT
/// @file
/// The thread that looks at all numbers every few seconds.
#pragma once

#include "MinuteHistory.h"
#include "SeriesHistory.h"
#include "Snapshot.h"

#include <octostore/base/Executor.h>
#include <octostore/base/Mutex.h>
#include <octostore/coordination/Coordinator.h>

#include <array>
#include <condition_variable>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace octostore::metrics
{

/// Asks the engine for its counts, collects what the sources say, keeps the histories.
/// Thread-safety: thread-safe, but start() must not run beside another start() or stop().
class Sampler
{
public:
    /// Fills a snapshot with everything but the counts and the time.
    using Collect = std::function<void(Snapshot&)>;

    /// Both must outlive this object.
    Sampler(const Clock& clock, coordination::Coordinator& coordinator, Collect collect);
    ~Sampler() { stop(); }
    Sampler(const Sampler&) = delete;
    Sampler& operator=(const Sampler&) = delete;

    void start();
    void stop() noexcept;

    /// Takes a snapshot with these counts into the histories.
    void sample(const coordination::Counts& counts);
    /// The counts the engine last answered with, and whether it has answered the last question.
    coordination::Counts counts() const OCTOSTORE_EXCLUDES(_mutex);
    bool engineAnswers() const OCTOSTORE_EXCLUDES(_mutex);

    const MinuteHistory& minutes() const noexcept { return _minutes; }
    /// Null: there is no such range.
    const SeriesRing* series(std::string_view range) const noexcept;

    static constexpr std::chrono::seconds interval{5};

private:
    /// Runs on the sampler's thread what the engine posts.
    class Inbox;

    void run() noexcept;
    void ask() OCTOSTORE_EXCLUDES(_mutex);
    void answered(const coordination::Reply& reply) OCTOSTORE_EXCLUDES(_mutex);

    const Clock& _clock;
    coordination::Coordinator& _coordinator;
    const Collect _collect;
    MinuteHistory _minutes;
    // As long and as fine as RabbitMQ keeps each number.
    std::array<SeriesRing, 4> _series;
    const std::shared_ptr<Inbox> _inbox;
    std::thread _thread;

    mutable Mutex _mutex;
    coordination::Counts _counts OCTOSTORE_GUARDED_BY(_mutex);
    bool _asking OCTOSTORE_GUARDED_BY(_mutex) = false;
    bool _overdue OCTOSTORE_GUARDED_BY(_mutex) = false;
};

} // namespace octostore::metrics
