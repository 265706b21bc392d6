// SPDX-License-Identifier: MIT
/// @file
/// What the journal tells about leases: how long they are held, how late they end, who follows.
#pragma once

#include "RecentCauses.h"

#include <octostore/base/Executor.h>
#include <octostore/base/Mutex.h>
#include <octostore/base/Time.h>
#include <octostore/event/Consumer.h>
#include <octostore/metrics/Source.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

namespace octostore::metrics
{

/// Runs on the publisher's thread: it costs the engine nothing. Times of holding and renewals are
/// known of at most `leasesMax` leases at once, those granted first; that is a sample, and memory
/// stays bounded. Thread-safety: thread-safe.
class LeaseFigures final : public event::Consumer, public Source
{
public:
    /// `clock` must outlive this object. `serving` runs on the publisher's thread when the server
    /// has said that it serves.
    LeaseFigures(const Clock& clock, Task serving);

    void events(const std::vector<event::EventPtr>& batch) noexcept override;
    void renewals(const std::vector<event::Renewal>& batch) noexcept override
        OCTOSTORE_EXCLUDES(_mutex);
    void collect(Sink& sink) const noexcept override;

    std::uint64_t leaderChanges() const noexcept;

    static constexpr std::size_t leasesMax = 100'000;

private:
    /// Of a live lease.
    struct Course
    {
        BootTime grantedAt;
        BootTime renewedAt;
        BootTime deadline;
    };
    /// One reading of both clocks, and whether wall times of the last hour can be told by it.
    struct Moment
    {
        BootTime boot;
        WallTime wall;
        bool steady = true;

        BootTime at(WallTime time) const { return boot + (time - wall); }
    };
    using Lag = std::optional<std::chrono::nanoseconds>;
    using ByCause = std::array<Counter, 8>; ///< by event::Cause
    struct KindFigures
    {
        Histogram held{leaseBounds()};
        Histogram vacant{leaseBounds()};
        Counter granted;
        Counter renewed;
        Counter nearExpiry;
        Histogram left; ///< the share (0..1) of the TTL when a lease is renewed
        ByCause ended;
        KindFigures();
    };

    void count(const event::Draft& what) OCTOSTORE_EXCLUDES(_mutex);
    Moment look();
    void countSession(const event::Draft& what, const Moment& now);
    /// How late it ended, where it ran out and that is known.
    Lag ended(const event::Draft& what, const Moment& now) OCTOSTORE_EXCLUDES(_mutex);
    Lag lagOf(const event::Draft& what, const Moment& now) const;
    /// `handedOver`: the one before ended in the same event, late by `lag`.
    void granted(const event::Draft& what, bool handedOver, const Lag& lag, const Moment& now)
        OCTOSTORE_EXCLUDES(_mutex);
    KindFigures& figuresOf(event::ResourceKind kind);
    void collect(Sink& sink, const KindFigures& figures, event::ResourceKind kind) const;
    void collectLeaders(Sink& sink) const;
    void collectSessions(Sink& sink) const;
    void collectAudit(Sink& sink) const;

    const Clock& _clock;
    const WallTime _since;
    const Task _serving;

    // Of the publisher's thread: what wall time was ahead of boot time when it looked last, and
    // until when a step of the wall clock makes what was told before it useless.
    std::chrono::nanoseconds _ahead;
    BootTime _steadyFrom = BootTime::min();

    KindFigures _locks;
    KindFigures _elections;
    Histogram _expiryLag{lagBounds()};
    Histogram _handOver{lagBounds()};
    Histogram _sessionLag{lagBounds()};
    ByCause _leaderChanges; ///< by how the term before ended; None: that is not known
    Counter _sessionsCreated;
    Counter _sessionsClosed;
    Counter _sessionsExpired;
    Counter _sessionsForced;
    std::array<Counter, static_cast<std::size_t>(event::lastType) + 1> _administrative;

    mutable Mutex _mutex;
    /// By the hash of kind and name: two names with one hash only blur the sample.
    std::unordered_map<std::size_t, Course> _courses OCTOSTORE_GUARDED_BY(_mutex);
    RecentCauses _leaderless OCTOSTORE_GUARDED_BY(_mutex){leasesMax};
};

} // namespace octostore::metrics
