// SPDX-License-Identifier: MIT
/// @file
/// What the client and the guardian say to each other over their socket.
#pragma once

#include <octostore/base/Time.h>

#include <cstdint>

namespace octostore::program
{

/// From the client. One packet each; both ends are the same program.
struct Order
{
    enum class Kind : std::uint32_t
    {
        Start,     ///< term, terminateAt, killAt
        Extend,    ///< terminateAt, killAt
        Interrupt, ///< value: a signal for the command
        StopInTime,
        StopPolitely,
        StopAtOnce,
    };

    Kind kind = Kind::Start;
    std::int32_t value = 0;
    std::uint64_t term = 0;
    std::int64_t terminateAt = 0; ///< BootTime in nanoseconds
    std::int64_t killAt = 0;
};

/// From the guardian.
struct Notice
{
    enum class Kind : std::uint32_t
    {
        Ready,    ///< it can begin
        Failed,   ///< it cannot; value: errno
        Extended, ///< killAt is what counts now
        Ended,    ///< the command has; value: as waitpid() has it
        Gone,     ///< and everything that it left behind
    };

    Kind kind = Kind::Ready;
    std::int32_t value = 0;
    std::int64_t killAt = 0;
};

inline std::int64_t toNanoseconds(BootTime time)
{
    return time.time_since_epoch().count();
}

inline BootTime toBootTime(std::int64_t nanoseconds)
{
    return BootTime(BootClock::duration(nanoseconds));
}

} // namespace octostore::program
