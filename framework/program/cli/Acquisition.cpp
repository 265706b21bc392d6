// SPDX-License-Identifier: MIT
#include "Acquisition.h"

#include <algorithm>
#include <utility>

namespace octostore::program
{

namespace
{

using client::Line;

/// Proxies cut requests that are silent for a minute.
constexpr std::chrono::seconds waitChunk{50};
/// A server that says no so much earlier than asked does not queue anybody.
constexpr std::chrono::seconds tooEarly{1};
constexpr Milliseconds pauseMin{100};
constexpr Milliseconds pauseMax{300'000};
constexpr unsigned jitterPercent = 10;

} // namespace

Acquisition::Acquisition(const Parts& parts, BootTime now)
    : _parts(parts),
      _until(parts.acquireTimeout && parts.acquireTimeout->count() > 0
                 ? std::optional(now + *parts.acquireTimeout)
                 : std::nullopt)
{
}

bool Acquisition::oneAttempt() const noexcept
{
    return _parts.acquireTimeout && _parts.acquireTimeout->count() == 0;
}

void Acquisition::advance(BootTime now)
{
    if (_outcome != Outcome::Open)
        return;
    if (_until && now >= *_until)
    {
        _outcome = Outcome::TimedOut;
        return;
    }
    if (_session || _attempt || _giveBack || now < _pauseUntil)
        return;
    if (_parts.session != nullptr && !_parts.session->isOpen())
        startSession();
    else
        startAttempt(now);
}

bool Acquisition::handle(const Completion& completion, BootTime now)
{
    if (_session == completion.id)
    {
        _session.reset();
        readSession(completion, now);
        return true;
    }
    if (_attempt == completion.id)
    {
        _attempt.reset();
        readAttempt(completion, now);
        return true;
    }
    if (_giveBack == completion.id)
    {
        // Confirmed or not: the next attempt finds out who has it.
        _giveBack.reset();
        return true;
    }
    return false;
}

std::optional<BootTime> Acquisition::next() const
{
    if (_outcome != Outcome::Open)
        return std::nullopt;
    if (_session || _attempt || _giveBack)
        return _until;
    return std::min(_until.value_or(_pauseUntil), _pauseUntil);
}

void Acquisition::sessionOver()
{
    _parts.keeper.drop(Line::Session);
    _parts.session->forget();
    if (_attempt)
        _parts.calls.cancel(*_attempt);
    _attempt.reset();
    _queue = false;
}

void Acquisition::startSession()
{
    _session = _parts.calls.start(_parts.session->opening(), _parts.requestTimeout);
}

void Acquisition::startAttempt(BootTime now)
{
    _wait = std::chrono::seconds(0);
    if (_queue)
    {
        _wait = waitChunk;
        if (_until)
            // Rounded up: the place in the queue is kept to the end, and the end is ours to see.
            _wait = std::min(_wait, std::chrono::ceil<std::chrono::seconds>(*_until - now));
    }
    _attempt = _parts.calls.start(_parts.claim.attempt(_wait), _wait + _parts.requestTimeout);
    _maybeGranted = true;
}

void Acquisition::readSession(const Completion& completion, BootTime now)
{
    ExtensionVerdict verdict = _parts.session->readOpening(completion.outcome);
    if (const auto* failure = std::get_if<client::Failure>(&verdict))
        return failed(*failure, now);
    _parts.authority.openSession({completion.sent, Milliseconds(0)}, now);
    _parts.keeper.keep(Line::Session);
    _backoff.reset();
}

void Acquisition::readAttempt(const Completion& completion, BootTime now)
{
    const AttemptVerdict verdict = _parts.claim.readAttempt(completion.outcome);
    if (const auto* yes = std::get_if<Granted>(&verdict))
        return granted(*yes, completion, now);
    if (const auto* no = std::get_if<Refused>(&verdict))
        return refused(*no, completion, now);
    if (const auto* failure = std::get_if<client::Failure>(&verdict))
        return failed(*failure, now);
    sessionOver();
    _maybeGranted = false;
    _pauseUntil = now + _backoff.next(_parts.random);
}

void Acquisition::granted(const Granted& granted, const Completion& completion, BootTime now)
{
    _lease = granted.lease;
    if (_parts.authority.grant({completion.sent, granted.waited}, now))
    {
        _outcome = Outcome::Granted;
        return;
    }
    _giveBack = _parts.calls.start(_parts.claim.release(), _parts.requestTimeout);
    _pauseUntil = now + _backoff.next(_parts.random);
    if (oneAttempt())
        _outcome = Outcome::TimedOut;
}

void Acquisition::refused(const Refused& refused, const Completion& completion, BootTime now)
{
    _maybeGranted = false;
    _failure.reset();
    _backoff.reset();
    Refused reported = refused;
    const bool waited = _wait.count() > 0 && now - completion.sent >= _wait - tooEarly;
    // The first refusal turns into a place in the queue at once; a server that has no queue is
    // asked again when it says.
    if (_wait.count() > 0 && !waited)
    {
        const Milliseconds pause = std::clamp(refused.retryAfter, pauseMin, pauseMax);
        reported.retryAfter = client::withJitter(pause, jitterPercent, _parts.random);
        _pauseUntil = now + reported.retryAfter;
    }
    _queue = true;
    _parts.report.waiting(reported);
    if (oneAttempt())
        _outcome = Outcome::TimedOut;
}

void Acquisition::failed(const client::Failure& failure, BootTime now)
{
    _failure = failure;
    if (failure.status >= 400 && failure.status < 500)
        _maybeGranted = false;
    if (!client::worthRetrying(failure) || oneAttempt())
    {
        _outcome = Outcome::Failed;
        return;
    }
    const Milliseconds pause = _backoff.next(_parts.random, failure.retryAfter);
    _pauseUntil = now + pause;
    _parts.report.retrying(failure, pause);
}

} // namespace octostore::program
