// SPDX-License-Identifier: MIT
#include "MinuteHistory.h"
#include "SeriesHistory.h"
#include "Snapshot.h"

#include <octostore/base/Json.h>

#include <gtest/gtest.h>

#include <string>

namespace octostore::metrics
{
namespace
{

using namespace std::chrono_literals;

class HistoryTest : public ::testing::Test
{
protected:
    static JsonValue::Array valuesOf(const JsonValue::Object& object, const std::string& key)
    {
        return *object.at(key).asArray();
    }
    static JsonValue::Object jsonOf(const std::string& text)
    {
        const auto object = readJson(text);
        EXPECT_TRUE(object) << text;
        return *object;
    }
    JsonValue::Object series(const SeriesRing& ring)
    {
        return *jsonOf(ring.json()).at("series").asObject();
    }

    Snapshot _now{WallTime(1'785'718'920s)}; // a whole minute
    SeriesRing _ring{"10m", 605s, 5s};
    MinuteHistory _minutes;
};

TEST_F(HistoryTest, APointIsWhatHappenedInItsStep)
{
    _ring.take(_now);
    EXPECT_TRUE(valuesOf(series(_ring), "waiters").empty()) << "there was no step yet";
    _now.at += 5s;
    _now.requests = 50;
    _now.counts.lockQueues.waiters = 2;
    _now.counts.roomQueues.waiters = 1;
    _now.leaderChanges = 2;
    _now.webhookSuccesses = 3;
    _now.webhookFailures = 1;
    _ring.take(_now);
    const JsonValue::Object points = series(_ring);
    EXPECT_EQ(*valuesOf(points, "requests_per_second").front().asInteger(), 10);
    EXPECT_EQ(*valuesOf(points, "waiters").front().asInteger(), 3);
    EXPECT_EQ(*valuesOf(points, "leader_changes").front().asInteger(), 2);
    EXPECT_EQ(*valuesOf(points, "webhook_success_ratio").front().asDouble(), 0.75);
    EXPECT_TRUE(valuesOf(points, "commit_p99_ms").front().isNull());
}

TEST_F(HistoryTest, WithoutDeliveriesThereIsNoRatio)
{
    _now.webhookSuccesses = 7;
    _ring.take(_now);
    _now.at += 5s;
    _ring.take(_now);
    EXPECT_TRUE(valuesOf(series(_ring), "webhook_success_ratio").front().isNull());
}

TEST_F(HistoryTest, TimesAscendThoughTheClockIsSetBack)
{
    for (int i = 0; i < 5; ++i, _now.at += 5s)
        _ring.take(_now);
    _now.at -= 15s;
    const WallTime again = _now.at;
    _ring.take(_now);
    _now.at += 5s;
    _ring.take(_now);
    const JsonValue::Array times = valuesOf(jsonOf(_ring.json()), "timestamps");
    ASSERT_EQ(times.size(), 3U);
    for (std::size_t i = 1; i < times.size(); ++i)
        EXPECT_LT(*times[i - 1].asInteger(), *times[i].asInteger());
    const auto at = std::chrono::duration_cast<std::chrono::seconds>(again.time_since_epoch());
    EXPECT_EQ(*times[1].asInteger(), at.count());
}

TEST_F(HistoryTest, ARingKeepsItsAgeAndNoMore)
{
    for (int i = 0; i < 300; ++i, _now.at += 5s)
        _ring.take(_now);
    const JsonValue::Object all = jsonOf(_ring.json());
    EXPECT_EQ(valuesOf(all, "timestamps").size(), 121U);
    EXPECT_EQ(*valuesOf(all, "timestamps").back().asInteger(), 1'785'718'920 + 299 * 5);
    EXPECT_EQ(*all.at("step_seconds").asInteger(), 5);
    EXPECT_EQ(*all.at("range").asString(), "10m");
}

TEST_F(HistoryTest, SnapshotsBetweenTwoStepsAddNoPoint)
{
    SeriesRing hour("1h", 3660s, 60s);
    for (int i = 0; i < 25; ++i, _now.at += 5s)
        hour.take(_now);
    EXPECT_EQ(valuesOf(jsonOf(hour.json()), "timestamps").size(), 2U);
}

TEST_F(HistoryTest, AMinuteIsShownOnceItIsOver)
{
    _minutes.take(_now);
    _now.at += 30s;
    _now.requests = 12;
    _now.counts.acquired = 4;
    _now.counts.released = 3;
    _minutes.take(_now);
    EXPECT_TRUE(valuesOf(jsonOf(*_minutes.json("1h")), "timestamps").empty());
    _now.at += 30s;
    _now.counts.locks = 2;
    _now.counts.rooms = 1;
    _minutes.take(_now);
    const JsonValue::Object shown = jsonOf(*_minutes.json("1h"));
    EXPECT_EQ(*valuesOf(shown, "timestamps").front().asInteger(), 1'785'718'920);
    EXPECT_EQ(*valuesOf(shown, "request_volume").front().asInteger(), 12);
    EXPECT_EQ(*valuesOf(shown, "acquire_rates").front().asInteger(), 4);
    EXPECT_EQ(*valuesOf(shown, "release_rates").front().asInteger(), 3);
    EXPECT_EQ(*valuesOf(shown, "active_locks").front().asInteger(), 3);
}

TEST_F(HistoryTest, AWindowHasAtMostItsMinutes)
{
    for (std::size_t i = 0; i < MinuteHistory::minutesMax + 10; ++i, _now.at += 60s)
        _minutes.take(_now);
    for (const auto& [window, minutes] : {std::pair("1h", 60U), std::pair("12h", 720U),
                                          std::pair("24h", 1440U), std::pair("7d", 10'080U)})
        EXPECT_EQ(valuesOf(jsonOf(*_minutes.json(window)), "timestamps").size(), minutes);
    EXPECT_FALSE(_minutes.json("2h"));
    EXPECT_FALSE(_minutes.json(""));
}

TEST_F(HistoryTest, AClockThatIsSetBackGivesNoMinuteTwice)
{
    for (const auto step : {0s, 60s, 60s, -120s, 60s, 60s, 60s})
    {
        _now.at += step;
        _minutes.take(_now);
    }
    const JsonValue::Array timestamps = valuesOf(jsonOf(*_minutes.json("1h")), "timestamps");
    for (std::size_t i = 1; i < timestamps.size(); ++i)
        EXPECT_LT(*timestamps[i - 1].asInteger(), *timestamps[i].asInteger());
}

TEST_F(HistoryTest, ASnapshotTakesFromTheSourcesWhatIsDrawn)
{
    SnapshotSink sink(_now);
    sink.counter({SnapshotSink::webhookAttempts, ""}, 5, {{"outcome", "success"}});
    sink.counter({SnapshotSink::webhookAttempts, ""}, 2, {{"outcome", "failure"}});
    sink.counter({SnapshotSink::webhookAttempts, ""}, 1, {{"outcome", "timeout"}});
    sink.gauge({SnapshotSink::webhookBacklog, ""}, 9, {});
    sink.gauge({"something_else", ""}, 9, {});
    EXPECT_EQ(_now.webhookSuccesses, 5);
    EXPECT_EQ(_now.webhookFailures, 3);
    EXPECT_EQ(_now.webhookBacklog, 9);
}

} // namespace
} // namespace octostore::metrics
