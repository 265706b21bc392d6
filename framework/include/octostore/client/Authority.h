// SPDX-License-Identifier: MIT
/// @file
/// Whether this client may act as the leader or holder: the state machine of a hold.
#pragma once

#include <octostore/base/Time.h>
#include <octostore/client/Failure.h>
#include <octostore/client/Lifeline.h>

#include <optional>
#include <string>

namespace octostore::client
{

enum class AuthorityState
{
    Waiting,   ///< not yet ours
    Holding,   ///< ours until deadline()
    Uncertain, ///< the deadline came before a confirmation; somebody else may have it
    Lost,      ///< the server proved that it is over
    Released,  ///< given back, and the server confirmed it
};

/// What authority rests on. A lock in a session ends with either.
enum class Line
{
    Lease,
    Session,
};

/// How the client uses its authority.
struct AuthorityTerms
{
    Milliseconds leaseTtl{0};
    std::optional<Milliseconds> sessionTtl; ///< nothing: no session
    /// How much of the end is needed to stop the work: authority is given up that much earlier.
    Milliseconds reserve{0};
};

/// Waiting → Holding → Uncertain, Lost or Released; it never comes back from those three.
/// Pure: time comes in with every call. Thread-safety: thread-compatible.
class Authority
{
public:
    explicit Authority(const AuthorityTerms& terms);

    AuthorityState state() const noexcept { return _state; }
    /// Why it ended: an error code. Empty before.
    const std::string& reason() const noexcept { return _reason; }

    /// The lease was granted. False when nothing of the authority is left at `now` (a suspended
    /// machine, a slow answer): it was never used, so the caller gives it back and goes on waiting.
    /// Asserts Waiting, and a session that was confirmed if there is one.
    bool grant(const Confirmation& confirmation, BootTime now);
    /// The server confirmed a renewal or keepalive. Ignored once the authority has ended: what was
    /// given up is not taken up again.
    void confirm(Line line, const Confirmation& confirmation, BootTime now);
    /// A renewal or keepalive failed. While holding, proof of loss ends the authority; anything
    /// else is tried again after `pause`.
    void fail(Line line, const Failure& failure, BootTime now, Milliseconds pause);
    /// Ends the authority when its deadline, less the reserve, has come.
    void advance(BootTime now);
    /// The work has stopped and the server has taken the lease back.
    void released() noexcept;
    /// The server did not confirm a release in time.
    void releaseUnconfirmed(const std::string& reason);

    /// Until when the lease is certainly ours: the lesser of lease and session.
    BootTime deadline() const noexcept;
    /// deadline() less the reserve: when advance() ends it.
    BootTime endOfUse() const noexcept { return deadline() - _reserve; }
    /// Milliseconds to deadline(), never negative.
    Milliseconds remaining(BootTime now) const noexcept;
    const Lifeline& line(Line line) const noexcept;
    bool hasSession() const noexcept { return _session.has_value(); }
    /// A new session replaces one that has ended before the lease was granted. Asserts Waiting.
    void openSession(const Confirmation& confirmation, BootTime now);

private:
    Lifeline& lineOf(Line line) noexcept;
    void end(AuthorityState state, std::string reason);

    Lifeline _lease;
    std::optional<Lifeline> _session;
    const Milliseconds _reserve;
    AuthorityState _state = AuthorityState::Waiting;
    std::string _reason;
    std::string _lastFailure;
};

/// The instants of work that must have ended before the authority does.
struct StopTimes
{
    BootTime terminate; ///< ask it to end
    BootTime kill;      ///< end it
};

/// kill = deadline − 250 ms, terminate = kill − `killAfter`.
StopTimes stopTimes(BootTime deadline, Milliseconds killAfter) noexcept;
/// What AuthorityTerms::reserve is for such work.
Milliseconds stopReserve(Milliseconds killAfter) noexcept;
/// Whether a TTL leaves at least 1 s before the work is asked to end.
bool leavesTimeToWork(Milliseconds ttl, Milliseconds killAfter) noexcept;

} // namespace octostore::client
