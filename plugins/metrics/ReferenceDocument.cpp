// SPDX-License-Identifier: MIT
#include "ReferenceDocument.h"

#include <octostore/base/Json.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace octostore::metrics
{

namespace
{

constexpr double msPerSecond = 1000;

std::string oneDecimal(double number)
{
    std::array<char, 64> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), std::max(number, 0.0),
                                   std::chars_format::fixed, 1);
    return {text.data(), end.ptr};
}

void write(JsonWriter& json, Endpoint endpoint, const EndpointFigures& figures)
{
    const EndpointFigures::Values values = figures.values();
    const double average =
        values.count == 0 ? 0 : values.durations.sum * msPerSecond / double(values.count);
    const auto percentile = [&](double share)
    { return oneDecimal(values.durations.quantile(share) * msPerSecond); };
    json.key(endpointName(endpoint))
        .beginObject()
        .field("avg_ms", oneDecimal(average))
        .field("count", values.count)
        .field("errors", values.errors)
        .field("max_ms", values.mostMs)
        .field("min_ms", values.leastMs)
        .field("p50_ms", percentile(0.5))
        .field("p95_ms", percentile(0.95))
        .field("p99_ms", percentile(0.99))
        .endObject();
}

} // namespace

std::string referenceJson(const ReferenceValues& values, const EndpointTable& endpointTable)
{
    const coordination::Counts& counts = values.counts;
    JsonWriter json;
    json.beginObject().field("active_locks", std::uint64_t{counts.locks + counts.rooms});
    json.key("endpoints").beginObject();
    for (const Endpoint endpoint :
         {Endpoint::Acquire, Endpoint::Auth, Endpoint::Election, Endpoint::List, Endpoint::Release,
          Endpoint::Renew, Endpoint::Status})
        write(json, endpoint, endpointTable[static_cast<std::size_t>(endpoint)]);
    json.endObject();
    json.key("lock_store")
        .beginObject()
        .field("cache_hits", 0) // the reference has a cache, we have none
        .field("cache_misses", 0)
        .field("total_acquires", counts.acquired)
        .field("total_expirations", counts.expired)
        .field("total_releases", counts.released)
        .endObject();
    json.field("memory_bytes", values.residentBytes)
        .field("requests_per_second",
               double(values.requests) / double(std::max<std::uint64_t>(values.uptimeSeconds, 1)))
        .field("total_requests", values.requests)
        .field("total_users", values.users)
        .field("uptime_seconds", values.uptimeSeconds)
        .endObject();
    return json.take();
}

} // namespace octostore::metrics
