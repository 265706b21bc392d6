// SPDX-License-Identifier: MIT
/// @file
/// How much of the journal is kept.
#pragma once

#include <octostore/backend/Backend.h>
#include <octostore/base/Log.h>
#include <octostore/base/Mutex.h>
#include <octostore/event/Event.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>

namespace octostore::event
{

struct RetentionLimits
{
    std::chrono::hours age{7 * 24};
    std::size_t count = 1'000'000;
    std::uint64_t bytes = 512ull * 1024 * 1024;
};

/// Counts the journal in steps of a thousand events and forgets whole steps, the oldest first.
/// Thread-safety: thread-safe; add() and trim() belong to the publisher's thread.
class OCTOSTORE_API Retention
{
public:
    Retention(RetentionLimits limits, Logger logger);

    void start(Sequence trimmed);
    /// An event is in the journal. In order.
    void add(const Event& event);
    /// Forgets what is too old or too much. Blocks for as long as the backend takes.
    void trim(backend::Backend& backend, WallTime now);
    /// Somebody still needs every event above `from`; nothing: no longer. `who` names it. Above
    /// twice the limits of count and bytes nobody is asked.
    void hold(const std::string& who, std::optional<Sequence> from) OCTOSTORE_EXCLUDES(_mutex);
    Sequence trimmed() const noexcept { return Sequence(_trimmed.load()); }

private:
    struct Step
    {
        Sequence last;
        WallTime newest;
        std::size_t count = 0;
        std::uint64_t bytes = 0;
    };

    bool isTooMuch(const Step& oldest, WallTime now) const;
    /// What the holders need least: nothing above it may be forgotten.
    std::optional<Sequence> held() const OCTOSTORE_EXCLUDES(_mutex);

    const RetentionLimits _limits;
    const Logger _logger;
    std::deque<Step> _steps; ///< the publisher's own
    std::size_t _count = 0;
    std::uint64_t _bytes = 0;
    std::atomic<std::uint64_t> _trimmed{0};
    mutable Mutex _mutex;
    std::map<std::string, Sequence> _holders OCTOSTORE_GUARDED_BY(_mutex);
};

} // namespace octostore::event
