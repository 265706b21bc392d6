// SPDX-License-Identifier: MIT
#include "HoldLoop.h"

#include "ExitCode.h"

#include <algorithm>
#include <csignal>

namespace octostore::program
{

namespace
{

using client::AuthorityState;
using client::Line;

/// The lease outlives us by seconds if this is not enough; the user waits for us meanwhile.
constexpr Milliseconds outputPatience{500};

client::AuthorityTerms termsOf(const HoldSettings& settings, const PrivateSession* session)
{
    client::AuthorityTerms terms;
    terms.leaseTtl = settings.ttl;
    if (session != nullptr)
        terms.sessionTtl = PrivateSession::ttl;
    terms.reserve = settings.reserve;
    return terms;
}

template <class T>
void takeEarlier(std::optional<BootTime>& next, const T& part)
{
    if (const std::optional<BootTime> other = part.next())
        next = std::min(next.value_or(*other), *other);
}

} // namespace

HoldLoop::HoldLoop(const Parts& parts, const HoldSettings& settings)
    : _parts(parts),
      _settings(settings),
      _authority(termsOf(settings, parts.session)),
      _keeper({_authority, parts.claim, parts.session, parts.calls, parts.random,
               settings.requestTimeout}),
      _acquisition({_authority, parts.claim, parts.session, _keeper, parts.calls, parts.report,
                    parts.random, settings.requestTimeout, settings.acquireTimeout},
                   parts.clock.bootTime())
{
}

int HoldLoop::run()
{
    while (_phase != Phase::Over)
    {
        advance(_parts.clock.bootTime());
        if (_phase == Phase::Over)
            break;
        std::vector<pollfd> asked = _parts.output.wanted();
        const std::vector<pollfd> more = _parts.work.wanted();
        asked.insert(asked.end(), more.begin(), more.end());
        const Wakeups::Happened happened = _parts.wakeups.wait(next(), asked);
        const BootTime now = _parts.clock.bootTime();
        for (const Completion& completion : _parts.calls.take())
            handle(completion, now);
        for (const int number : happened.signals)
            handleSignal(number, now);
        if (happened.outputClosed || (_settings.outputIsVital && _parts.output.broken()))
            handleClosedOutput(now);
        _parts.output.flush();
    }
    _parts.output.finish(outputPatience);
    _parts.work.finish();
    return _exitCode;
}

void HoldLoop::advance(BootTime now)
{
    _authority.advance(now);
    _parts.work.advance(now);
    if (_phase == Phase::Waiting)
        advanceWaiting(now);
    if (_phase == Phase::Retreating)
    {
        _retreat->advance(now);
        if (_retreat->done())
            _phase = Phase::Over;
    }
    if (_phase == Phase::Holding || _phase == Phase::Stopping)
        advanceHolding(now);
    if (_phase == Phase::Releasing)
    {
        _release->advance(now);
        if (_release->done())
            released();
    }
    _keeper.advance(now);
    _parts.report.tick(now);
}

std::optional<BootTime> HoldLoop::next() const
{
    std::optional<BootTime> next = _parts.calls.nextDeadline();
    takeEarlier(next, _keeper);
    takeEarlier(next, _parts.work);
    takeEarlier(next, _parts.report);
    if (_phase == Phase::Waiting)
        takeEarlier(next, _acquisition);
    if (_retreat)
        takeEarlier(next, *_retreat);
    if (_release)
        takeEarlier(next, *_release);
    if (_authority.state() == AuthorityState::Holding)
        next = std::min(next.value_or(_authority.endOfUse()), _authority.endOfUse());
    return next;
}

void HoldLoop::handle(const Completion& completion, BootTime now)
{
    if (const auto result = _keeper.handle(completion, now))
        return kept(*result);
    if (_retreat)
        _retreat->handle(completion);
    else if (_release)
        _release->handle(completion, now);
    else
        _acquisition.handle(completion, now);
}

void HoldLoop::handleSignal(int number, BootTime now)
{
    const bool asksToEnd =
        number == SIGTERM || number == SIGINT || number == SIGHUP || number == SIGQUIT;
    if (_phase == Phase::Waiting && asksToEnd)
        return retreat(exitOfSignal(number), now);
    if (_phase == Phase::Stopping && (number == SIGTERM || number == SIGINT))
        return stop(Work::Stop::Politely, _endReason, now); // asked twice
    if (_phase != Phase::Holding)
        return;
    if (_parts.work.signal(number))
    {
        _exitCode = exitOfSignal(number);
        stop(Work::Stop::InTime, "signal", now);
    }
}

void HoldLoop::handleClosedOutput(BootTime now)
{
    if (_phase == Phase::Waiting)
        retreat(ExitOk, now);
    else if (_phase == Phase::Holding)
        stop(Work::Stop::InTime, "output_closed", now);
}

void HoldLoop::advanceWaiting(BootTime now)
{
    _acquisition.advance(now);
    switch (_acquisition.outcome())
    {
    case Acquisition::Outcome::Open:
        return;
    case Acquisition::Outcome::Granted:
        return beginHolding(now);
    case Acquisition::Outcome::TimedOut:
        _parts.report.failed("acquire_timeout",
                             _acquisition.failure()
                                 ? "gave up waiting; the last try failed: " +
                                       _acquisition.failure()->message
                                 : "gave up waiting; it is led or held by another");
        return retreat(ExitAcquireTimedOut, now);
    case Acquisition::Outcome::Failed:
        const client::Failure& failure = *_acquisition.failure();
        _parts.report.failed(failure.code, failure.message);
        return retreat(client::worthRetrying(failure) ? ExitFailure : ExitUsage, now);
    }
}

void HoldLoop::beginHolding(BootTime now)
{
    _phase = Phase::Holding;
    _lease = _acquisition.lease();
    _parts.work.start(_lease, _authority.deadline());
    _parts.report.won(_lease, _authority.deadline());
    _keeper.keep(Line::Lease);
    if (_parts.watcher != nullptr)
        _parts.watcher->start(_parts.claim.watch(), _lease.term);
    advanceHolding(now);
}

void HoldLoop::advanceHolding(BootTime now)
{
    if (_parts.watcher != nullptr && _parts.watcher->takeDoubt())
        _keeper.hurry();
    if (isOver(_authority.state()) && !_authorityReported)
        authorityEnded(now);
    if (_phase == Phase::Holding && _parts.work.ended())
        stop(Work::Stop::InTime, "command_ended", now);
    if (_phase == Phase::Stopping && _parts.work.gone())
        workGone(now);
}

void HoldLoop::retreat(int exitCode, BootTime now)
{
    _exitCode = exitCode;
    _phase = Phase::Retreating;
    _keeper.drop(Line::Session);
    _retreat.emplace(
        Retreat::Parts{_parts.claim, _parts.session, _parts.calls, _settings.shutdownTimeout},
        _acquisition, now);
}

void HoldLoop::stop(Work::Stop how, const std::string& reason, BootTime now)
{
    _phase = Phase::Stopping;
    _endReason = reason;
    _parts.work.stop(how, now);
    advanceHolding(now);
}

void HoldLoop::authorityEnded(BootTime now)
{
    _authorityReported = true;
    const bool lost = _authority.state() == AuthorityState::Lost;
    _exitCode = ExitAuthorityEnded;
    // First what must not go on, then the telling.
    _parts.work.stop(lost ? Work::Stop::AtOnce : Work::Stop::Politely, now);
    _phase = Phase::Stopping;
    if (lost)
        _parts.report.lost(_lease, _authority.reason());
    else
        _parts.report.uncertain(_lease, _authority.reason());
    _parts.work.lost(_authority.reason());
}

void HoldLoop::workGone(BootTime now)
{
    _keeper.drop(Line::Lease);
    if (_parts.session != nullptr)
        _keeper.drop(Line::Session);
    if (_parts.watcher != nullptr)
        _parts.watcher->stop();
    _phase = Phase::Releasing;
    // Also when it is uncertain: if it should still be ours, the next one need not wait.
    _release.emplace(Release::Parts{_parts.claim, _parts.session, _parts.calls, _parts.random,
                                    _settings.shutdownTimeout},
                     now);
}

void HoldLoop::released()
{
    _phase = Phase::Over;
    if (_authorityReported)
        return;
    const std::optional<int> workCode = _parts.work.exitCode();
    if (_release->confirmed())
    {
        _authority.released();
        _parts.report.released(_lease.term, _endReason);
    }
    else
    {
        _authority.releaseUnconfirmed(_release->reason());
        _parts.report.uncertain(_lease, _release->reason());
        _exitCode = ExitAuthorityEnded;
    }
    if (workCode)
        _exitCode = *workCode;
}

void HoldLoop::kept(const Kept& kept)
{
    if (kept.failure)
    {
        if (_phase == Phase::Waiting && kept.line == Line::Session &&
            client::meansSessionOver(*kept.failure))
            _acquisition.sessionOver();
        return;
    }
    if (_authority.state() != AuthorityState::Holding)
        return;
    if (kept.line == Line::Lease && !kept.expiresAt.empty())
        _lease.expiresAt = kept.expiresAt;
    _parts.work.extend(_authority.deadline());
    if (_phase == Phase::Holding)
        _parts.report.renewed(_lease, _authority.deadline());
}

bool HoldLoop::isOver(AuthorityState state) const noexcept
{
    return state == AuthorityState::Lost || state == AuthorityState::Uncertain;
}

} // namespace octostore::program
