// SPDX-License-Identifier: MIT
/// @file
/// The numbers the charts are drawn from, at one moment.
#pragma once

#include <octostore/base/Time.h>
#include <octostore/coordination/Reply.h>
#include <octostore/metrics/Source.h>

#include <cstdint>
#include <string_view>

namespace octostore::metrics
{

/// Counters since the start; a chart shows their differences.
struct Snapshot
{
    WallTime at;
    std::uint64_t requests = 0;
    HistogramSample requestDurations{};
    HistogramSample commitDurations{};
    coordination::Counts counts{};
    std::uint64_t leaderChanges = 0;
    double webhookSuccesses = 0;
    double webhookFailures = 0;
    double webhookBacklog = 0;
};

/// Picks out of what all sources say what belongs into a snapshot.
/// Thread-safety: thread-compatible.
class SnapshotSink final : public Sink
{
public:
    static constexpr std::string_view commitDurations = "octostore_store_commit_duration_seconds";
    /// With the label outcome: `success`, everything else is a failure.
    static constexpr std::string_view webhookAttempts = "octostore_webhook_attempts_total";
    static constexpr std::string_view webhookBacklog = "octostore_webhook_queue_length";

    /// `snapshot` must outlive this.
    explicit SnapshotSink(Snapshot& snapshot) : _snapshot(snapshot) {}

    void counter(const Metric& metric, double value, const Labels& labels) override;
    void gauge(const Metric& metric, double value, const Labels& labels) override;
    void histogram(const Metric& metric, const HistogramSample& sample,
                   const Labels& labels) override;

private:
    Snapshot& _snapshot;
};

} // namespace octostore::metrics
