// SPDX-License-Identifier: MIT
#include "DropFigures.h"

#include <algorithm>
#include <utility>

namespace octostore::program
{

void DropFigures::watch(const event::Publisher& publisher, std::vector<std::string> consumers)
{
    std::sort(consumers.begin(), consumers.end());
    consumers.erase(std::unique(consumers.begin(), consumers.end()), consumers.end());
    _consumers = std::move(consumers);
    _publisher = &publisher;
}

void DropFigures::collect(metrics::Sink& sink) const noexcept
{
    // One queue feeds them all: what is dropped there none of them hears of.
    for (const std::string& consumer : _consumers)
        sink.counter({"octostore_plugin_queue_dropped_total",
                      "Renewals a plugin was not told of because too many had gathered; events are "
                      "never dropped."},
                     static_cast<double>(_publisher->droppedRenewals()), {{"id", consumer}});
}

} // namespace octostore::program
