// SPDX-License-Identifier: MIT
#include "ModelRun.h"

namespace octostore::coordination::test
{

using ::testing::Test;

ModelRun::ModelRun(std::uint64_t seed, bool shared)
    : _shared(shared), _harness(_limits, shared), _random(seed)
{
}

void ModelRun::pass(BootClock::duration time)
{
    const BootTime target = _harness.now.boot + time;
    while (!Test::HasFailure())
    {
        const auto engines = _harness.engine().nextDeadline();
        const auto models = _model.nextEvent();
        const BootTime next = engines.value_or(BootTime::max());
        ASSERT_LE(next, models.value_or(BootTime::max())) << "it would sleep too long";
        if (next > target)
            break;
        moveTo(std::max(next, _harness.now.boot));
    }
    moveTo(target);
}

void ModelRun::moveTo(BootTime instant)
{
    _harness.step(instant - _harness.now.boot);
    _harness.advance();
    _model.passTo(instant);
    compare();
}

void ModelRun::compare()
{
    if (_shared) // what had to wait for a sync is due in the same instant
        _harness.advance();
    const auto replies = _harness.takeReplies();
    for (const auto& [ticket, reply] : replies)
    {
        const auto asked = _names.find(ticket);
        ASSERT_NE(asked, _names.end());
        _random.learn(asked->second, reply);
        _names.erase(asked);
    }
    ASSERT_EQ(_model.check(replies), "") << "step " << _step;
}

void ModelRun::submit()
{
    const std::string name = _random.name();
    const Command command = _random.command(name);
    const bool asks =
        std::holds_alternative<Acquire>(command) || std::holds_alternative<Campaign>(command);
    const Milliseconds wait = asks ? _random.wait() : 0ms;
    const Ticket ticket = _harness.submit(name, command, wait);
    _names[ticket] = name;
    _model.submit(ticket, name, command, wait, _harness.now.boot);
    compare();
}

void ModelRun::abandon()
{
    const std::vector<Ticket> waiting = _model.waiting();
    if (waiting.empty())
        return;
    const Ticket ticket = waiting[_random.below(waiting.size())];
    _names.erase(ticket);
    _harness.abandon(ticket);
    _model.abandon(ticket, _harness.now.boot);
    compare();
}

void ModelRun::read()
{
    const std::string name = _random.name();
    const Status status = _harness.status(name);
    ASSERT_EQ(_model.check(status, _harness.now.boot), "") << name << ", step " << _step;
    const Term asked(status.lastTerm.value() + _random.below(2));
    const Fence fence = _harness.ask<Fence>(name, CheckFence{asked});
    ASSERT_EQ(_model.check(fence, name, asked), "") << name << ", step " << _step;
    _harness.takeReplies();
}

void ModelRun::run(std::size_t count)
{
    for (_step = 0; _step < count && !Test::HasFailure(); ++_step)
    {
        pass(_random.oneIn(20'000) ? BootClock::duration(24h + 40s) : _random.pause());
        submit();
        if (_random.oneIn(10))
            abandon();
        if (_random.oneIn(4))
            read();
        if (_random.oneIn(restartsOneIn) && !_shared)
        {
            _harness.restart();
            _model.restart();
            _names.clear();
        }
        if (_step % 1000 == 999)
            _harness.forget();
    }
}

void ModelRun::expectRest()
{
    pass(10min);
    EXPECT_TRUE(_names.empty());
    EXPECT_TRUE(_model.waiting().empty());
    EXPECT_EQ(_harness.ask<Counts>("", GetCounts{}).locks, 0U);
    EXPECT_EQ(_harness.ask<Counts>("", GetCounts{}).rooms, 0U);
}

} // namespace octostore::coordination::test
