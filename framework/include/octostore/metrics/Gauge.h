// SPDX-License-Identifier: MIT
/// @file
/// A number that goes up and down.
#pragma once

#include <atomic>
#include <cstdint>

namespace octostore::metrics
{

/// Thread-safety: thread-safe, lock-free.
class Gauge
{
public:
    void set(std::int64_t value) noexcept { _value.store(value, std::memory_order_relaxed); }
    /// `amount` may be negative.
    void add(std::int64_t amount) noexcept { _value.fetch_add(amount, std::memory_order_relaxed); }
    std::int64_t value() const noexcept { return _value.load(std::memory_order_relaxed); }

private:
    std::atomic<std::int64_t> _value{0};
};

} // namespace octostore::metrics
