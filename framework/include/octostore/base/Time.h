// SPDX-License-Identifier: MIT
/// @file
/// The two clocks: boot time decides, wall time is for people.
#pragma once

#include <octostore/base/Api.h>

#include <chrono>
#include <cstdint>
#include <string>

namespace octostore
{

/// CLOCK_BOOTTIME: does not step with the wall clock and runs on while the machine is suspended.
struct BootClock
{
    using rep = std::int64_t;
    using period = std::nano;
    using duration = std::chrono::nanoseconds;
    using time_point = std::chrono::time_point<BootClock>;
    static constexpr bool is_steady = true;
};

using BootTime = BootClock::time_point;
/// Unix time in nanoseconds.
using WallTime = std::chrono::time_point<std::chrono::system_clock, std::chrono::nanoseconds>;
using Milliseconds = std::chrono::milliseconds;

/// One reading of both clocks.
struct Now
{
    BootTime boot;
    WallTime wall;
};

/// Thread-safety: thread-safe.
class OCTOSTORE_API Clock
{
public:
    virtual ~Clock();
    virtual BootTime bootTime() const noexcept = 0;
    virtual WallTime wallTime() const noexcept = 0;
    /// Which boot time this is: boot id and time namespace. Instants of two identities cannot be
    /// compared.
    virtual const std::string& identity() const noexcept = 0;

    Now now() const noexcept { return {bootTime(), wallTime()}; }
};

/// The machine's clocks. Thread-safety: immutable.
class OCTOSTORE_API SystemClock final : public Clock
{
public:
    SystemClock();
    BootTime bootTime() const noexcept override;
    WallTime wallTime() const noexcept override;
    const std::string& identity() const noexcept override { return _identity; }

private:
    std::string _identity;
};

/// RFC 3339 in UTC with suffix `Z` and 0, 3, 6 or 9 fraction digits, the fewest that lose nothing.
OCTOSTORE_API std::string toRfc3339(WallTime time);

/// Whole milliseconds, rounded down; never less than 0.
OCTOSTORE_API std::uint64_t wholeMilliseconds(BootClock::duration duration) noexcept;

} // namespace octostore
