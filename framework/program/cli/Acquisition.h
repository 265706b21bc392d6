// SPDX-License-Identifier: MIT
/// @file
/// From the first request to the grant.
#pragma once

#include "Calls.h"
#include "Claim.h"
#include "HoldReport.h"
#include "Keeper.h"
#include "PrivateSession.h"

#include <octostore/client/Authority.h>
#include <octostore/client/Backoff.h>

#include <optional>

namespace octostore::program
{

/// Opens a session if one is needed, asks, lets the server queue us, and asks again. A grant whose
/// authority is over before it could be used is given back. Thread-safety: thread-compatible.
class Acquisition
{
public:
    enum class Outcome
    {
        Open,     ///< still waiting
        Granted,  ///< the authority is Holding
        TimedOut, ///< the acquire timeout is over, or the one attempt was refused
        Failed,   ///< it cannot get better by itself
    };

    struct Parts
    {
        client::Authority& authority;
        Claim& claim;
        PrivateSession* session; ///< null: none
        Keeper& keeper;
        Calls& calls;
        HoldReport& report;
        Random& random;
        Milliseconds requestTimeout;
        /// Nothing: for ever; 0: one attempt.
        std::optional<Milliseconds> acquireTimeout;
    };

    /// What `parts` refers to must outlive this.
    Acquisition(const Parts& parts, BootTime now);

    void advance(BootTime now);
    /// False if the completion is of somebody else.
    bool handle(const Completion& completion, BootTime now);
    std::optional<BootTime> next() const;
    /// The keeper found the session to be over.
    void sessionOver();

    Outcome outcome() const noexcept { return _outcome; }
    /// Of Granted.
    const client::LeaseFacts& lease() const noexcept { return _lease; }
    /// Of Failed, and of TimedOut if the last try failed.
    const std::optional<client::Failure>& failure() const noexcept { return _failure; }

    /// An attempt that is on its way.
    std::optional<CallId> attempt() const noexcept { return _attempt; }
    /// Whether the server may queue that attempt: its answer may take long.
    bool attemptWaits() const noexcept { return _wait.count() > 0; }
    /// Whether an attempt may have been granted without our knowing.
    bool maybeGranted() const noexcept { return _maybeGranted; }

private:
    bool oneAttempt() const noexcept;
    void startSession();
    void startAttempt(BootTime now);
    void readSession(const Completion& completion, BootTime now);
    void readAttempt(const Completion& completion, BootTime now);
    void granted(const Granted& granted, const Completion& completion, BootTime now);
    void refused(const Refused& refused, const Completion& completion, BootTime now);
    void failed(const client::Failure& failure, BootTime now);

    const Parts _parts;
    const std::optional<BootTime> _until;
    client::Backoff _backoff{Milliseconds(250), Milliseconds(10'000)};
    Outcome _outcome = Outcome::Open;
    client::LeaseFacts _lease;
    std::optional<client::Failure> _failure;
    std::optional<CallId> _session;
    std::optional<CallId> _attempt;
    std::optional<CallId> _giveBack;
    std::chrono::seconds _wait{0};
    bool _queue = false; ///< the next attempt asks the server to let us wait
    bool _maybeGranted = false;
    BootTime _pauseUntil{};
};

} // namespace octostore::program
