// SPDX-License-Identifier: MIT
#include "Dispatcher.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <numeric>
#include <system_error>

#include <sys/prctl.h>

namespace octostore::webhooks
{

namespace
{

using Standing = EndpointHealth::Standing;

constexpr int gone = 410;

bool asksForTime(int status)
{
    constexpr std::array<int, 4> busy = {429, 502, 503, 504};
    return std::find(busy.begin(), busy.end(), status) != busy.end();
}

} // namespace

bool Dispatcher::ping(WebhookPtr webhook, Pinged done)
{
    Job job;
    job.webhook = std::move(webhook);
    job.pinged = std::move(done);
    MutexLock lock(_mutex);
    const PrincipalId& owner = job.webhook->owner;
    if (_pings.size() >= pingsWaitingMax ||
        std::count(_pingers.begin(), _pingers.end(), owner) >= pingsEachMax)
        return false;
    _pingers.push_back(owner);
    _pings.push_back(std::move(job));
    spawn();
    return true;
}

/// Sees to it that somebody looks for work.
void Dispatcher::spawn()
{
    if (!_started)
        return;
    if (_idle > 0)
        _work.notify_one();
    else if (!_stopping && _workers.size() < _options.workers)
        try
        {
            _workers.emplace_back([this] { work(); });
            _shortOfThreads = false;
        }
        catch (const std::system_error& e)
        {
            // Those that are there go on; the next turn tries again.
            if (!std::exchange(_shortOfThreads, true))
                _parts.logger.warning("no thread to send webhooks with", {{"error", e.what()}});
        }
}

/// Receivers that fail may take three eighths of the workers, they and those that never answered
/// yet three quarters, and pings one eighth: there is always a worker for one that answers.
bool Dispatcher::hasPlace(const Line& line) const
{
    const unsigned failing = _busy[static_cast<std::size_t>(Standing::Failing)];
    const unsigned unsure = failing + _busy[static_cast<std::size_t>(Standing::Unknown)];
    switch (line.health.standing())
    {
    case Standing::Proven:
        return true;
    case Standing::Unknown:
        return unsure < std::max(1U, _options.workers * 3 / 4);
    case Standing::Failing:
        break;
    }
    return failing < std::max(1U, _options.workers * 3 / 8) &&
           unsure < std::max(1U, _options.workers * 3 / 4);
}

std::optional<Dispatcher::Job> Dispatcher::pick(Now now)
{
    if (!_pings.empty() && _pinging < std::max(1U, _options.workers / 8))
    {
        ++_pinging;
        Job job = std::move(_pings.front());
        _pings.pop_front();
        return job;
    }
    // In turn, so that one with much to get does not keep the others waiting.
    auto at = _lines.upper_bound(_lastServed);
    for (std::size_t i = 0; i < _lines.size(); ++i, ++at)
    {
        if (at == _lines.end())
            at = _lines.begin();
        Line& line = at->second;
        if (!line.webhook->active || line.pace.ready() > now.boot || !hasPlace(line))
            continue;
        const unsigned most = line.health.allowed(now.boot, line.backlog.inFlight());
        const auto key = most == 0 ? std::nullopt : line.backlog.next(now.boot, most);
        if (!key)
            continue;
        line.backlog.begin(*key);
        line.pace.began(now.boot);
        const Backlog::Pending& pending = *line.backlog.find(*key);
        _lastServed = at->first;
        ++_busy[static_cast<std::size_t>(line.health.standing())];
        return Job{at->first,     line.webhook,           *key,
                   pending.event, pending.attempts + 1,   Outgoing(),
                   now.wall,      line.health.standing(), nullptr};
    }
    return std::nullopt;
}

void Dispatcher::work() noexcept
{
    prctl(PR_SET_NAME, "webhook-send");
    for (;;)
    {
        std::optional<Job> job;
        {
            MutexLock lock(_mutex);
            while (!_stopping && !(job = pick(_parts.clock.now())))
            {
                ++_idle;
                lock.wait(_work);
                --_idle;
            }
            if (_stopping)
                return;
            spawn(); // where there is one there may be more
        }
        perform(*std::move(job));
    }
}

void Dispatcher::perform(Job job)
{
    const WallTime now = _parts.clock.wallTime();
    _parts.figures.inFlight.add(1);
    job.message = job.pinged
                      ? pingOf(*job.webhook, "ping_" + _parts.random.uuid().toString(),
                               _options.incarnation, now)
                      : deliveryOf(*job.webhook, *job.event, job.key, _options.incarnation,
                                   {job.attempt, now, job.event->what.time + maxAge(*job.webhook)});
    const Attempt attempt = _parts.sender.send(job.message);
    _parts.figures.inFlight.add(-1);
    if (!job.pinged)
        return finished(job, attempt);
    {
        MutexLock lock(_mutex);
        --_pinging;
        _pingers.erase(std::find(_pingers.begin(), _pingers.end(), job.webhook->owner));
    }
    job.pinged(attempt, job.message);
}

void Dispatcher::finished(const Job& job, const Attempt& attempt)
{
    const Now now = _parts.clock.now();
    bool wakeReader = false;
    WebhookPtr webhook;
    std::optional<std::string> disabled;
    {
        MutexLock lock(_mutex);
        --_busy[static_cast<std::size_t>(job.standing)];
        const auto found = _lines.find(job.line);
        if (found == _lines.end())
            return;
        Line& line = found->second;
        webhook = line.webhook;
        line.dirty = true;
        if (attempt.reason == "stopped")
            return line.backlog.giveBack(job.key, now.boot);
        count(attempt);
        if (attempt.succeeded())
        {
            const bool wasFull = line.backlog.full();
            line.backlog.finish(job.key);
            _parts.figures.succeeded.add();
            note(*job.webhook, *job.event, job.key, "succeeded", job.attempt, {}, &job, &attempt);
            disabled = judge(line, line.health.success(now.boot), attempt, now);
            wakeReader = wasFull || wantsReader(line, now);
        }
        else
        {
            _parts.figures.failed.add();
            failed(line, job, attempt, now);
            disabled = judge(line, line.health.failure(now), attempt, now);
            wakeReader = true; // there is a new time to wait for
        }
        _woken = _woken || wakeReader;
    }
    if (wakeReader)
        _changed.notify_one();
    if (disabled)
        _parts.records.disable(webhook, *std::move(disabled));
}

bool Dispatcher::wantsReader(const Line& line, Now now) const
{
    return line.backlog.size() == 0 || line.pace.ready() > now.boot ||
           (!line.unread.empty() && line.backlog.asked() <= Backlog::pendingMax / 2);
}

void Dispatcher::failed(Line& line, const Job& job, const Attempt& attempt, Now now)
{
    // Whoever asks for time is not sent anything else meanwhile either.
    if (attempt.retryAfter && asksForTime(attempt.status))
        line.pace.pause(now.boot + std::min(*attempt.retryAfter, RetryRules::retryAfterMax));
    const auto delay = _options.retry.delay(job.attempt, attempt.retryAfter, chance());
    if (delay)
    {
        line.backlog.retry(job.key, now.boot + *delay);
        note(*job.webhook, *job.event, job.key, "retrying", job.attempt, now.wall + *delay, &job,
             &attempt);
        return dropSurplus(line);
    }
    line.backlog.finish(job.key);
    _parts.figures.exhausted.add();
    note(*job.webhook, *job.event, job.key, "exhausted", job.attempt, {}, &job, &attempt);
    tellGivenUp(line, job.key, attempt.reason);
}

void Dispatcher::dropSurplus(Line& line)
{
    const auto key = line.backlog.surplus();
    if (!key)
        return;
    const Backlog::Pending dropped = *line.backlog.find(*key);
    line.backlog.finish(*key);
    _parts.figures.exhausted.add();
    note(*line.webhook, *dropped.event, *key, "exhausted", dropped.attempts);
    tellGivenUp(line, *key,
                "more than " + std::to_string(Backlog::triedMax) + " wait for another attempt");
}

std::optional<std::string> Dispatcher::judge(Line& line, const EndpointHealth::Verdict& verdict,
                                             const Attempt& attempt, Now now)
{
    if (verdict.recovered)
        line.backlog.hasten(now.boot);
    if (verdict.alert != 0)
    {
        _parts.logger.warning("a webhook only fails", {{"webhook", line.webhook->id},
                                                       {"percent_until_disabled", verdict.alert},
                                                       {"reason", attempt.reason}});
        _parts.records.report(line.webhook, event::Type::WebhookFailing,
                              std::to_string(verdict.alert) +
                                  " % of the time after which it is disabled have passed");
    }
    if ((attempt.status != gone && !verdict.disable) || !line.webhook->active)
        return std::nullopt;
    _parts.figures.disabled.add();
    const std::string why =
        attempt.status == gone ? "the receiver answered 410" : "120 hours of only failures";
    _parts.logger.warning("a webhook is disabled", {{"webhook", line.webhook->id}, {"why", why}});
    // From now on, not only from the commit on.
    auto inactive = std::make_shared<Webhook>(*line.webhook);
    inactive->active = false;
    inactive->disabledReason = why;
    line.webhook = std::move(inactive);
    return why;
}

double Dispatcher::chance()
{
    const auto bytes = _parts.random.bytes<4>();
    const auto drawn =
        std::accumulate(bytes.begin(), bytes.end(), std::uint32_t{0},
                        [](std::uint32_t sum, std::uint8_t byte) { return (sum << 8U) | byte; });
    return static_cast<double>(drawn) / std::numeric_limits<std::uint32_t>::max();
}

} // namespace octostore::webhooks
