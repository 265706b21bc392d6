// SPDX-License-Identifier: MIT
#include "GrantFigures.h"

namespace octostore::coordination_api
{

void GrantFigures::count(const coordination::Reply& reply) noexcept
{
    if (const auto* granted = std::get_if<coordination::Granted>(&reply))
    {
        (granted->fresh ? _granted : _again).add();
        // Who was served at once did not wait.
        if (granted->waited > Milliseconds::zero())
            _waited.observe(granted->waited);
    }
    else if (std::holds_alternative<coordination::Held>(reply))
        _held.add();
    else if (std::holds_alternative<coordination::Delayed>(reply))
        _delayed.add();
    else if (std::holds_alternative<coordination::Refused>(reply))
        _refused.add();
}

void GrantFigures::countFence(const coordination::Reply& reply) noexcept
{
    if (const auto* fence = std::get_if<coordination::Fence>(&reply); fence && !fence->current)
        _stale.add();
}

void GrantFigures::collect(metrics::Sink& sink) const noexcept
{
    const metrics::Metric results{"octostore_lock_acquire_total",
                                  "Answers to acquire and campaign, by result."};
    sink.add(results, _granted, {{"result", "granted"}});
    sink.add(results, _again, {{"result", "same_holder"}});
    sink.add(results, _held, {{"result", "held"}});
    sink.add(results, _delayed, {{"result", "delayed"}});
    sink.add(results, _refused, {{"result", "refused"}});
    sink.add({"octostore_lock_wait_seconds", "How long those waited who were served from a queue."},
             _waited);
    sink.add({"octostore_fencing_rejections_total",
              "Terms asked about that were not those of a live lease."},
             _stale);
    sink.add({"octostore_session_renewals_total", "Sessions that were kept alive."}, _keptAlive);
}

} // namespace octostore::coordination_api
