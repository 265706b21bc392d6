// SPDX-License-Identifier: MIT
/// @file
/// Virtual time, one source of chance, and what happened how often.
#pragma once

#include <octostore/base/Time.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>

namespace octostore::simulation
{

using Duration = BootClock::duration;

/// What a whole batch of runs reached: name of the rare path -> how often.
using Counters = std::map<std::string, std::uint64_t>;

/// One run is a pure function of its seed. Thread-safety: thread-compatible.
class World final : public Clock
{
public:
    World(std::uint64_t seed, Counters& counters) : _counters(counters), _state(seed) {}

    BootTime bootTime() const noexcept override { return _now; }
    WallTime wallTime() const noexcept override
    {
        return WallTime(std::chrono::seconds(1'700'000'000)) + _now.time_since_epoch();
    }
    const std::string& identity() const noexcept override { return _identity; }

    /// `action` runs `delay` from now; actions of one instant in the order of these calls.
    void after(Duration delay, std::function<void()> action);
    /// Runs what is due next; false when that would be after `end`.
    bool step(BootTime end);

    std::uint64_t below(std::uint64_t bound);
    bool oneIn(std::uint64_t n) { return below(n) == 0; }
    Duration between(Duration least, Duration most);
    void count(const char* what, std::uint64_t times = 1)
    {
        if (times > 0)
            _counters[what] += times;
    }

private:
    Counters& _counters;
    std::uint64_t _state;
    BootTime _now{std::chrono::seconds(1000)};
    const std::string _identity = "world";
    std::map<std::pair<BootTime, std::uint64_t>, std::function<void()>> _queue;
    std::uint64_t _last = 0;
};

/// A clock that goes a little faster or slower than the world's, and began elsewhere.
class SkewedClock
{
public:
    SkewedClock(const World& world, double rate, Duration offset)
        : _world(world), _rate(rate), _offset(offset)
    {
    }
    double rate() const noexcept { return _rate; }
    Now now() const { return {local(_world.bootTime()), _world.wallTime()}; }
    BootTime local(BootTime world) const
    {
        const auto passed = static_cast<double>((world - epoch).count());
        return epoch + _offset + Duration(static_cast<std::int64_t>(passed * _rate));
    }
    /// Not before the local clock has reached `local`.
    BootTime world(BootTime local) const
    {
        const auto passed = static_cast<double>((local - _offset - epoch).count());
        return epoch + Duration(static_cast<std::int64_t>(passed / _rate) + 2);
    }

private:
    static constexpr BootTime epoch{std::chrono::seconds(1000)};
    const World& _world;
    const double _rate;
    const Duration _offset;
};

} // namespace octostore::simulation
