// SPDX-License-Identifier: MIT
/// @file
/// Until when one lease or session is certainly ours, and when to ask again.
#pragma once

#include <octostore/base/Time.h>

namespace octostore::client
{

/// What a granting or extending answer says about time.
struct Confirmation
{
    BootTime sent;          ///< just before the request was sent
    Milliseconds waited{0}; ///< how long the server waited before it decided, as it says
};

/// The deadline counts from when the request was *sent*: the server decided later, so its own
/// deadline is later. 0.8 of the TTL leaves room for clocks that run at different speeds and for
/// what has to be done at the end. Pure. Thread-safety: thread-compatible.
class Lifeline
{
public:
    /// `renewAfter`: how long after a confirmation it is renewed.
    Lifeline(Milliseconds ttl, Milliseconds renewAfter) noexcept
        : _ttl(ttl), _renewAfter(renewAfter)
    {
    }

    /// Moves the deadline to sent + 0.99 waited + 0.8 TTL; never backwards. A `waited` that is more
    /// than the time since then is a lie and counts as that time.
    void confirm(const Confirmation& confirmation, BootTime now) noexcept;
    /// A renewal failed without proof of loss: the next one comes after `pause`, or in what is left
    /// before the deadline at the latest.
    void postpone(BootTime now, Milliseconds pause) noexcept;

    BootTime deadline() const noexcept { return _deadline; }
    /// When to send the next renewal.
    BootTime dueAt() const noexcept { return _dueAt; }
    /// How long one try may take: half of what is left, so that a try on a dead connection leaves
    /// time for one on a fresh one; at most `most`, at least 100 ms.
    Milliseconds tryTimeout(BootTime now, Milliseconds most) const noexcept;
    Milliseconds ttl() const noexcept { return _ttl; }

    /// 0.45 of the TTL.
    static Milliseconds usualRenewal(Milliseconds ttl) noexcept;
    /// 0.8 of the TTL.
    static Milliseconds authorityOf(Milliseconds ttl) noexcept;

private:
    Milliseconds _ttl;
    Milliseconds _renewAfter;
    BootTime _deadline{};
    BootTime _dueAt{};
};

} // namespace octostore::client
