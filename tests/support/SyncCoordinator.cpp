// SPDX-License-Identifier: MIT
#include "SyncCoordinator.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace octostore::test
{

namespace
{

constexpr std::size_t namesAtOnce = 1000;

coordination::Limits withClock(coordination::Limits limits, const Clock& clock)
{
    limits.clock = clock.identity();
    return limits;
}

} // namespace

SyncCoordinator::SyncCoordinator(const Clock& clock, coordination::Limits limits)
    : _clock(clock), _engine(withClock(std::move(limits), clock))
{
}

coordination::Ticket SyncCoordinator::submit(coordination::Request request,
                                             std::shared_ptr<Executor> executor,
                                             Continuation done) noexcept
{
    const coordination::Ticket ticket(++_lastTicket);
    _asked.emplace(ticket, Asked{std::move(executor), std::move(done)});
    if (_refusal)
    {
        deliver(ticket, coordination::Refused{{*_refusal, "the test"}, std::nullopt, std::nullopt});
        return ticket;
    }
    if (_holdingRequests)
    {
        _requests.emplace_back(ticket, std::move(request));
        return ticket;
    }
    _engine.submit(ticket, std::move(request), _clock.now());
    run();
    return ticket;
}

void SyncCoordinator::releaseRequests()
{
    _holdingRequests = false;
    for (auto& [ticket, request] : std::exchange(_requests, {}))
        if (_asked.count(ticket) != 0)
            _engine.submit(ticket, std::move(request), _clock.now());
    run();
}

std::size_t SyncCoordinator::heldRequests() const
{
    return static_cast<std::size_t>(std::count_if(_requests.begin(), _requests.end(),
                                                  [this](const auto& held)
                                                  { return _asked.count(held.first) != 0; }));
}

void SyncCoordinator::abandon(coordination::Ticket ticket) noexcept
{
    _asked.erase(ticket);
    _engine.abandon(ticket, _clock.now());
    run();
}

void SyncCoordinator::run()
{
    while (turn())
    {
    }
}

void SyncCoordinator::drain()
{
    _engine.drain(_clock.now());
    run();
}

void SyncCoordinator::releaseCommits()
{
    _holding = false;
    run();
}

bool SyncCoordinator::turn()
{
    const bool more = _engine.advance(_clock.now(), namesAtOnce);
    coordination::Output output = _engine.take();
    if (_publish && (!output.events.empty() || !output.renewals.empty()))
        _publish(std::move(output.events), std::move(output.renewals));
    for (auto& reply : output.replies)
        deliver(reply.first, std::move(reply.second));
    std::move(output.commits.begin(), output.commits.end(), std::back_inserter(_commits));
    if (_holding || _commits.empty())
        return more || !output.replies.empty();

    std::vector<backend::Outcome> outcomes;
    for (backend::Transaction& transaction : std::exchange(_commits, {}))
        outcomes.push_back(commit(std::move(transaction)));
    _engine.outcomes(std::move(outcomes), _clock.now());
    return true;
}

void SyncCoordinator::deliver(coordination::Ticket ticket, coordination::Reply reply)
{
    const auto found = _asked.find(ticket);
    if (found == _asked.end())
        return;
    Asked asked = std::move(found->second);
    _asked.erase(found);
    asked.executor->post({[done = std::move(asked.done), reply = std::move(reply)]() mutable
                          { done(std::move(reply)); }});
}

backend::Outcome SyncCoordinator::commit(backend::Transaction transaction)
{
    if (auto failure = std::exchange(_nextFailure, std::nullopt))
        return {transaction.id, backend::Failed{std::move(*failure)}};
    return _store.commit(std::move(transaction));
}

std::vector<event::Draft> SyncCoordinator::eventsOf(const std::string& name) const
{
    std::vector<event::Draft> found;
    for (event::Event& event : _store.events(Sequence(0), std::numeric_limits<std::size_t>::max()))
    {
        if (event.what.name == name)
            found.push_back(std::move(event.what));
    }
    return found;
}

} // namespace octostore::test
