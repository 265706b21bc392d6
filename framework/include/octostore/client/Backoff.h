// SPDX-License-Identifier: MIT
/// @file
/// How long to pause between tries.
#pragma once

#include <octostore/base/Random.h>
#include <octostore/base/Time.h>

#include <optional>

namespace octostore::client
{

/// A time between `base` and `base` + `percent` % of it, so that many clients do not come at once.
Milliseconds withJitter(Milliseconds base, unsigned percent, Random& random) noexcept;

/// Doubles from `first` to `most`; each pause is between half and all of that.
/// Thread-safety: thread-compatible.
class Backoff
{
public:
    Backoff(Milliseconds first, Milliseconds most) noexcept : _first(first), _most(most) {}

    /// The pause after one more failure; never less than `atLeast`, what the server asked for.
    Milliseconds next(Random& random, std::optional<Milliseconds> atLeast = std::nullopt) noexcept;
    /// After a success.
    void reset() noexcept { _current = Milliseconds(0); }

private:
    Milliseconds _first;
    Milliseconds _most;
    Milliseconds _current{0};
};

} // namespace octostore::client
