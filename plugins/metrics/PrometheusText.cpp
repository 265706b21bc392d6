// SPDX-License-Identifier: MIT
#include "PrometheusText.h"

#include <limits>
#include <utility>
#include <vector>

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

namespace octostore::metrics
{

class PrometheusText::State
{
public:
    /// Null: the metric is of another kind.
    prometheus::ClientMetric* add(const Metric& metric, prometheus::MetricType type,
                                  const Labels& labels)
    {
        const auto added = families.try_emplace(std::string(metric.name));
        prometheus::MetricFamily& family = added.first->second;
        if (added.second)
        {
            family.name = metric.name;
            family.help = metric.help;
            family.type = type;
        }
        if (family.type != type)
            return nullptr;
        prometheus::ClientMetric& sample = family.metric.emplace_back();
        for (const auto& [name, value] : labels)
            sample.label.push_back({name, value});
        return &sample;
    }

    std::map<std::string, prometheus::MetricFamily> families;
};

PrometheusText::PrometheusText() : _state(std::make_unique<State>()) {}
PrometheusText::~PrometheusText() = default;

void PrometheusText::counter(const Metric& metric, double value, const Labels& labels)
{
    if (auto* sample = _state->add(metric, prometheus::MetricType::Counter, labels))
        sample->counter.value = value;
}

void PrometheusText::gauge(const Metric& metric, double value, const Labels& labels)
{
    if (auto* sample = _state->add(metric, prometheus::MetricType::Gauge, labels))
        sample->gauge.value = value;
}

void PrometheusText::histogram(const Metric& metric, const HistogramSample& sample,
                               const Labels& labels)
{
    auto* added = _state->add(metric, prometheus::MetricType::Histogram, labels);
    if (added == nullptr)
        return;
    std::uint64_t cumulative = 0;
    for (std::size_t i = 0; i < sample.counts.size(); ++i)
    {
        cumulative += sample.counts[i];
        const double bound =
            i < sample.bounds.size() ? sample.bounds[i] : std::numeric_limits<double>::infinity();
        added->histogram.bucket.push_back({cumulative, bound});
    }
    added->histogram.sample_count = cumulative;
    added->histogram.sample_sum = sample.sum;
}

std::string PrometheusText::text() const
{
    std::vector<prometheus::MetricFamily> families;
    families.reserve(_state->families.size());
    for (const auto& [name, family] : _state->families)
        families.push_back(family);
    return prometheus::TextSerializer().Serialize(families);
}

} // namespace octostore::metrics
