// SPDX-License-Identifier: MIT
#include "MinuteHistory.h"

#include <octostore/base/Json.h>

#include <algorithm>
#include <chrono>

namespace octostore::metrics
{

namespace
{

constexpr std::int64_t minuteSeconds = 60;

std::optional<std::size_t> minutesOf(std::string_view window)
{
    if (window == "1h")
        return 60;
    if (window == "12h")
        return 12 * 60;
    if (window == "24h")
        return 24 * 60;
    if (window == "7d")
        return MinuteHistory::minutesMax;
    return std::nullopt;
}

} // namespace

std::int64_t MinuteHistory::minuteOf(const Snapshot& snapshot)
{
    const auto seconds =
        std::chrono::duration_cast<std::chrono::seconds>(snapshot.at.time_since_epoch()).count();
    return seconds - seconds % minuteSeconds;
}

void MinuteHistory::take(const Snapshot& snapshot)
{
    MutexLock lock(_mutex);
    if (_begin && minuteOf(*_begin) == minuteOf(snapshot))
        return;
    // A clock that was set back must not give a minute twice.
    if (_begin && (_minutes.empty() || _minutes.back().at < minuteOf(*_begin)))
        _minutes.push_back({minuteOf(*_begin), snapshot.requests - _begin->requests,
                            snapshot.counts.acquired - _begin->counts.acquired,
                            snapshot.counts.released - _begin->counts.released,
                            snapshot.counts.locks + snapshot.counts.rooms});
    if (_minutes.size() > minutesMax)
        _minutes.pop_front();
    _begin = snapshot;
}

std::optional<std::string> MinuteHistory::json(std::string_view window) const
{
    const std::optional<std::size_t> most = minutesOf(window);
    if (!most)
        return std::nullopt;
    MutexLock lock(_mutex);
    const auto last = _minutes.end();
    const auto first = last - static_cast<std::ptrdiff_t>(std::min(*most, _minutes.size()));
    JsonWriter json;
    json.beginObject().field("window", window);
    const auto series = [&](std::string_view name, auto valueOf)
    {
        json.key(name).beginArray();
        for (auto minute = first; minute != last; ++minute)
            json.value(valueOf(*minute));
        json.endArray();
    };
    series("timestamps", [](const Minute& minute) { return minute.at; });
    series("request_volume", [](const Minute& minute) { return minute.requests; });
    series("acquire_rates", [](const Minute& minute) { return minute.acquired; });
    series("release_rates", [](const Minute& minute) { return minute.released; });
    series("active_locks", [](const Minute& minute) { return minute.live; });
    json.endObject();
    return json.take();
}

} // namespace octostore::metrics
