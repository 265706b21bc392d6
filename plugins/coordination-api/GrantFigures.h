// SPDX-License-Identifier: MIT
/// @file
/// What became of those who asked for a lease.
#pragma once

#include <octostore/coordination/Reply.h>
#include <octostore/metrics/Source.h>

namespace octostore::coordination_api
{

/// Counted on I/O threads when the engine has answered. Thread-safety: thread-safe.
class GrantFigures final : public metrics::Source
{
public:
    /// The reply to an acquire or a campaign.
    void count(const coordination::Reply& reply) noexcept;
    /// The reply to a fence query; others are no concern of it.
    void countFence(const coordination::Reply& reply) noexcept;
    /// A session was kept alive.
    void countKeepAlive() noexcept { _keptAlive.add(); }
    void collect(metrics::Sink& sink) const noexcept override;

private:
    metrics::Counter _granted;
    metrics::Counter _again;
    metrics::Counter _held;
    metrics::Counter _delayed;
    metrics::Counter _refused;
    metrics::Counter _stale;
    metrics::Counter _keptAlive;
    metrics::Histogram _waited{metrics::leaseBounds()};
};

} // namespace octostore::coordination_api
