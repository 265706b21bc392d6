// SPDX-License-Identifier: MIT
/// @file
/// Tells how many wait for a lock, by waiting behind them.
#pragma once

#include "ServerClient.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::test
{

/// The lock must be held while it looks. Thread-safety: thread-compatible.
class QueueScout
{
public:
    /// `token`: of an account that may acquire the lock.
    QueueScout(std::uint16_t port, std::string_view token, std::string lock);

    /// Waits until so many places are taken; a look takes a second. False: they never are.
    bool sees(std::size_t places);

private:
    using Clock = std::chrono::steady_clock;

    std::int64_t look();
    std::int64_t placesKept(Clock::time_point when) const;

    ServerClient _client;
    const std::string _lock;
    std::vector<Clock::time_point> _looked;
};

} // namespace octostore::test
