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
    /// The reply to an acquire, or (`Election`) to a campaign.
    void count(const coordination::Reply& reply, event::ResourceKind kind) noexcept;
    /// The reply to a fence query; others are no concern of it.
    void countFence(const coordination::Reply& reply) noexcept;
    /// A session was kept alive.
    void countKeepAlive() noexcept { _keptAlive.add(); }
    void collect(metrics::Sink& sink) const noexcept override;

private:
    struct KindFigures
    {
        metrics::Counter granted;
        metrics::Counter again;
        metrics::Counter held;
        metrics::Counter delayed;
        metrics::Counter refused;
        metrics::Histogram waited{metrics::leaseBounds()};
    };
    static void collect(metrics::Sink& sink, const KindFigures& figures, const char* kind);

    KindFigures _locks;
    KindFigures _elections;
    metrics::Counter _stale;
    metrics::Counter _keptAlive;
};

} // namespace octostore::coordination_api
