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

/// Upper bounds of shares of a TTL.
Bounds shareBounds()
{
    return {0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1};
}

double shareOf(std::chrono::nanoseconds part, std::chrono::nanoseconds whole)
{
    if (whole <= std::chrono::nanoseconds::zero())
        return 0;
    const double share = static_cast<double>(part.count()) / static_cast<double>(whole.count());
    return std::clamp(share, 0.0, 1.0);
}

/// What moves the wall clock further between two looks is no drift: somebody has set it.
constexpr std::chrono::milliseconds stepMin{100};
/// By then everything that was told before a step is over, or has been told again.
constexpr std::chrono::hours unsteadyAfterStep{1};

/// Whether a lease of that kind can end so.
bool endsSo(ResourceKind kind, Cause cause)
{
    switch (cause)
    {
    case Cause::None:
        return false;
    case Cause::Ttl:
    case Cause::ForceReleased:
    case Cause::Undelivered:
        return true;
    case Cause::Resigned:
        return kind == ResourceKind::Election;
    case Cause::Released:
    case Cause::SessionClosed:
    case Cause::SessionExpired:
        return kind == ResourceKind::Lock;
    }
    return false;
}

/// One sample for each reason why a lease of `kind` can end.
void addByCause(Sink& sink, const Metric& metric, const std::array<Counter, 8>& counters,
                ResourceKind kind, const Labels& labels = {})
{
    for (std::size_t cause = 0; cause < counters.size(); ++cause)
    {
        if (!endsSo(kind, static_cast<Cause>(cause)))
            continue;
        Labels all = labels;
        all.emplace_back("reason", event::causeName(static_cast<Cause>(cause)));
        sink.add(metric, counters[cause], all);
    }
}

} // namespace

LeaseFigures::LeaseFigures(const Clock& clock, Task serving)
    : _clock(clock),
      _since(clock.wallTime()),
      _serving(std::move(serving)),
      _ahead(clock.wallTime().time_since_epoch() - clock.bootTime().time_since_epoch())
{
}

LeaseFigures::KindFigures::KindFigures() : left(shareBounds()) {}

LeaseFigures::Moment LeaseFigures::look()
{
    const Now now = _clock.now();
    const auto ahead = now.wall.time_since_epoch() - now.boot.time_since_epoch();
    if (std::chrono::abs(ahead - _ahead) >= stepMin)
        _steadyFrom = now.boot + unsteadyAfterStep;
    _ahead = ahead;
    return {now.boot, now.wall, now.boot >= _steadyFrom};
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
    const Moment now = look();
    if (what.kind == ResourceKind::Session)
        return countSession(what, now);
    if (what.kind != ResourceKind::Lock && what.kind != ResourceKind::Election)
        return;
    const bool ends = std::any_of(what.facts.begin(), what.facts.end(), isEnd);
    const bool grants = std::any_of(what.facts.begin(), what.facts.end(), isGrant);
    const Lag lag = ends ? ended(what, now) : std::nullopt;
    if (grants)
        granted(what, ends, lag, now);
}

void LeaseFigures::countSession(const event::Draft& what, const Moment& now)
{
    if (what.type == Type::SessionCreated)
        _sessionsCreated.add();
    else if (what.type == Type::SessionClosed)
        (what.reason.empty() ? _sessionsClosed : _sessionsForced).add();
    if (what.type != Type::SessionExpired)
        return;
    _sessionsExpired.add();
    if (const Lag lag = lagOf(what, now))
        _sessionLag.observe(*lag);
}

LeaseFigures::Lag LeaseFigures::lagOf(const event::Draft& what, const Moment& now) const
{
    if (!now.steady || !isLateEnd(what, _since))
        return std::nullopt;
    return now.wall - *what.previous->expiresAt;
}

LeaseFigures::Lag LeaseFigures::ended(const event::Draft& what, const Moment& now)
{
    KindFigures& figures = figuresOf(what.kind);
    const auto cause = static_cast<std::size_t>(what.cause);
    if (cause < figures.ended.size())
        figures.ended[cause].add();
    Lag lag = what.cause == Cause::Ttl ? lagOf(what, now) : std::nullopt;
    MutexLock lock(_mutex);
    if (what.kind == ResourceKind::Election)
        _leaderless.note(keyOf(what.kind, what.name), what.cause);
    if (const auto course = _courses.extract(keyOf(what.kind, what.name)))
    {
        figures.held.observe(now.at(what.time) - course.mapped().grantedAt);
        if (what.cause == Cause::Ttl)
            lag = now.boot - course.mapped().deadline;
    }
    if (lag)
        _expiryLag.observe(*lag);
    return lag;
}

