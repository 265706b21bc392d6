// SPDX-License-Identifier: MIT
/// @file
/// Ends a network call from another thread.
#pragma once

#include <octostore/base/Mutex.h>

namespace octostore::client
{

/// Shuts the call's socket down, which wakes the thread that reads from it at once. It cannot
/// interrupt the resolver. Thread-safety: thread-safe.
class Cancellation
{
public:
    Cancellation() = default;
    Cancellation(const Cancellation&) = delete;
    Cancellation& operator=(const Cancellation&) = delete;

    void cancel() noexcept OCTOSTORE_EXCLUDES(_mutex);
    bool cancelled() const noexcept OCTOSTORE_EXCLUDES(_mutex);

    /// While it lives, `socket` is what cancel() shuts down; it must end before the descriptor is
    /// closed, or another one with the same number would be hit.
    class Guard
    {
    public:
        Guard(Cancellation& cancellation, int socket) noexcept;
        ~Guard();
        Guard(const Guard&) = delete;
        Guard& operator=(const Guard&) = delete;

    private:
        Cancellation& _cancellation;
    };

private:
    void watch(int socket) noexcept OCTOSTORE_EXCLUDES(_mutex);

    mutable Mutex _mutex;
    bool _cancelled OCTOSTORE_GUARDED_BY(_mutex) = false;
    int _socket OCTOSTORE_GUARDED_BY(_mutex) = -1;
};

} // namespace octostore::client
