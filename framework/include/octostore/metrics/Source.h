// SPDX-License-Identifier: MIT
/// @file
/// How a part of the server offers its numbers to whoever publishes them.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/metrics/Counter.h>
#include <octostore/metrics/Gauge.h>
#include <octostore/metrics/Histogram.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace octostore::metrics
{

/// What a metric is called. `name` follows Prometheus: prefix `octostore_`, base units (`_seconds`,
/// `_bytes`), `_total` for counters. `help` is one sentence.
struct Metric
{
    std::string_view name;
    std::string_view help;
};

/// Name and value of each label, in the same order for every sample of a metric. Values come from
/// a small closed set: never the name of a lock, a room, a session, an account or an address.
using Labels = std::vector<std::pair<std::string, std::string>>;

/// Takes samples, one call each. One name has one kind and one help text.
/// Thread-safety: thread-compatible.
class OCTOSTORE_API Sink
{
public:
    virtual ~Sink();
    virtual void counter(const Metric& metric, double value, const Labels& labels = {}) = 0;
    virtual void gauge(const Metric& metric, double value, const Labels& labels = {}) = 0;
    virtual void histogram(const Metric& metric, const HistogramSample& sample,
                           const Labels& labels = {}) = 0;

    void add(const Metric& metric, const Counter& counted, const Labels& labels = {})
    {
        counter(metric, static_cast<double>(counted.value()), labels);
    }
    void add(const Metric& metric, const Gauge& measured, const Labels& labels = {})
    {
        gauge(metric, static_cast<double>(measured.value()), labels);
    }
    void add(const Metric& metric, const Histogram& observed, const Labels& labels = {})
    {
        histogram(metric, observed.sample(), labels);
    }
};

/// Extension point: a part of the server that counts something. Contributed at start, read by the
/// metrics plugin whenever somebody asks for numbers, and every few seconds for its own charts.
class OCTOSTORE_API Source
{
public:
    static constexpr std::string_view extensionPoint = "metrics.source/1";
    virtual ~Source();
    /// Gives the numbers of this moment. Reads atomics or takes a short lock; never waits for
    /// another thread and does no I/O.
    /// Thread-safety: thread-safe.
    virtual void collect(Sink& sink) const noexcept = 0;
};

} // namespace octostore::metrics
