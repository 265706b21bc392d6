// SPDX-License-Identifier: MIT
/// @file
/// A number that only grows.
#pragma once

#include <atomic>
#include <cstdint>

namespace octostore::metrics
{

/// Costs one relaxed atomic addition. Starts at 0 with the process.
/// Thread-safety: thread-safe, lock-free.
class Counter
{
public:
    void add(std::uint64_t amount = 1) noexcept
    {
        _value.fetch_add(amount, std::memory_order_relaxed);
    }
    std::uint64_t value() const noexcept { return _value.load(std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t> _value{0};
};

} // namespace octostore::metrics
