// SPDX-License-Identifier: MIT
/// @file
/// Gives up waiting without leaving a lease behind.
#pragma once

#include "Acquisition.h"
#include "Calls.h"
#include "Claim.h"
#include "PrivateSession.h"

#include <optional>

namespace octostore::program
{

/// An attempt may have been granted without our having read it. A session settles that by its end;
/// without one we look, and ask again with the same key to get the token to give it back with.
/// Bounded by the shutdown timeout. Thread-safety: thread-compatible.
class Retreat
{
public:
    struct Parts
    {
        Claim& claim;
        PrivateSession* session; ///< null: none
        Calls& calls;
        Milliseconds shutdownTimeout;
    };

    /// What `parts` refers to must outlive this.
    Retreat(const Parts& parts, const Acquisition& acquisition, BootTime now);

    void advance(BootTime now);
    bool handle(const Completion& completion);
    std::optional<BootTime> next() const { return _done ? std::nullopt : std::optional(_until); }
    bool done() const noexcept { return _done; }

private:
    enum class Step
    {
        Attempting, ///< the answer of an attempt that does not wait is near
        Looking,
        Recovering,
        GivingBack,
        EndingSession,
    };

    void start(Step step, client::HttpRequest request);

    const Parts _parts;
    const BootTime _until;
    Step _step = Step::Attempting;
    std::optional<CallId> _call;
    bool _done = false;
};

} // namespace octostore::program
