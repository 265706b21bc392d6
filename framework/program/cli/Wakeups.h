// SPDX-License-Identifier: MIT
/// @file
/// The one place where a client command waits: for signals, instants, threads and descriptors.
#pragma once

#include "WakeSignal.h"

#include <octostore/base/Result.h>
#include <octostore/base/Time.h>

#include <memory>
#include <optional>
#include <vector>

#include <poll.h>
#include <signal.h>

namespace octostore::program
{

/// Blocks the signals a client command takes care of, for this thread and those it starts: call it
/// before the first thread. SIGPIPE is ignored, and SIGHUP stays ignored if it was (nohup).
/// Thread-safety: thread-affine(the main thread).
class Wakeups
{
public:
    struct Happened
    {
        std::vector<int> signals;
        bool outputClosed = false; ///< nobody reads standard output any more
        std::vector<pollfd> ready; ///< of those asked for
    };

    /// `signals` are those that wait() reports. Aborts when the kernel has no descriptors left.
    explicit Wakeups(const std::vector<int>& signals);
    ~Wakeups();
    Wakeups(const Wakeups&) = delete;
    Wakeups& operator=(const Wakeups&) = delete;

    /// Returns when something happens or at `until` on CLOCK_BOOTTIME, also after a suspension.
    /// `asked` are further descriptors.
    Happened wait(std::optional<BootTime> until, const std::vector<pollfd>& asked = {});

    /// Who raises it wakes wait(); threads that are left behind may still do so.
    const std::shared_ptr<const WakeSignal>& notifier() const noexcept { return _notifier; }
    /// The mask before, for what is executed.
    const sigset_t& formerMask() const noexcept { return _formerMask; }

private:
    void arm(std::optional<BootTime> until) const;
    std::vector<int> readSignals() const;

    sigset_t _formerMask = {};
    int _signals = -1;
    int _timer = -1;
    const std::shared_ptr<const WakeSignal> _notifier = std::make_shared<WakeSignal>();
    bool _outputClosed = false;
};

} // namespace octostore::program
