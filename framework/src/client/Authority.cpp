// SPDX-License-Identifier: MIT
#include <octostore/base/Assert.h>
#include <octostore/client/Authority.h>

#include <algorithm>
#include <utility>

namespace octostore::client
{

namespace
{

constexpr Milliseconds killMargin{250};
constexpr Milliseconds workMin{1000};

/// At 0.45 of the TTL, but at half of the usable time at the latest, so that a second try fits.
Lifeline lifeline(Milliseconds ttl, Milliseconds reserve)
{
    const Milliseconds usable = Lifeline::authorityOf(ttl) - reserve;
    return {ttl, std::max(std::min(Lifeline::usualRenewal(ttl), usable / 2), Milliseconds(0))};
}

} // namespace

Authority::Authority(const AuthorityTerms& terms)
    : _lease(lifeline(terms.leaseTtl, terms.reserve)), _reserve(terms.reserve)
{
    if (terms.sessionTtl)
        _session.emplace(lifeline(*terms.sessionTtl, terms.reserve));
}

bool Authority::grant(const Confirmation& confirmation, BootTime now)
{
    OCTOSTORE_ASSERT(_state == AuthorityState::Waiting);
    OCTOSTORE_ASSERT(!_session || _session->deadline() != BootTime{});
    _lease.confirm(confirmation, now);
    if (now >= endOfUse())
        return false;
    _state = AuthorityState::Holding;
    return true;
}

void Authority::confirm(Line line, const Confirmation& confirmation, BootTime now)
{
    advance(now);
    const bool alive = _state == AuthorityState::Holding ||
                       (_state == AuthorityState::Waiting && line == Line::Session);
    if (!alive)
        return;
    lineOf(line).confirm(confirmation, now);
    _lastFailure.clear();
}

void Authority::fail(Line line, const Failure& failure, BootTime now, Milliseconds pause)
{
    advance(now);
    lineOf(line).postpone(now, pause);
    if (_state != AuthorityState::Holding)
        return;
    _lastFailure = failure.code;
    if (provesLoss(failure))
        end(AuthorityState::Lost, failure.code);
}

void Authority::advance(BootTime now)
{
    if (_state == AuthorityState::Holding && now >= endOfUse())
        end(AuthorityState::Uncertain,
            _lastFailure.empty() ? std::string("deadline") : _lastFailure);
}

void Authority::released() noexcept
{
    if (_state == AuthorityState::Holding)
        _state = AuthorityState::Released;
}

void Authority::releaseUnconfirmed(const std::string& reason)
{
    if (_state == AuthorityState::Holding)
        end(AuthorityState::Uncertain, reason);
}

BootTime Authority::deadline() const noexcept
{
    return _session ? std::min(_lease.deadline(), _session->deadline()) : _lease.deadline();
}

Milliseconds Authority::remaining(BootTime now) const noexcept
{
    return Milliseconds(wholeMilliseconds(deadline() - now));
}

const Lifeline& Authority::line(Line line) const noexcept
{
    OCTOSTORE_ASSERT(line == Line::Lease || _session);
    return line == Line::Lease ? _lease : *_session;
}

void Authority::openSession(const Confirmation& confirmation, BootTime now)
{
    OCTOSTORE_ASSERT(_state == AuthorityState::Waiting && _session);
    _session->confirm(confirmation, now);
}

Lifeline& Authority::lineOf(Line line) noexcept
{
    OCTOSTORE_ASSERT(line == Line::Lease || _session);
    return line == Line::Lease ? _lease : *_session;
}

void Authority::end(AuthorityState state, std::string reason)
{
    _state = state;
    _reason = std::move(reason);
}

StopTimes stopTimes(BootTime deadline, Milliseconds killAfter) noexcept
{
    const BootTime kill = deadline - killMargin;
    return {kill - killAfter, kill};
}

Milliseconds stopReserve(Milliseconds killAfter) noexcept
{
    return killMargin + killAfter;
}

bool leavesTimeToWork(Milliseconds ttl, Milliseconds killAfter) noexcept
{
    return Lifeline::authorityOf(ttl) - stopReserve(killAfter) >= workMin;
}

} // namespace octostore::client
