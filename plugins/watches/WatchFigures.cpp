// SPDX-License-Identifier: MIT
#include "WatchFigures.h"

#include "Hub.h"

namespace octostore::watches
{

void WatchFigures::collect(metrics::Sink& sink) const noexcept
{
    sink.gauge({"octostore_watchers", "Streams and polls that follow what happens."},
               static_cast<double>(_hub.subscribers()));
    sink.gauge({"octostore_watched_topics", "Names that somebody follows."},
               static_cast<double>(_hub.names()));
    sink.add({"octostore_watch_events_total", "Frames sent to streams, about what happened."},
             sent);
    sink.add({"octostore_watch_slow_consumers_total",
              "Streams ended because their readers were too slow."},
             lagged);
}

} // namespace octostore::watches
