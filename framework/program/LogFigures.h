// SPDX-License-Identifier: MIT
/// @file
/// How many lines the log has got, by level.
#pragma once

#include <octostore/base/Log.h>
#include <octostore/metrics/Source.h>

namespace octostore::program
{

/// Thread-safety: thread-safe.
class LogFigures final : public metrics::Source
{
public:
    /// `log` must outlive this object.
    explicit LogFigures(const LogSink& log) : _log(log) {}
    void collect(metrics::Sink& sink) const noexcept override;

private:
    const LogSink& _log;
};

} // namespace octostore::program
