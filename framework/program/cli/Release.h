// SPDX-License-Identifier: MIT
/// @file
/// Gives the lease back, as often as it takes, for as long as there is time.
#pragma once

#include "Calls.h"
#include "Claim.h"
#include "PrivateSession.h"

#include <octostore/client/Backoff.h>

#include <optional>
#include <string>

namespace octostore::program
{

/// Then ends the session, which ends the lease too. Thread-safety: thread-compatible.
class Release
{
public:
    struct Parts
    {
        Claim& claim;
        PrivateSession* session; ///< null: none
        Calls& calls;
        Random& random;
        Milliseconds shutdownTimeout;
    };

    /// What `parts` refers to must outlive this.
    Release(const Parts& parts, BootTime now);

    void advance(BootTime now);
    bool handle(const Completion& completion, BootTime now);
    std::optional<BootTime> next() const;

    bool done() const noexcept { return _done; }
    /// The server has confirmed that the lease is over.
    bool confirmed() const noexcept { return _confirmed; }
    /// Why not, the last time.
    const std::string& reason() const noexcept { return _reason; }

private:
    const Parts _parts;
    const BootTime _until;
    client::Backoff _backoff{Milliseconds(50), Milliseconds(500)};
    std::optional<CallId> _release;
    std::optional<CallId> _session;
    BootTime _retryAt{};
    bool _refused = false; ///< trying again is of no use
    bool _confirmed = false;
    bool _done = false;
    std::string _reason = "timeout";
};

} // namespace octostore::program
