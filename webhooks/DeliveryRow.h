// SPDX-License-Identifier: MIT
/// @file
/// What the delivery log keeps, and how it is asked for it.
#pragma once

#include "Backlog.h"

#include <octostore/base/Time.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace octostore::webhooks
{

struct DeliveryRow
{
    std::string webhook;
    DeliveryKey key;
    std::string id;
    std::string type;
    std::string resource;
    /// pending, retrying, succeeded, exhausted, expired, cancelled; never in the log: delivering
    std::string state;
    unsigned attempts = 0;
    std::string reason; ///< of the last attempt; empty: success or none yet
    int status = 0;
    WallTime happened;
    WallTime updated;
    std::optional<WallTime> nextAttempt;
    std::string body; ///< empty: not kept any more
};

struct AttemptRow
{
    unsigned number = 0;
    WallTime at;
    Milliseconds took{0};
    int status = 0;
    std::string reason;
    std::string detail;
    std::string requestHeaders; ///< a JSON object
    std::string response;
};

/// A change of a delivery, with the attempt that led to it.
struct DeliveryNote
{
    DeliveryRow row;
    std::optional<AttemptRow> attempt;

    /// About what it takes in memory and in the store.
    std::uint64_t bytes() const noexcept
    {
        constexpr std::uint64_t fixed = 256;
        return fixed + row.body.size() + row.resource.size() +
               (attempt ? attempt->requestHeaders.size() + attempt->response.size() +
                              attempt->detail.size()
                        : 0);
    }
};

struct DeliveryQuery
{
    std::string webhook;
    std::string state; ///< empty: any; `failed`: given up or waiting for another attempt
    std::string type;  ///< `*` stands for a part; empty: any
    std::size_t limit = 50;
    std::optional<DeliveryKey> before; ///< only older ones
    Sequence after;                    ///< only newer ones
    WallTime since;                    ///< only of events that happened then or later
};

struct DeliveryDetail
{
    DeliveryRow row;
    std::vector<AttemptRow> attempts;
};

struct DeliveryStats
{
    std::uint64_t attempts = 0; ///< in the last 24 hours
    std::uint64_t succeeded = 0;
    std::optional<Milliseconds> p95;
};

struct DeliveryLogLimits
{
    Milliseconds age{std::chrono::hours(30 * 24)};
    Milliseconds bodyAge{std::chrono::hours(7 * 24)};
    std::uint64_t bytes = 256ull * 1024 * 1024;
    // What may wait to be written; beyond it notes are dropped.
    std::size_t queued = 20'000;
    std::uint64_t queuedBytes = 32ull * 1024 * 1024;
};

} // namespace octostore::webhooks
