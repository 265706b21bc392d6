// SPDX-License-Identifier: MIT
/// @file
/// Drives many connections from one thread and measures what comes back.
#pragma once

#include <octostore/base/Result.h>
#include <octostore/bench/Client.h>
#include <octostore/bench/Histogram.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace octostore::bench
{

/// Of one operation, while the load was measured.
struct OperationResult
{
    Histogram latency; ///< of good and busy answers
    std::uint64_t busy = 0;
    std::map<int, std::uint64_t> failures; ///< by status; 0: the connection broke
};

struct LoadResult
{
    std::array<OperationResult, operationCount> operations;
    Duration measured{0};
    std::uint64_t unanswered = 0; ///< for more than a second when the load ended
    std::string firstFailure;     ///< status and beginning of the body; empty: none
    bool stopped = false;         ///< before its time, by the stop descriptor

    std::uint64_t answers() const noexcept;
    std::uint64_t failures() const noexcept;
};

struct LoadOptions
{
    std::string host; ///< or the path of a socket, which begins with /
    std::uint16_t port = 0;
    /// Requests a second of all connections together; 0: each asks as soon as it was answered.
    /// With a rate, time counts from when a request was due, not from when a connection was free
    /// for it: a server that stalls cannot hide that.
    double rate = 0;
    Duration warmUp{std::chrono::seconds(1)}; ///< of the load, before it is measured
    Duration duration{std::chrono::seconds(10)};
    Duration cleanUp{std::chrono::seconds(10)}; ///< at most that long
    bool stay = false; ///< connections stay open to the end although nobody asks anything more
    /// Called about once a second with what was measured so far.
    std::function<void(const LoadResult&)> progress;
    int stopDescriptor = -1; ///< readable: the load ends now
};

/// Connects all clients, lets each prepare, loads, and lets each clean up. The load ends early when
/// no client has anything more to ask.
/// Errors: InvalidInput, `host` is unknown; AuthenticationFailed, the first answer said that a
/// credential is wrong, and no more was asked; Unavailable, nobody listens or preparing failed: the
/// message says what the server answered.
Result<LoadResult> runLoad(const LoadOptions& options,
                           const std::vector<std::unique_ptr<Client>>& clients);

} // namespace octostore::bench
