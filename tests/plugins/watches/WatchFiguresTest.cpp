// SPDX-License-Identifier: MIT
#include "WatchFixture.h"

#include <octostore/metrics/Source.h>

#include <map>

namespace octostore::test
{
namespace
{

/// Keeps what it is given, by name.
class KeepingSink final : public metrics::Sink
{
public:
    void counter(const metrics::Metric& metric, double value, const metrics::Labels&) override
    {
        values[std::string(metric.name)] = value;
    }
    void gauge(const metrics::Metric& metric, double value, const metrics::Labels&) override
    {
        values[std::string(metric.name)] = value;
    }
    void histogram(const metrics::Metric&, const metrics::HistogramSample&,
                   const metrics::Labels&) override
    {
    }

    std::map<std::string, double> values;
};

class WatchFiguresTest : public WatchFixture
{
protected:
    double figure(const std::string& name)
    {
        KeepingSink sink;
        for (const metrics::Source* source : server.registry().all<metrics::Source>())
            source->collect(sink);
        return sink.values.at(name);
    }
};

TEST_F(WatchFiguresTest, WhoWatchesAndWhatTheyWereSentIsCounted)
{
    EXPECT_EQ(figure("octostore_watchers"), 0);
    OpenStream first = watchLock("a");
    OpenStream second = watchLock("a");
    OpenStream room = watchRoom("room-0001");
    first.readUntil("snapshot");
    second.readUntil("snapshot");
    EXPECT_EQ(figure("octostore_watchers"), 3);
    EXPECT_EQ(figure("octostore_watched_topics"), 2);
    acquire("a");
    first.readUntil("acquired");
    second.readUntil("acquired");
    EXPECT_EQ(figure("octostore_watch_events_total"), 2);
    room.leave();
    EXPECT_EQ(figure("octostore_watchers"), 2);
    EXPECT_EQ(figure("octostore_watch_slow_consumers_total"), 0);
}

TEST_F(WatchFiguresTest, AReaderThatIsTooSlowIsCounted)
{
    OpenStream stream = watchLock("a");
    for (int i = 0; i < 2'000; ++i)
        release("a", acquire("a"));
    stream.read();
    EXPECT_EQ(figure("octostore_watch_slow_consumers_total"), 1);
}

} // namespace
} // namespace octostore::test
