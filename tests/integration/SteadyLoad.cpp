// SPDX-License-Identifier: MIT
#include "SteadyLoad.h"

#include "framework/coordination/Samples.h"

#include <octostore/base/Executor.h>

#include <algorithm>
#include <utility>

namespace octostore::test
{

namespace
{

constexpr std::chrono::milliseconds turn{5};
/// Seconds of the pace that may be under way: a machine that cannot keep it gets a slower one,
/// because the engine refuses what has waited for long.
constexpr double inFlight = 0.25;

} // namespace

/// Runs what is posted where it is posted: what is done here takes no time.
class SteadyLoad::Direct final : public Executor
{
public:
    void post(std::vector<Task> tasks) noexcept override
    {
        for (const Task& task : tasks)
            task();
    }
};

SteadyLoad::SteadyLoad(coordination::EngineThread& engine, const Clock& clock, std::size_t rate,
                       std::size_t most)
    : _engine(engine),
      _clock(clock),
      _rate(rate),
      _executor(std::make_shared<Direct>()),
      _grants(most),
      _thread([this] { run(); })
{
}

SteadyLoad::~SteadyLoad()
{
    stop();
}

void SteadyLoad::stop()
{
    _stopping = true;
    if (_thread.joinable())
        _thread.join();
    await(_asked);
}

void SteadyLoad::await(std::size_t count) const
{
    while (_answered < count)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void SteadyLoad::awaitGranted(std::size_t count) const
{
    while (_granted < count && _answered < _grants.size())
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void SteadyLoad::run()
{
    const auto inFlightMax = static_cast<std::size_t>(inFlight * static_cast<double>(_rate));
    const Instant begin = std::chrono::steady_clock::now();
    std::size_t next = 0;
    while (!_stopping && next < _grants.size())
    {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
        const auto due = static_cast<std::size_t>(passed.count() * static_cast<double>(_rate));
        const std::size_t until = std::min({due, _grants.size(), _answered.load() + inFlightMax});
        for (; next < until; ++next)
            ask(next);
        std::this_thread::sleep_for(turn);
    }
}

void SteadyLoad::ask(std::size_t index)
{
    coordination::Request request;
    request.name = nameOf(index);
    request.operation =
        coordination::Command(coordination::test::acquireBy(1, std::chrono::hours(1), index));
    request.actor = {event::ActorKind::User, "user1"};
    request.arrived = _clock.bootTime();
    _grants[index].asked = std::chrono::steady_clock::now();
    ++_asked;
    _engine.submit(std::move(request), _executor,
                   [this, index](const coordination::Reply& reply)
                   {
                       Grant& grant = _grants[index];
                       grant.answered = std::chrono::steady_clock::now();
                       if (const auto* granted = std::get_if<coordination::Granted>(&reply))
                       {
                           grant.term = granted->lease.term;
                           ++_granted;
                       }
                       ++_answered;
                   });
}

double SteadyLoad::longestPauseMs(Instant from, Instant until) const
{
    std::vector<Instant> answers{from, until};
    for (const Grant& grant : _grants)
        if (grant.answered > from && grant.answered < until)
            answers.push_back(grant.answered);
    std::sort(answers.begin(), answers.end());
    Instant::duration longest{};
    for (std::size_t i = 1; i < answers.size(); ++i)
        longest = std::max(longest, answers[i] - answers[i - 1]);
    return std::chrono::duration<double, std::milli>(longest).count();
}

double SteadyLoad::longestWaitMs(Instant from, Instant until) const
{
    Instant::duration longest{};
    for (const Grant& grant : _grants)
        if (grant.asked >= from && grant.asked < until)
            longest = std::max(longest, grant.answered - grant.asked);
    return std::chrono::duration<double, std::milli>(longest).count();
}

double SteadyLoad::rateBetween(Instant from, Instant until) const
{
    const auto count = std::count_if(_grants.begin(), _grants.end(),
                                     [&](const Grant& grant)
                                     { return grant.answered > from && grant.answered <= until; });
    return static_cast<double>(count) / std::chrono::duration<double>(until - from).count();
}

} // namespace octostore::test
