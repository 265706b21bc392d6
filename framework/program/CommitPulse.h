// SPDX-License-Identifier: MIT
/// @file
/// Keeps systemd's watchdog quiet while commits move.
#pragma once

#include "Notify.h"

#include <octostore/base/Mutex.h>
#include <octostore/base/Time.h>
#include <octostore/coordination/Coordinator.h>

#include <condition_variable>
#include <memory>
#include <optional>
#include <string>
#include <thread>

namespace octostore::program
{

/// Twice in each watchdog period asks for a commit. Whatever the answer is, it proves that engine
/// and store still answer: a full disk is no reason to be started anew, silence is.
/// Thread-safety: thread-safe, but stop() belongs to one thread.
class CommitPulse
{
public:
    /// Half of WATCHDOG_USEC (microseconds); none when it is not set, no number, or meant for
    /// another process than `self` (WATCHDOG_PID).
    static std::optional<Milliseconds> interval(const char* microseconds, const char* process,
                                                int self);
    /// As interval(), of the environment.
    static std::optional<Milliseconds> intervalFromEnvironment();

    /// Beats at once, then each `every`; without it never. `coordinator` and `clock` must outlive
    /// stop().
    CommitPulse(coordination::Coordinator& coordinator, const Clock& clock, const Notify& notify,
                std::optional<Milliseconds> every);
    /// Calls stop().
    ~CommitPulse();
    CommitPulse(const CommitPulse&) = delete;
    CommitPulse& operator=(const CommitPulse&) = delete;

    /// Nobody is asked any more. An answer may still come, and still counts.
    void stop() OCTOSTORE_EXCLUDES(_mutex);

private:
    void run(Milliseconds every) OCTOSTORE_EXCLUDES(_mutex);
    void ask();

    coordination::Coordinator& _coordinator;
    const Clock& _clock;
    const std::shared_ptr<const Notify> _notify; ///< shared with answers that are late

    Mutex _mutex;
    std::condition_variable _wake;
    bool _stopping OCTOSTORE_GUARDED_BY(_mutex) = false;

    std::thread _thread; ///< last: it uses all of the above
};

} // namespace octostore::program
