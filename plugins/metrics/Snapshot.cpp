// SPDX-License-Identifier: MIT
#include "Snapshot.h"

namespace octostore::metrics
{

void SnapshotSink::counter(const Metric& metric, double value, const Labels& labels)
{
    if (metric.name != webhookAttempts)
        return;
    const bool succeeded = !labels.empty() && labels.front().second == "success";
    (succeeded ? _snapshot.webhookSuccesses : _snapshot.webhookFailures) += value;
}

void SnapshotSink::gauge(const Metric& metric, double value, const Labels&)
{
    if (metric.name == webhookBacklog)
        _snapshot.webhookBacklog += value;
}

void SnapshotSink::histogram(const Metric& metric, const HistogramSample& sample, const Labels&)
{
    if (metric.name == commitDurations)
        _snapshot.commitDurations = sample;
}

} // namespace octostore::metrics
