// SPDX-License-Identifier: MIT
/// @file
/// What goes wrong with a disk, and when.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

namespace octostore::test
{

enum class Fault : std::uint32_t
{
    None,
    WriteError,
    DiskFull,
    ShortWrite,   ///< half of it is written, then the disk is full
    ReadOnly,     ///< its file system has turned read-only; files are opened for reading only
    SyncError,    ///< what was not synced never becomes durable, although later syncs work
    SyncLie,      ///< says it synced and did not
    PowerFailure, ///< nothing works from then on
    KillBefore,   ///< SIGKILL before the operation
    KillWithin,   ///< SIGKILL after half of it
    KillBehind,   ///< SIGKILL after it
};

enum class FaultOperation
{
    Write,
    Truncate,
    Sync,
    Open, ///< for writing
    Remove,
};

constexpr const char* nameOf(Fault fault)
{
    switch (fault)
    {
    case Fault::None:
        return "none";
    case Fault::WriteError:
        return "write error";
    case Fault::DiskFull:
        return "disk full";
    case Fault::ShortWrite:
        return "short write";
    case Fault::ReadOnly:
        return "turned read-only";
    case Fault::SyncError:
        return "sync error";
    case Fault::SyncLie:
        return "sync lie";
    case Fault::PowerFailure:
        return "power failure";
    case Fault::KillBefore:
        return "kill before an operation";
    case Fault::KillWithin:
        return "kill within an operation";
    case Fault::KillBehind:
        return "kill behind an operation";
    }
    return "";
}

/// May lie in memory that two processes share. Thread-safety: thread-safe.
struct FaultPlan
{
    static constexpr std::uint32_t forEver = std::numeric_limits<std::uint32_t>::max();

    /// Strikes the operation number `first` (from 1) of those it can strike, and the ones after it
    /// until it has struck `times`.
    void set(Fault what, std::uint32_t first, std::uint32_t times)
    {
        fault = static_cast<std::uint32_t>(Fault::None);
        seen = 0;
        fired = 0;
        at = first;
        most = times;
        fault = static_cast<std::uint32_t>(what);
    }
    /// Nothing goes wrong any more; `fired` stays.
    void clear() { fault = static_cast<std::uint32_t>(Fault::None); }

    std::atomic<std::uint32_t> fault{0};
    std::atomic<std::uint32_t> at{0};
    std::atomic<std::uint32_t> most{0};
    std::atomic<std::uint32_t> seen{0};
    std::atomic<std::uint32_t> fired{0};
};

} // namespace octostore::test
