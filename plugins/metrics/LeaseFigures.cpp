// SPDX-License-Identifier: MIT
#include "LeaseFigures.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace octostore::metrics
{

namespace
{

using event::Cause;
using event::ResourceKind;
using event::Type;

std::size_t keyOf(ResourceKind kind, const std::string& name)
{
    return std::hash<std::string>()(name) * 2 + (kind == ResourceKind::Election ? 1 : 0);
}

bool isGrant(Type fact)
{
    return fact == Type::LockAcquired || fact == Type::LeaderElected;
}

bool isEnd(Type fact)
{
    switch (fact)
    {
    case Type::LockReleased:
    case Type::LockExpired:
    case Type::LockForceReleased:
    case Type::LeaderResigned:
    case Type::LeaderExpired:
    case Type::LeaderRemoved:
        return true;
    default:
        return false;
    }
}

/// Whether it ran out since the start; what ran out while the server was down ended late for
/// another reason.
bool isLateEnd(const event::Draft& what, WallTime since)
{
    return what.previous && what.previous->expiresAt && *what.previous->expiresAt > since;
}

/// What administrators do on routes of their own; told of before it happens for the first time.
constexpr std::array actions{Type::LockForceReleased, Type::LeaderRemoved, Type::SessionClosed,
                             Type::ConfigReloaded, Type::BackupTaken};

/// Clients stop by themselves at four fifths of the TTL: a renewal that comes later than that comes
/// from one that has given up, or nearly.
constexpr int shareLeft = 5;

} // namespace

LeaseFigures::LeaseFigures(const Clock& clock, Task serving)
    : _clock(clock), _since(clock.wallTime()), _serving(std::move(serving))
{
}

LeaseFigures::KindFigures& LeaseFigures::figuresOf(ResourceKind kind)
{
    return kind == ResourceKind::Election ? _elections : _locks;
}

void LeaseFigures::events(const std::vector<event::EventPtr>& batch) noexcept
{
    for (const event::EventPtr& event : batch)
        count(event->what);
}

void LeaseFigures::count(const event::Draft& what)
{
    if (what.actor.kind == event::ActorKind::Admin)
        _administrative[static_cast<std::size_t>(what.type)].add();
    if (what.type == Type::ServerStarted && what.time >= _since)
        _serving();
    const WallTime now = _clock.wallTime();
    if (what.kind == ResourceKind::Session)
        return countSession(what, now);
    if (what.kind != ResourceKind::Lock && what.kind != ResourceKind::Election)
        return;
    const bool ends = std::any_of(what.facts.begin(), what.facts.end(), isEnd);
    const bool grants = std::any_of(what.facts.begin(), what.facts.end(), isGrant);
    if (ends)
        ended(what, now);
    if (grants)
        granted(what, ends, now);
}

void LeaseFigures::countSession(const event::Draft& what, WallTime now)
{
    if (what.type == Type::SessionCreated)
        _sessionsCreated.add();
    else if (what.type == Type::SessionClosed)
        _sessionsClosed.add();
    if (what.type != Type::SessionExpired)
        return;
    _sessionsExpired.add();
    if (isLateEnd(what, _since))
        _sessionLag.observe(now - *what.previous->expiresAt);
}

void LeaseFigures::ended(const event::Draft& what, WallTime now)
{
    KindFigures& figures = figuresOf(what.kind);
    const auto cause = static_cast<std::size_t>(what.cause);
    if (cause < figures.ended.size())
        figures.ended[cause].add();
    if (what.cause == Cause::Ttl && isLateEnd(what, _since))
        _expiryLag.observe(now - *what.previous->expiresAt);
    MutexLock lock(_mutex);
    const auto course = _courses.find(keyOf(what.kind, what.name));
    if (course == _courses.end())
        return;
    figures.held.observe(what.time - course->second.grantedAt);
    _courses.erase(course);
}

void LeaseFigures::granted(const event::Draft& what, bool handedOver, WallTime now)
{
    KindFigures& figures = figuresOf(what.kind);
    figures.granted.add();
    if (what.kind == ResourceKind::Election)
        _leaderChanges.add();
    if (handedOver)
    {
        figures.vacant.observe(std::chrono::nanoseconds::zero());
        const bool ranOut = what.cause == Cause::Ttl && what.previous && what.previous->expiresAt;
        _handOver.observe(now - (ranOut ? *what.previous->expiresAt : what.time));
    }
    else if (what.vacantMs)
        figures.vacant.observe(Milliseconds(static_cast<std::int64_t>(*what.vacantMs)));
    if (!what.current || !what.current->expiresAt)
        return;
    MutexLock lock(_mutex);
    if (_courses.size() < leasesMax)
        _courses[keyOf(what.kind, what.name)] = {what.time, what.time, *what.current->expiresAt};
}

void LeaseFigures::renewals(const std::vector<event::Renewal>& batch) noexcept
{
    MutexLock lock(_mutex);
    for (const event::Renewal& renewal : batch)
    {
        KindFigures& figures = figuresOf(renewal.kind);
        figures.renewed.add();
        const auto found = _courses.find(keyOf(renewal.kind, renewal.name));
        if (found == _courses.end())
            continue;
        Course& course = found->second;
        const auto ttl = course.deadline - course.renewedAt;
        if ((course.deadline - renewal.time) * shareLeft < ttl)
            figures.nearExpiry.add();
        course.renewedAt = renewal.time;
        course.deadline = renewal.expiresAt;
    }
}

void LeaseFigures::collect(Sink& sink) const noexcept
{
    collect(sink, _locks, "lock");
    collect(sink, _elections, "election");
    sink.add({"octostore_lease_expiry_lag_seconds",
              "From the deadline of a lease until its end is committed and published."},
             _expiryLag);
    sink.add({"octostore_lease_handover_seconds",
              "From the end of a lease until the grant to its next waiter is committed and "
              "published."},
             _handOver);
    sink.add({"octostore_session_expiry_lag_seconds",
              "From the deadline of a session until its end is committed and published."},
             _sessionLag);
    sink.add({"octostore_election_leader_changes_total", "Leaders elected."}, _leaderChanges);
    sink.add({"octostore_sessions_created_total", "Sessions opened."}, _sessionsCreated);
    const Metric closed{"octostore_sessions_closed_total", "Sessions that ended."};
    sink.add(closed, _sessionsClosed, {{"reason", "closed"}});
    sink.add(closed, _sessionsExpired, {{"reason", "expired"}});
    collectAudit(sink);
}

void LeaseFigures::collectAudit(Sink& sink) const
{
    for (std::size_t type = 1; type < _administrative.size(); ++type)
    {
        const auto action = static_cast<Type>(type);
        const bool usual = std::find(actions.begin(), actions.end(), action) != actions.end();
        if (usual || _administrative[type].value() > 0)
            sink.add({"octostore_audit_events_total", "Events caused by administrators."},
                     _administrative[type], {{"action", std::string(event::typeName(action))}});
    }
}

void LeaseFigures::collect(Sink& sink, const KindFigures& figures, const char* kind) const
{
    const Labels label{{"kind", kind}};
    sink.add({"octostore_lease_hold_seconds", "How long leases were held."}, figures.held, label);
    sink.add({"octostore_lease_vacant_seconds",
              "How long a name that had a holder before was without one until the next grant."},
             figures.vacant, label);
    sink.add({"octostore_lease_grants_total", "Leases granted anew."}, figures.granted, label);
    sink.add({"octostore_lease_renewals_total", "Leases that got a new deadline."}, figures.renewed,
             label);
    sink.add({"octostore_lease_near_expiry_renewals_total",
              "Renewals that came when less than a fifth of the TTL was left."},
             figures.nearExpiry, label);
    for (std::size_t cause = 0; cause < figures.ended.size(); ++cause)
    {
        const std::string_view name = event::causeName(static_cast<Cause>(cause));
        if (!name.empty())
            sink.add({"octostore_lease_ends_total", "Leases that ended."}, figures.ended[cause],
                     {{"kind", kind}, {"reason", std::string(name)}});
    }
}

} // namespace octostore::metrics
