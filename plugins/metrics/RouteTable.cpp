// SPDX-License-Identifier: MIT
#include "RouteTable.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace octostore::metrics
{

RouteFigures::RouteFigures(std::string pattern, std::string_view method)
    : _pattern(std::move(pattern)), _method(method)
{
}

Counter& RouteFigures::counterOf(int status) noexcept
{
    const auto found = std::find(statuses.begin(), statuses.end(), status);
    return _counts[static_cast<std::size_t>(found - statuses.begin())];
}

void RouteFigures::count(int status, std::chrono::nanoseconds duration) noexcept
{
    counterOf(status).add();
    _durations.observe(duration);
}

void RouteFigures::countLeft() noexcept
{
    counterOf(http::clientLeft).add();
}

void RouteFigures::collect(Sink& sink) const
{
    for (std::size_t i = 0; i < _counts.size(); ++i)
    {
        if (_counts[i].value() == 0)
            continue;
        const std::string code = i < statuses.size() ? std::to_string(statuses[i]) : "other";
        sink.add({"octostore_http_requests_total",
                  "Requests by the status of their answer; 499: the client left before it came."},
                 _counts[i], {{"route", _pattern}, {"method", _method}, {"code", code}});
    }
    sink.add({"octostore_http_request_duration_seconds",
              "From the last byte of a request to its answer, waiting for a lease included."},
             _durations, {{"route", _pattern}, {"method", _method}});
}

RouteFigures* RouteTable::find(const http::Route& route) noexcept
{
    std::size_t slot = std::hash<const http::Route*>()(&route) / alignof(http::Route) % slots;
    for (;; slot = (slot + 1) % slots)
    {
        Entry* entry = _table[slot].load(std::memory_order_acquire);
        if (entry == nullptr)
            break;
        if (entry->route == &route)
            return &entry->figures;
    }
    MutexLock lock(_mutex);
    return insert(route, slot);
}

RouteFigures* RouteTable::insert(const http::Route& route, std::size_t slot)
{
    // Another thread may have been faster.
    for (Entry* entry = nullptr; (entry = _table[slot].load(std::memory_order_acquire)) != nullptr;
         slot = (slot + 1) % slots)
    {
        if (entry->route == &route)
            return &entry->figures;
    }
    // At most half full, so that every search ends.
    if (_entries.size() >= entriesMax)
        return nullptr;
    Entry& made = _entries.emplace_back(route);
    _table[slot].store(&made, std::memory_order_release);
    return &made.figures;
}

void RouteTable::collect(Sink& sink) const
{
    for (const auto& slot : _table)
    {
        if (const Entry* entry = slot.load(std::memory_order_acquire))
            entry->figures.collect(sink);
    }
}

} // namespace octostore::metrics
