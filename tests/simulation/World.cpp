// SPDX-License-Identifier: MIT
#include "World.h"

#include <algorithm>

namespace octostore::simulation
{

void World::after(Duration delay, std::function<void()> action)
{
    _queue.emplace(std::make_pair(_now + std::max(delay, Duration(0)), ++_last), std::move(action));
}

bool World::step(BootTime end)
{
    if (_queue.empty() || _queue.begin()->first.first > end)
        return false;
    _now = _queue.begin()->first.first;
    const std::function<void()> action = std::move(_queue.begin()->second);
    _queue.erase(_queue.begin());
    action();
    return true;
}

std::uint64_t World::below(std::uint64_t bound)
{
    // splitmix64: the same numbers everywhere, unlike the distributions of the standard library.
    std::uint64_t value = _state += 0x9E3779B97F4A7C15U;
    value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
    value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
    return (value ^ (value >> 31U)) % bound;
}

Duration World::between(Duration least, Duration most)
{
    return least + Duration(static_cast<std::int64_t>(
                       below(static_cast<std::uint64_t>((most - least).count()) + 1)));
}

} // namespace octostore::simulation
