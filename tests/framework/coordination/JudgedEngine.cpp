// SPDX-License-Identifier: MIT
#include "JudgedEngine.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace octostore::coordination::test
{

JudgedEngine::JudgedEngine(Limits limits, Dice& dice) : _limits(std::move(limits)), _dice(dice)
{
    start("clock-0");
}

void JudgedEngine::start(const std::string& clock)
{
    _limits.clock = clock;
    _engine = std::make_unique<Engine>(_limits);
    _asking.clear();
    for (auto& queue : _pending)
        queue.clear();
    _judge.restarted(clock, _now);
    if (clock != std::exchange(_clock, clock))
        _recoveredAt = _now.boot;
    for (const auto& [key, record] : _store.records())
        _engine->restore(record, _recoveredAt, _now);
    _engine->restored(_now);
    collect();
}

void JudgedEngine::submit(const std::string& name, Operation operation, Milliseconds wait)
{
    const Ticket ticket(++_lastTicket);
    _asking[ticket] = {name, operation, wait, _now.boot, _judge.troubles(), false};
    Request request;
    request.name = name;
    request.operation = std::move(operation);
    request.arrived = _now.boot;
    request.wait = wait;
    _engine->submit(ticket, std::move(request), _now);
    collect();
}

void JudgedEngine::abandonSomebody()
{
    if (_asking.empty())
        return;
    const auto asked =
        std::next(_asking.begin(), static_cast<std::ptrdiff_t>(_dice.below(_asking.size())));
    if (asked->second.abandoned || !std::holds_alternative<Command>(asked->second.operation))
        return;
    asked->second.abandoned = true;
    _engine->abandon(asked->first, _now);
    collect();
}

void JudgedEngine::passTime(Milliseconds time)
{
    const BootTime until = _now.boot + time;
    if (_dice.chance(75))
    {
        for (auto next = _engine->nextDeadline(); next && *next <= until;
             next = _engine->nextDeadline())
        {
            moveTo(std::max(*next, _now.boot));
            advance();
        }
    }
    moveTo(until);
    if (_dice.chance(50))
        commitOne(); // outcomes are looked at before deadlines
    advance();
}

void JudgedEngine::moveTo(BootTime instant)
{
    _now.wall += instant - _now.boot;
    _now.boot = instant;
}

void JudgedEngine::advance()
{
    for (bool more = true; more;)
    {
        more = _engine->advance(_now, 1 + _dice.below(4));
        collect();
    }
}

SessionJudge::Transactions JudgedEngine::inFlight() const
{
    SessionJudge::Transactions all;
    for (const auto& queue : _pending)
        for (const backend::Transaction& transaction : queue)
            all.push_back(&transaction);
    return all;
}

void JudgedEngine::collect()
{
    Output output = _engine->take();
    for (backend::Transaction& transaction : output.commits)
    {
        _judge.decided(transaction, inFlight(), _now);
        const auto priority = static_cast<std::size_t>(transaction.priority);
        _pending[priority].push_back(std::move(transaction));
    }
    // Refusals by a limit count what is in flight.
    for (auto& [ticket, reply] : output.replies)
        answered(ticket, reply);
}

void JudgedEngine::answered(Ticket ticket, const Reply& reply)
{
    const auto asked = _asking.find(ticket);
    ASSERT_NE(asked, _asking.end());
    ASSERT_FALSE(asked->second.abandoned);
    _judge.answered(asked->second, reply, inFlight(), _now);
    if (const auto* granted = std::get_if<Granted>(&reply))
        _grants += granted->fresh;
    _asking.erase(asked);
}

bool JudgedEngine::commitOne()
{
    return commitOldest(true);
}

bool JudgedEngine::commitOldest(bool mayFail)
{
    std::vector<std::size_t> classes;
    for (std::size_t i = 0; i < _pending.size(); ++i)
        if (!_pending[i].empty())
            classes.push_back(i);
    if (classes.empty())
        return false;
    auto& queue = _pending[classes[_dice.below(classes.size())]];
    backend::Transaction transaction = std::move(queue.front());
    queue.pop_front();
    std::vector<backend::Outcome> outcomes;
    if (mayFail && _dice.chance(2))
    {
        _judge.trouble(_now.boot);
        outcomes.push_back(
            {transaction.id, backend::Failed{{ErrorCode::Unavailable, "the test says so"}}});
    }
    else
        outcomes.push_back(commit(std::move(transaction)));
    _engine->outcomes(std::move(outcomes), _now);
    collect();
    return true;
}

backend::Outcome JudgedEngine::commit(backend::Transaction transaction)
{
    if (fitsNow(transaction))
        _judge.committing(transaction);
    backend::Outcome outcome = _store.commit(transaction, _now.boot);
    if (std::holds_alternative<backend::Committed>(outcome.result))
        _judge.committed(transaction);
    else
    {
        ++_conflicts;
        _judge.trouble(_now.boot);
    }
    return outcome;
}

bool JudgedEngine::fitsNow(const backend::Transaction& transaction) const
{
    using Kind = backend::Condition::Kind;
    return std::all_of(transaction.conditions.begin(), transaction.conditions.end(),
                       [this](const backend::Condition& condition)
                       {
                           const auto found = _store.records().find(condition.key);
                           const bool there = found != _store.records().end();
                           if (there == (condition.kind == Kind::Absent))
                               return false;
                           return condition.kind != Kind::AtVersion ||
                                  found->second.version == condition.version;
                       });
}

void JudgedEngine::crash()
{
    for (auto& queue : _pending)
        while (!queue.empty() && _dice.chance(50))
        {
            commit(std::move(queue.front()));
            queue.pop_front();
        }
    moveTo(_now.boot + _dice.between(0, 3'000));
    start(_dice.chance(70) ? _clock : "clock-" + std::to_string(_dice.below(1'000'000)));
    advance();
}

void JudgedEngine::settle()
{
    do
        advance();
    while (commitOldest(false));
}

void JudgedEngine::rest()
{
    settle();
    moveTo(_now.boot + 250ms); // beyond the moment the store is given after a failure
    settle();
    for (auto asked = _asking.begin(); asked != _asking.end();)
        asked = asked->second.abandoned ? _asking.erase(asked) : std::next(asked);
    _judge.settled(_now.boot);
    _store.forgetJournal();
}

} // namespace octostore::coordination::test
