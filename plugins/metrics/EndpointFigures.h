// SPDX-License-Identifier: MIT
/// @file
/// Requests by the seven classes the reference's /metrics document has.
#pragma once

#include <octostore/metrics/Counter.h>
#include <octostore/metrics/Histogram.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace octostore::metrics
{

enum class Endpoint : std::uint8_t
{
    Acquire,
    Release,
    Renew,
    Status,
    List,
    Auth,
    Election,
};
constexpr std::size_t endpoints = 7;

std::string_view endpointName(Endpoint endpoint) noexcept;
/// The class of a route by its pattern; nothing: it is in none.
std::optional<Endpoint> endpointOf(std::string_view pattern) noexcept;

/// One class. Thread-safety: thread-safe.
class EndpointFigures
{
public:
    void count(int status, std::chrono::nanoseconds duration) noexcept;

    struct Values
    {
        std::uint64_t count = 0;
        std::uint64_t errors = 0;
        std::uint64_t leastMs = 0;
        std::uint64_t mostMs = 0;
        HistogramSample durations;
    };
    Values values() const;

private:
    Counter _count;
    Counter _errors;
    std::atomic<std::uint64_t> _least{UINT64_MAX}; ///< in milliseconds
    std::atomic<std::uint64_t> _most{0};
    Histogram _durations{requestBounds()};
};

using EndpointTable = std::array<EndpointFigures, endpoints>;

} // namespace octostore::metrics
