// SPDX-License-Identifier: MIT
/// @file
/// What the dispatcher counts.
#pragma once

#include <octostore/metrics/Counter.h>
#include <octostore/metrics/Gauge.h>
#include <octostore/metrics/Histogram.h>

namespace octostore::webhooks
{

/// Thread-safety: thread-safe.
struct Figures
{
    metrics::Counter succeeded; ///< attempts
    metrics::Counter failed;    ///< attempts
    metrics::Counter exhausted; ///< deliveries
    metrics::Counter expired;   ///< deliveries
    metrics::Counter cancelled; ///< deliveries whose event was forgotten, and gaps
    metrics::Counter disabled;  ///< webhooks
    metrics::Counter egressDenied;
    metrics::Histogram took{metrics::requestBounds()}; ///< attempts
    metrics::Gauge pending;
    metrics::Gauge inFlight;
};

} // namespace octostore::webhooks
