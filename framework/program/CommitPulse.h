// SPDX-License-Identifier: MIT
/// @file
/// Keeps systemd's watchdog quiet while commits move.
#pragma once

#include "Notify.h"
#include "TaskQueue.h"

#include <octostore/base/Time.h>
#include <octostore/coordination/Coordinator.h>

#include <memory>
#include <optional>
#include <string>
#include <thread>

namespace octostore::program
{

/// Twice in each watchdog period asks for a commit. An answer of engine or store proves that they
/// still answer, also one that a commit failed: a full disk is no reason to be started anew,
/// silence is. That there is too much to do proves nothing.
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

    /// Nobody is asked any more, and no answer counts.
    void stop();

private:
    void run(Milliseconds every);
    void ask();

    coordination::Coordinator& _coordinator;
    const Clock& _clock;
    const Notify _notify;
    const std::shared_ptr<TaskQueue> _answers = std::make_shared<TaskQueue>();
    std::thread _thread; ///< last: it uses all of the above
};

} // namespace octostore::program
