// SPDX-License-Identifier: MIT
/// @file
/// How fast a receiver may be asked, and for how long not at all.
#pragma once

#include <octostore/base/Time.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

namespace octostore::webhooks
{

/// Attempts lie at least a part of a second apart; a pause that the receiver asked for comes on
/// top. Pure. Thread-safety: thread-compatible.
class Pace
{
public:
    /// Nothing: as fast as it goes.
    void setRate(std::optional<std::uint64_t> perSecond)
    {
        _apart = perSecond ? BootClock::duration(std::chrono::seconds(1)) /
                                 static_cast<std::int64_t>(*perSecond)
                           : BootClock::duration(0);
    }
    /// When the next attempt may begin; what lies in the past is now.
    BootTime ready() const noexcept { return std::max(_next, _paused); }
    void began(BootTime now) noexcept { _next = now + _apart; }
    void pause(BootTime until) noexcept { _paused = std::max(_paused, until); }
    /// Another receiver, or the owner says that it is well.
    void resume() noexcept { _paused = {}; }

private:
    BootClock::duration _apart{0};
    BootTime _next;
    BootTime _paused;
};

} // namespace octostore::webhooks
