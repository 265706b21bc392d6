// SPDX-License-Identifier: MIT
#include "EndpointHealth.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace octostore::webhooks
{

namespace
{

using namespace std::chrono_literals;

constexpr auto window = 5min;
constexpr std::size_t samplesLeast = 10, samplesMax = 1000;
constexpr std::size_t openPercent = 70;
constexpr auto openFor = 30s;
constexpr auto outage = 1min;
constexpr std::chrono::nanoseconds disableAfter = 120h;
constexpr std::array<unsigned, 4> alerts = {50, 70, 90, 100};
constexpr double jitter = 0.2;

} // namespace

std::optional<Milliseconds>
RetryRules::delay(unsigned failed, std::optional<Milliseconds> retryAfter, double chance) const
{
    if (failed == 0 || failed > delays.size())
        return std::nullopt;
    const double factor = 1 - jitter + 2 * jitter * chance;
    const Milliseconds planned(
        static_cast<std::int64_t>(static_cast<double>(delays[failed - 1].count()) * factor));
    return std::min(std::max(planned, retryAfter.value_or(Milliseconds(0))), retryAfterMax);
}

unsigned EndpointHealth::allowed(BootTime now, unsigned inFlight) const
{
    if (_openUntil)
        return now >= *_openUntil && inFlight == 0 ? 1 : 0;
    // Whoever has not shown that it answers must not take the places of those who do.
    return _standing == Standing::Proven ? 4 : 1;
}

void EndpointHealth::count(BootTime now, bool failed)
{
    _samples.push_back({now, failed});
    while (_samples.size() > samplesMax || _samples.front().at + window < now)
        _samples.pop_front();
}

bool EndpointHealth::mostlyFails() const
{
    const auto failures = static_cast<std::size_t>(
        std::count_if(_samples.begin(), _samples.end(), [](const Sample& s) { return s.failed; }));
    return _samples.size() >= samplesLeast && failures * 100 >= _samples.size() * openPercent;
}

EndpointHealth::Verdict EndpointHealth::success(BootTime now)
{
    Verdict verdict;
    // One delivery that a receiver does not like, among others that it takes, is no outage.
    verdict.recovered = _standing == Standing::Failing &&
                        (_openUntil || !_failingFrom || now - *_failingFrom >= outage);
    if (_openUntil)
        _samples.clear();
    _openUntil.reset();
    _standing = Standing::Proven;
    _failingSince.reset();
    _failingFrom.reset();
    _alerted = 0;
    count(now, false);
    return verdict;
}

EndpointHealth::Verdict EndpointHealth::failure(Now now)
{
    Verdict verdict;
    if (_standing != Standing::Failing)
        _failingFrom = now.boot;
    _standing = Standing::Failing;
    count(now.boot, true);
    if (_openUntil || mostlyFails())
        _openUntil = now.boot + openFor;
    if (!_failingSince || *_failingSince > now.wall)
        _failingSince = now.wall;
    // Half of the time is more than the twelve hours that two failures must lie apart.
    const auto percent = static_cast<unsigned>(
        std::min<std::int64_t>(100, (now.wall - *_failingSince) * 100 / disableAfter));
    for (const unsigned step : alerts)
        if (percent >= step && _alerted < step)
            verdict.alert = step;
    _alerted = std::max(_alerted, verdict.alert);
    verdict.disable = percent >= 100;
    return verdict;
}

void EndpointHealth::restore(std::optional<WallTime> failingSince, unsigned alerted)
{
    _failingSince = failingSince;
    _alerted = alerted;
    if (failingSince)
        _standing = Standing::Failing;
}

} // namespace octostore::webhooks
