// SPDX-License-Identifier: MIT
/// @file
/// The life of a hold: wait, hold, stop, give back.
#pragma once

#include "Acquisition.h"
#include "Calls.h"
#include "Claim.h"
#include "HoldReport.h"
#include "Keeper.h"
#include "LineOutput.h"
#include "PrivateSession.h"
#include "Release.h"
#include "Retreat.h"
#include "Wakeups.h"
#include "Watcher.h"
#include "Work.h"

#include <octostore/client/Authority.h>

#include <optional>
#include <string>

namespace octostore::program
{

struct HoldSettings
{
    std::chrono::seconds ttl{30};
    std::optional<Milliseconds> acquireTimeout;
    Milliseconds requestTimeout{10'000};
    Milliseconds shutdownTimeout{2000};
    /// How much of the authority is needed to stop the work.
    Milliseconds reserve{0};
    /// Whether a hold of which nobody reads is to end.
    bool outputIsVital = true;
};

/// One thread, one poll: nothing it does can hold up a renewal or the end of the authority.
/// Thread-safety: thread-affine(the main thread).
class HoldLoop
{
public:
    struct Parts
    {
        Claim& claim;
        PrivateSession* session; ///< null: none
        Calls& calls;
        Wakeups& wakeups;
        LineOutput& output;
        HoldReport& report;
        Work& work;
        Watcher* watcher; ///< null: loss is found when renewing
        const Clock& clock;
        Random& random;
    };

    /// What `parts` refers to must outlive this.
    HoldLoop(const Parts& parts, const HoldSettings& settings);

    /// Returns the exit code.
    int run();

private:
    enum class Phase
    {
        Waiting,
        Retreating,
        Holding,
        Stopping,
        Releasing,
        Over,
    };

    void advance(BootTime now);
    std::optional<BootTime> next() const;
    void handle(const Completion& completion, BootTime now);
    void handleSignal(int number, BootTime now);
    void handleClosedOutput(BootTime now);

    void advanceWaiting(BootTime now);
    void advanceHolding(BootTime now);
    void beginHolding(BootTime now);
    void retreat(int exitCode, BootTime now);
    void stop(Work::Stop how, const std::string& reason, BootTime now);
    void authorityEnded(BootTime now);
    void workGone(BootTime now);
    void released();
    void kept(const Kept& kept);
    bool isOver(client::AuthorityState state) const noexcept;

    const Parts _parts;
    const HoldSettings _settings;
    client::Authority _authority;
    Keeper _keeper;
    Acquisition _acquisition;
    std::optional<Retreat> _retreat;
    std::optional<Release> _release;
    Phase _phase = Phase::Waiting;
    client::LeaseFacts _lease;
    bool _authorityReported = false;
    std::string _endReason; ///< of `released`
    int _exitCode = 0;
};

} // namespace octostore::program
