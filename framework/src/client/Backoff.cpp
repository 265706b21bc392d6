// SPDX-License-Identifier: MIT
#include <octostore/client/Backoff.h>

#include <algorithm>
#include <cstring>

namespace octostore::client
{

namespace
{

std::uint64_t drawUpTo(std::uint64_t most, Random& random) noexcept
{
    const auto bytes = random.bytes<8>();
    std::uint64_t drawn = 0;
    std::memcpy(&drawn, bytes.data(), bytes.size());
    return drawn % (most + 1);
}

} // namespace

Milliseconds withJitter(Milliseconds base, unsigned percent, Random& random) noexcept
{
    const auto most = static_cast<std::uint64_t>(base.count()) * percent / 100;
    return base + Milliseconds(drawUpTo(most, random));
}

Milliseconds Backoff::next(Random& random, std::optional<Milliseconds> atLeast) noexcept
{
    _current = _current.count() == 0 ? _first : std::min(_current * 2, _most);
    const Milliseconds half = _current / 2;
    const Milliseconds pause =
        half + Milliseconds(drawUpTo(static_cast<std::uint64_t>(half.count()), random));
    return std::max(pause, atLeast.value_or(Milliseconds(0)));
}

} // namespace octostore::client
