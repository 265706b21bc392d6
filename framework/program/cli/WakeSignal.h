// SPDX-License-Identifier: MIT
/// @file
/// How threads wake the one that waits in poll().
#pragma once

namespace octostore::program
{

/// An eventfd, shared by who waits and by threads that may outlive it: it is closed with the last.
/// Thread-safety: thread-safe.
class WakeSignal
{
public:
    /// Aborts when the kernel has no descriptors left.
    WakeSignal();
    ~WakeSignal();
    WakeSignal(const WakeSignal&) = delete;
    WakeSignal& operator=(const WakeSignal&) = delete;

    /// Readable from raise() to clear().
    int descriptor() const noexcept { return _descriptor; }
    void raise() const noexcept;
    void clear() const noexcept;

private:
    const int _descriptor;
};

} // namespace octostore::program
