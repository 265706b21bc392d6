// SPDX-License-Identifier: MIT
/// @file
/// What became of reading the configuration again.
#pragma once

#include <octostore/base/Time.h>
#include <octostore/metrics/Source.h>

namespace octostore::program
{

/// Thread-safety: thread-safe.
class ReloadFigures final : public metrics::Source
{
public:
    /// `at`: when it was read; at the start it was read as well.
    void count(bool succeeded, WallTime at) noexcept;
    void collect(metrics::Sink& sink) const noexcept override;

private:
    metrics::Gauge _successful;
    metrics::Gauge _succeededAt; ///< unix seconds
};

} // namespace octostore::program
