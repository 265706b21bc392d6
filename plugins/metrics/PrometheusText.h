// SPDX-License-Identifier: MIT
/// @file
/// Samples as the text that Prometheus reads.
#pragma once

#include <octostore/metrics/Source.h>

#include <map>
#include <memory>
#include <string>

namespace octostore::metrics
{

/// A sink that writes text format 0.0.4. A metric keeps the kind it first had; samples of another
/// kind are left out. Thread-safety: thread-compatible.
class PrometheusText final : public Sink
{
public:
    static constexpr const char* contentType = "text/plain; version=0.0.4; charset=utf-8";

    PrometheusText();
    ~PrometheusText() override;

    void counter(const Metric& metric, double value, const Labels& labels) override;
    void gauge(const Metric& metric, double value, const Labels& labels) override;
    void histogram(const Metric& metric, const HistogramSample& sample,
                   const Labels& labels) override;

    /// Everything so far, by name.
    std::string text() const;

private:
    class State;
    std::unique_ptr<State> _state;
};

} // namespace octostore::metrics
