// SPDX-License-Identifier: MIT
/// @file
/// The client's side of a guarded command.
#pragma once

#include "DeadlineFile.h"
#include "GuardianLaunch.h"
#include "Work.h"

#include <octostore/base/Result.h>

#include <memory>
#include <optional>
#include <string>

namespace octostore::program
{

/// Passes deadlines on to the guardian, and takes its place if it fails: a guardian that has not
/// acted when it had to is killed, and what it leaves behind with it.
/// Thread-safety: thread-affine(the main thread).
class GuardedCommand final : public Work
{
public:
    struct Settings
    {
        GuardianOrders orders;
        ContainmentChoice containment = ContainmentChoice::Strongest;
        std::string onLost; ///< for /bin/sh; empty: nothing
    };

    /// Starts the guardian. Call it before the first thread. `clock` must outlive it.
    /// Errors: Unavailable, the message says why.
    static Result<std::unique_ptr<GuardedCommand>> prepare(Settings settings, DeadlineFile file,
                                                           const Clock& clock);
    ~GuardedCommand() override;

    void start(const client::LeaseFacts& lease, BootTime deadline) override;
    void extend(BootTime deadline) override;
    void stop(Stop how, BootTime now) override;
    bool signal(int number) override;
    void lost(const std::string& reason) override;
    bool gone() const override { return _gone; }
    bool ended() const override { return _status.has_value() || _guardianDied; }
    std::optional<int> exitCode() const override;
    std::vector<pollfd> wanted() const override;
    void advance(BootTime now) override;
    std::optional<BootTime> next() const override;
    void finish() override;

    Containment containment() const noexcept { return _guardian.containment; }

private:
    GuardedCommand(std::unique_ptr<Settings> settings, DeadlineFile file,
                   const LaunchedGuardian& guardian, const Clock& clock);

    std::vector<std::string> onLostEnvironment(const std::string& reason) const;
    void order(Order::Kind kind, BootTime deadline, int value = 0);
    void readNotices();
    void take(const Notice& notice);
    void guardianGone();
    void enforceBy(BootTime instant);
    void clearOrphans();

    const std::unique_ptr<Settings> _settings;
    const DeadlineFile _file;
    const LaunchedGuardian _guardian;
    const Clock& _clock;

    bool _started = false;
    std::uint64_t _term = 0;
    std::optional<int> _status; ///< of the command, as waitpid() has it
    bool _saidGone = false;     ///< the guardian found nothing left
    bool _guardianDied = false; ///< without saying so
    bool _reaped = false;
    bool _gone = false;
    bool _asked = false;             ///< a signal that means the end was passed on
    BootTime _guardianKillAt{};      ///< when it has to have killed, as it has confirmed
    std::optional<BootTime> _stopBy; ///< when a stop has to be over
    bool _enforced = false;
    pid_t _onLost = 0;
};

} // namespace octostore::program
