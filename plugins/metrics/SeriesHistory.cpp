// SPDX-License-Identifier: MIT
#include "SeriesHistory.h"

#include <octostore/base/Json.h>

#include <string_view>
#include <utility>

namespace octostore::metrics
{

namespace
{

using std::chrono::duration_cast;

// In the order of a point's values.
constexpr std::array<std::string_view, 8> names = {
    "requests_per_second", "request_p99_ms",        "held_locks",      "waiters",
    "leader_changes",      "webhook_success_ratio", "webhook_backlog", "commit_p99_ms"};

std::optional<double> p99Milliseconds(const HistogramSample& now, const HistogramSample& earlier)
{
    if (now.counts.empty())
        return std::nullopt;
    const double seconds = now.quantile(0.99, earlier);
    return seconds < 0 ? std::nullopt : std::optional<double>(seconds * 1000);
}

std::optional<double> successRatio(const Snapshot& earlier, const Snapshot& now)
{
    const double good = now.webhookSuccesses - earlier.webhookSuccesses;
    const double all = good + now.webhookFailures - earlier.webhookFailures;
    return all > 0 ? std::optional<double>(good / all) : std::nullopt;
}

} // namespace

SeriesRing::SeriesRing(std::string range, std::chrono::seconds age, std::chrono::seconds step)
    : _range(std::move(range)), _most(static_cast<std::size_t>(age / step)), _step(step)
{
}

void SeriesRing::take(const Snapshot& snapshot)
{
    MutexLock lock(_mutex);
    // Half a second of tolerance: the one who takes the snapshots is never quite on time.
    constexpr std::chrono::milliseconds tolerance{500};
    if (_last && snapshot.at - _last->at + tolerance < _step && snapshot.at >= _last->at)
        return;
    if (_last)
    {
        const Point point = pointOf(*_last, snapshot);
        // Of a clock that was set back, the times come twice: the later ones count.
        while (!_points.empty() && _points.back().at >= point.at)
            _points.pop_back();
        _points.push_back(point);
    }
    if (_points.size() > _most)
        _points.pop_front();
    _last = snapshot;
}

SeriesRing::Point SeriesRing::pointOf(const Snapshot& earlier, const Snapshot& now)
{
    const double seconds = std::chrono::duration<double>(now.at - earlier.at).count();
    Point point;
    point.at = duration_cast<std::chrono::seconds>(now.at.time_since_epoch()).count();
    if (seconds > 0)
        point.values[0] = static_cast<double>(now.requests - earlier.requests) / seconds;
    point.values[1] = p99Milliseconds(now.requestDurations, earlier.requestDurations);
    point.values[2] = static_cast<double>(now.counts.locks);
    point.values[3] =
        static_cast<double>(now.counts.lockQueues.waiters + now.counts.roomQueues.waiters);
    point.values[4] = static_cast<double>(now.leaderChanges - earlier.leaderChanges);
    point.values[5] = successRatio(earlier, now);
    point.values[6] = now.webhookBacklog;
    point.values[7] = p99Milliseconds(now.commitDurations, earlier.commitDurations);
    return point;
}

std::string SeriesRing::json() const
{
    MutexLock lock(_mutex);
    JsonWriter json;
    json.beginObject()
        .field("range", _range)
        .field("step_seconds", static_cast<std::int64_t>(_step.count()));
    json.key("timestamps").beginArray();
    for (const Point& point : _points)
        json.value(point.at);
    json.endArray().key("series").beginObject();
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        json.key(names[i]).beginArray();
        for (const Point& point : _points)
        {
            if (point.values[i])
                json.value(*point.values[i]);
            else
                json.nullValue();
        }
        json.endArray();
    }
    json.endObject().endObject();
    return json.take();
}

} // namespace octostore::metrics