void LeaseFigures::granted(const event::Draft& what, bool handedOver, const Lag& lag,
                           const Moment& now)
{
    KindFigures& figures = figuresOf(what.kind);
    figures.granted.add();
    if (handedOver)
    {
        figures.vacant.observe(std::chrono::nanoseconds::zero());
        if (lag)
            _handOver.observe(*lag);
        else if (what.cause != Cause::Ttl && now.steady)
            _handOver.observe(now.wall - what.time);
    }
    else if (what.vacantMs)
        figures.vacant.observe(Milliseconds(static_cast<std::int64_t>(*what.vacantMs)));
    MutexLock lock(_mutex);
    if (what.kind == ResourceKind::Election)
    {
        const Cause cause = _leaderless.take(keyOf(what.kind, what.name));
        _leaderChanges[static_cast<std::size_t>(cause)].add();
    }
    const BootTime at = now.at(what.time);
    if (what.current && what.current->expiresAt && _courses.size() < leasesMax)
        _courses[keyOf(what.kind, what.name)] = {at, at, now.at(*what.current->expiresAt)};
}

void LeaseFigures::renewals(const std::vector<event::Renewal>& batch) noexcept
{
    const Moment now = look();
    MutexLock lock(_mutex);
    for (const event::Renewal& renewal : batch)
    {
        KindFigures& figures = figuresOf(renewal.kind);
        figures.renewed.add();
        const auto found = _courses.find(keyOf(renewal.kind, renewal.name));
        if (found == _courses.end())
            continue;
        Course& course = found->second;
        const BootTime at = now.at(renewal.time);
        const auto ttl = course.deadline - course.renewedAt;
        figures.left.observe(shareOf(course.deadline - at, ttl));
        if ((course.deadline - at) * shareLeft < ttl)
            figures.nearExpiry.add();
        course.renewedAt = at;
        course.deadline = now.at(renewal.expiresAt);
    }
}

void LeaseFigures::collect(Sink& sink) const noexcept
{
    collect(sink, _locks, ResourceKind::Lock);
    collect(sink, _elections, ResourceKind::Election);
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
    sink.add({"octostore_lock_hold_seconds", "How long locks were held."}, _locks.held);
    addByCause(sink, {"octostore_lock_release_total", "Locks whose lease ended."}, _locks.ended,
               ResourceKind::Lock);
    collectLeaders(sink);
    collectSessions(sink);
    collectAudit(sink);
}

void LeaseFigures::collectLeaders(Sink& sink) const
{
    const Metric changes{"octostore_election_leader_changes_total",
                         "Leaders elected, by how the term before ended; first: none is known."};
    sink.add(changes, _leaderChanges[0], {{"reason", "first"}});
    addByCause(sink, changes, _leaderChanges, ResourceKind::Election);
    sink.add({"octostore_election_leaderless_seconds",
              "How long a room that had a leader before was without one until the next."},
             _elections.vacant);
}

std::uint64_t LeaseFigures::leaderChanges() const noexcept
{
    std::uint64_t sum = 0;
    for (const Counter& changes : _leaderChanges)
        sum += changes.value();
    return sum;
}

void LeaseFigures::collectSessions(Sink& sink) const
{
    sink.add({"octostore_sessions_created_total", "Sessions opened."}, _sessionsCreated);
    const Metric closed{"octostore_sessions_closed_total", "Sessions that ended."};
    sink.add(closed, _sessionsClosed, {{"reason", "released"}});
    sink.add(closed, _sessionsExpired, {{"reason", "expired"}});
    sink.add(closed, _sessionsForced, {{"reason", "forced"}});
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

void LeaseFigures::collect(Sink& sink, const KindFigures& figures, ResourceKind kind) const
{
    const Labels label{{"kind", kind == ResourceKind::Lock ? "lock" : "election"}};
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
    sink.add({"octostore_lease_renewal_left_ratio",
              "How much of the TTL was left when a lease was renewed, from 0 to 1."},
             figures.left, label);
    addByCause(sink, {"octostore_lease_ends_total", "Leases that ended."}, figures.ended, kind,
               label);
}

} // namespace octostore::metrics
