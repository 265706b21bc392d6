// SPDX-License-Identifier: MIT
/// @file
/// The four classes of work and the queue that keeps the lower ones from starving.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

namespace octostore
{

/// Higher first (design: classes). Keeping what one has goes before getting something new.
enum class Priority : unsigned char
{
    Keep = 0,    ///< renew, keepalive, release, resign, end of a session
    HandOver,    ///< grants to waiters, expiry with a waiter
    Acquire,     ///< acquire, campaign, and everything else a client asks for
    Housekeeping ///< recording expiries without a waiter, trimming, cursors
};
constexpr std::size_t priorityCount = 4;

/// First in, first out within a class; of a batch each class may take what it has, highest first,
/// but every lower class that waits gets at least 1/8 of it.
/// Thread-safety: thread-compatible.
template <class T>
class ClassQueue
{
public:
    void push(Priority priority, T value) { queue(priority).push_back(std::move(value)); }

    bool empty() const noexcept
    {
        return std::all_of(_queues.begin(), _queues.end(), [](const auto& q) { return q.empty(); });
    }
    std::size_t size() const noexcept
    {
        std::size_t sum = 0;
        for (const auto& queue : _queues)
            sum += queue.size();
        return sum;
    }
    std::size_t size(Priority priority) const noexcept
    {
        return _queues[static_cast<std::size_t>(priority)].size();
    }

    /// Moves at most `most` values out, in the order in which they are to be worked on.
    std::vector<T> take(std::size_t most)
    {
        const std::size_t floor = std::max<std::size_t>(most / 8, 1);
        std::vector<T> batch;
        batch.reserve(std::min(most, size()));
        for (std::size_t i = 0; i < priorityCount; ++i)
        {
            std::size_t reserved = 0;
            for (std::size_t lower = i + 1; lower < priorityCount; ++lower)
                reserved += std::min(floor, _queues[lower].size());
            const std::size_t left = most - batch.size();
            // With a batch smaller than the floors together the highest class still moves.
            std::size_t share = left > reserved ? left - reserved : (i == 0 && left > 0 ? 1 : 0);
            share = std::max(share, std::min(floor, left));
            share = std::min({share, left, _queues[i].size()});
            for (; share > 0; --share)
            {
                batch.push_back(std::move(_queues[i].front()));
                _queues[i].pop_front();
            }
        }
        return batch;
    }

private:
    std::deque<T>& queue(Priority priority) { return _queues[static_cast<std::size_t>(priority)]; }

    std::array<std::deque<T>, priorityCount> _queues;
};

} // namespace octostore
