// SPDX-License-Identifier: MIT
/// @file
/// How long commits take.
#pragma once

#include <octostore/metrics/Source.h>

namespace octostore::sqlite
{

/// Written by the committer's thread. Thread-safety: thread-safe.
class CommitFigures final : public metrics::Source
{
public:
    void collect(metrics::Sink& sink) const noexcept override;

    metrics::Histogram batch{metrics::storeBounds()};
    metrics::Histogram sync{metrics::storeBounds()};
    metrics::Counter transactions;
    metrics::Counter failures;
};

} // namespace octostore::sqlite
