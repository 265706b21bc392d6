// SPDX-License-Identifier: MIT
/// @file
/// Renews the lease and keeps the session alive, each when it is due.
#pragma once

#include "Calls.h"
#include "Claim.h"
#include "PrivateSession.h"

#include <octostore/client/Authority.h>
#include <octostore/client/Backoff.h>

#include <array>
#include <optional>

namespace octostore::program
{

/// What came of one renewal or keepalive.
struct Kept
{
    client::Line line = client::Line::Lease;
    bool moved = false; ///< the deadline of the whole is later now
    std::optional<client::Failure> failure;
    std::string expiresAt; ///< of the line, when confirmed
};

/// Has at most one request of each on its way; a failed one is tried again on a fresh connection
/// until the authority ends. Thread-safety: thread-compatible.
class Keeper
{
public:
    struct Parts
    {
        client::Authority& authority;
        Claim& claim;
        PrivateSession* session; ///< null: none
        Calls& calls;
        Random& random;
        Milliseconds requestTimeout;
    };

    /// What `parts` refers to must outlive this.
    explicit Keeper(const Parts& parts) : _parts(parts) {}

    void keep(client::Line line) { slot(line).active = true; }
    void drop(client::Line line);
    /// Asks the server now whether the lease is still ours.
    void hurry() noexcept { slot(client::Line::Lease).hurried = true; }
    /// Sends what is due.
    void advance(BootTime now);
    /// Nothing if the completion is of somebody else.
    std::optional<Kept> handle(const Completion& completion, BootTime now);
    std::optional<BootTime> next() const;

private:
    struct Slot
    {
        bool active = false;
        bool hurried = false;
        std::optional<CallId> call;
        client::Backoff backoff{Milliseconds(100), Milliseconds(2000)};
    };

    Slot& slot(client::Line line) noexcept { return _slots[static_cast<std::size_t>(line)]; }
    const Slot& slot(client::Line line) const noexcept
    {
        return _slots[static_cast<std::size_t>(line)];
    }
    Kept read(client::Line line, const Completion& completion, BootTime now);

    const Parts _parts;
    std::array<Slot, 2> _slots;
};

} // namespace octostore::program
