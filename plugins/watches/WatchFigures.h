// SPDX-License-Identifier: MIT
/// @file
/// How many watch, what they were sent, and who was too slow.
#pragma once

#include <octostore/metrics/Source.h>

namespace octostore::watches
{

class Hub;

/// Counted on I/O threads. Thread-safety: thread-safe.
class WatchFigures final : public metrics::Source
{
public:
    /// `hub` must outlive this object.
    explicit WatchFigures(const Hub& hub) : _hub(hub) {}

    void collect(metrics::Sink& sink) const noexcept override;

    metrics::Counter sent;   ///< frames about what happened
    metrics::Counter lagged; ///< streams that were ended because their readers were too slow

private:
    const Hub& _hub;
};

} // namespace octostore::watches
