// SPDX-License-Identifier: MIT
/// @file
/// The figures of each route, found without a lock.
#pragma once

#include <octostore/base/Mutex.h>
#include <octostore/http/Route.h>
#include <octostore/metrics/Source.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

namespace octostore::metrics
{

/// What is counted of one route.
class RouteFigures
{
public:
    RouteFigures(std::string pattern, std::string_view method);

    void count(int status, std::chrono::nanoseconds duration) noexcept;
    /// The client went before it was answered.
    void countLeft() noexcept;
    void collect(Sink& sink) const;

private:
    // What the server answers; whatever else comes is counted in one more place.
    static constexpr std::array<int, 25> statuses = {
        200, 201, 202, 204, 206, 303, 304, 400, 401, 403, 404,
        405, 408, 409, 410, 413, 414, 415, 422, 429, 431, http::clientLeft,
        500, 502, 503};

    Counter& counterOf(int status) noexcept;

    const std::string _pattern;
    const std::string _method;
    std::array<Counter, statuses.size() + 1> _counts;
    Histogram _durations{requestBounds()};
};

/// Routes are known by their address: the router keeps each in one place. Thread-safety:
/// thread-safe; finding a known route takes no lock.
class RouteTable
{
public:
    /// Null when there are more routes than anybody has.
    RouteFigures* find(const http::Route& route) noexcept OCTOSTORE_EXCLUDES(_mutex);
    void collect(Sink& sink) const;

private:
    struct Entry
    {
        explicit Entry(const http::Route& of)
            : route(&of), figures(of.pattern, http::methodName(of.method))
        {
        }

        const http::Route* route;
        RouteFigures figures;
    };
    static constexpr std::size_t slots = 1024; // a power of two
    static constexpr std::size_t entriesMax = slots / 2;

    RouteFigures* insert(const http::Route& route, std::size_t slot) OCTOSTORE_REQUIRES(_mutex);

    std::array<std::atomic<Entry*>, slots> _table{};
    Mutex _mutex;
    std::deque<Entry> _entries OCTOSTORE_GUARDED_BY(_mutex); // addresses must stay
};

} // namespace octostore::metrics
