// SPDX-License-Identifier: MIT
/// @file
/// What the attempts so far say about a receiver: when to try again, when to pause, when to give
/// up.
#pragma once

#include <octostore/base/Time.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace octostore::webhooks
{

/// Pure. Thread-safety: immutable.
struct RetryRules
{
    std::vector<Milliseconds> delays;
    static constexpr Milliseconds retryAfterMax{24 * 3600 * 1000};

    /// How long to wait after `failed` attempts, at most a day; nothing: that was the last.
    /// `chance`: 0..1, drawn for the jitter of +-20 %. A receiver may ask for more time, never for
    /// less.
    std::optional<Milliseconds> delay(unsigned failed, std::optional<Milliseconds> retryAfter,
                                      double chance) const;
};

/// Pure: no clock, thread or random. Thread-safety: thread-compatible.
class EndpointHealth
{
public:
    enum class Standing : std::uint8_t
    {
        Proven,  ///< the last attempt was a success
        Unknown, ///< no attempt yet
        Failing,
    };
    struct Verdict
    {
        unsigned alert = 0; ///< per cent of the time after which it is disabled; 0: none
        bool disable = false;
        bool recovered = false; ///< the first success after the breaker opened, or after a minute
                                ///< of only failures
    };

    /// How many may be in flight: none while the breaker is open, one when it is tried again.
    unsigned allowed(BootTime now, unsigned inFlight) const;
    Verdict success(BootTime now);
    Verdict failure(Now now);
    /// When the breaker lets the next attempt through; nothing: it is closed.
    std::optional<BootTime> openUntil() const noexcept { return _openUntil; }

    Standing standing() const noexcept { return _standing; }
    std::optional<WallTime> failingSince() const noexcept { return _failingSince; }
    unsigned alerted() const noexcept { return _alerted; }
    /// As before a restart.
    void restore(std::optional<WallTime> failingSince, unsigned alerted);
    void reset() { *this = EndpointHealth(); }

private:
    struct Sample
    {
        BootTime at;
        bool failed = false;
    };
    void count(BootTime now, bool failed);
    bool mostlyFails() const;

    Standing _standing = Standing::Unknown;
    std::deque<Sample> _samples;
    std::optional<BootTime> _openUntil;
    std::optional<BootTime> _failingFrom; ///< nothing while failing: from before a restart
    std::optional<WallTime> _failingSince;
    unsigned _alerted = 0;
};

} // namespace octostore::webhooks
