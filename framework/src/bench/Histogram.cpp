// SPDX-License-Identifier: MIT
#include <octostore/bench/Histogram.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace octostore::bench
{

namespace
{

constexpr unsigned stepBits = 6;
constexpr std::size_t stepsPerPower = std::size_t{1} << stepBits;
constexpr std::size_t stepCount = (64 - stepBits + 1) * stepsPerPower;

} // namespace

Histogram::Histogram() : _steps(stepCount) {}

/// Values below 64 have a step of their own; from there each power of two has 64.
std::size_t Histogram::stepOf(std::uint64_t value) noexcept
{
    if (value < stepsPerPower)
        return value;
    const unsigned shift = static_cast<unsigned>(std::bit_width(value)) - 1 - stepBits;
    return (shift + 1) * stepsPerPower + ((value >> shift) - stepsPerPower);
}

/// The greatest value that falls into a step.
std::uint64_t Histogram::topOf(std::size_t step) noexcept
{
    if (step < stepsPerPower)
        return step;
    const std::size_t shift = step / stepsPerPower - 1;
    const std::uint64_t next = stepsPerPower + step % stepsPerPower + 1;
    return (next << shift) - 1;
}

void Histogram::record(Duration duration) noexcept
{
    const auto value = static_cast<std::uint64_t>(std::max<std::int64_t>(duration.count(), 0));
    ++_steps[stepOf(value)];
    ++_count;
    _sum += static_cast<double>(value);
    _least = std::min(_least, value);
    _most = std::max(_most, value);
}

void Histogram::add(const Histogram& other)
{
    for (std::size_t i = 0; i < _steps.size(); ++i)
        _steps[i] += other._steps[i];
    _count += other._count;
    _sum += other._sum;
    _least = std::min(_least, other._least);
    _most = std::max(_most, other._most);
}

Duration Histogram::least() const noexcept
{
    return Duration(_count == 0 ? 0 : static_cast<std::int64_t>(_least));
}

Duration Histogram::mean() const noexcept
{
    return Duration(_count == 0 ? 0
                                : static_cast<std::int64_t>(_sum / static_cast<double>(_count)));
}

Duration Histogram::quantile(double share) const noexcept
{
    if (_count == 0)
        return Duration(0);
    const auto wanted = std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(_count))));
    std::uint64_t seen = 0;
    for (std::size_t step = 0; step < _steps.size(); ++step)
    {
        seen += _steps[step];
        if (seen >= wanted)
            return Duration(static_cast<std::int64_t>(std::min(topOf(step), _most)));
    }
    return most();
}

std::uint64_t Histogram::between(Duration from, Duration to) const noexcept
{
    const auto first = stepOf(static_cast<std::uint64_t>(std::max<std::int64_t>(from.count(), 0)));
    const auto last = stepOf(static_cast<std::uint64_t>(std::max<std::int64_t>(to.count(), 0)));
    std::uint64_t sum = 0;
    for (std::size_t step = first + 1; step <= last && step < _steps.size(); ++step)
        sum += _steps[step];
    return sum;
}

} // namespace octostore::bench
