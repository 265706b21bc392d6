// SPDX-License-Identifier: MIT
#include "GrantFigures.h"

namespace octostore::coordination_api
{

void GrantFigures::count(const coordination::Reply& reply, event::ResourceKind kind) noexcept
{
    KindFigures& figures = kind == event::ResourceKind::Election ? _elections : _locks;
    if (const auto* granted = std::get_if<coordination::Granted>(&reply))
    {
        (granted->fresh ? figures.granted : figures.again).add();
        // Who was served at once did not wait.
        if (granted->waited > Milliseconds::zero())
            figures.waited.observe(granted->waited);
    }
    else if (std::holds_alternative<coordination::Held>(reply))
        figures.held.add();
    else if (std::holds_alternative<coordination::Delayed>(reply))
        figures.delayed.add();
    else if (std::holds_alternative<coordination::Refused>(reply))
        figures.refused.add();
}

void GrantFigures::countFence(const coordination::Reply& reply) noexcept
{
    if (const auto* fence = std::get_if<coordination::Fence>(&reply); fence && !fence->current)
        _stale.add();
}

void GrantFigures::collect(metrics::Sink& sink) const noexcept
{
    collect(sink, _locks, "lock");
    collect(sink, _elections, "election");
    sink.add({"octostore_fencing_rejections_total",
              "Terms asked about that were not those of a live lease."},
             _stale);
    sink.add({"octostore_session_renewals_total", "Sessions that were kept alive."}, _keptAlive);
}

void GrantFigures::collect(metrics::Sink& sink, const KindFigures& figures, const char* kind)
{
    const auto add = [&](const metrics::Counter& counter, const char* result)
    {
        sink.add({"octostore_lock_acquire_total", "Answers to acquire and campaign, by result."},
                 counter, {{"kind", kind}, {"result", result}});
    };
    add(figures.granted, "granted");
    add(figures.again, "same_holder");
    add(figures.held, "held");
    add(figures.delayed, "delayed");
    add(figures.refused, "refused");
    sink.add({"octostore_lock_wait_seconds", "How long those waited who were served from a queue."},
             figures.waited, {{"kind", kind}});
}

} // namespace octostore::coordination_api
