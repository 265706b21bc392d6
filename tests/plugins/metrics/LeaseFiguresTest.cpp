// SPDX-License-Identifier: MIT
#include "LeaseFigures.h"

#include "PrometheusText.h"
#include "support/FakeClock.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace octostore::metrics
{
namespace
{

using namespace std::chrono_literals;
using event::Cause;
using event::Type;

class LeaseFiguresTest : public ::testing::Test
{
protected:
    event::Draft draft(Type type, std::vector<Type> facts, const std::string& name = "x")
    {
        event::Draft made;
        made.type = type;
        made.facts = std::move(facts);
        made.time = _clock.wallTime();
        made.name = name;
        return made;
    }
    event::Holding holding(std::chrono::nanoseconds left)
    {
        return {"alice", Term(1), _clock.wallTime() + left};
    }
    void tell(event::Draft what)
    {
        event::Event event;
        event.what = std::move(what);
        _figures.events({std::make_shared<const event::Event>(std::move(event))});
    }
    /// One session of 10 s runs out, 30 ms late.
    void expireSession()
    {
        event::Draft end = draft(Type::SessionExpired, {Type::SessionExpired});
        end.kind = event::ResourceKind::Session;
        end.cause = Cause::SessionExpired;
        end.previous = holding(10s);
        _clock.advance(10s + 30ms);
        tell(end);
    }
    void acquired(std::chrono::nanoseconds ttl)
    {
        event::Draft made = draft(Type::LockAcquired, {Type::LockAcquired});
        made.current = holding(ttl);
        tell(std::move(made));
    }
    void renewed(std::chrono::nanoseconds ttl)
    {
        event::Renewal renewal;
        renewal.name = "x";
        renewal.time = _clock.wallTime();
        renewal.expiresAt = renewal.time + ttl;
        _figures.renewals({renewal});
    }
    /// A lock is acquired and released; the end that was told.
    event::Draft heldFor40s()
    {
        acquired(60s);
        _clock.advance(40s);
        event::Draft end = draft(Type::LockReleased, {Type::LockReleased});
        end.cause = Cause::Released;
        tell(end);
        return end;
    }
    void room(Type type, std::vector<Type> facts, Cause cause,
              const std::string& name = "room-room")
    {
        event::Draft made = draft(type, std::move(facts), name);
        made.kind = event::ResourceKind::Election;
        made.cause = cause;
        made.current = holding(30s);
        tell(made);
    }
    bool changes(const std::string& reason, int count) const
    {
        return says("octostore_election_leader_changes_total{reason=\"" + reason + "\"} " +
                    std::to_string(count));
    }
    bool says(const std::string& line) const
    {
        PrometheusText text;
        _figures.collect(text);
        return text.text().find("\n" + line + "\n") != std::string::npos;
    }

    test::FakeClock _clock;
    int _served = 0;
    LeaseFigures _figures{_clock, [this] { ++_served; }};
};

TEST_F(LeaseFiguresTest, ALeaseIsHeldFromItsGrantToItsEnd)
{
    const event::Draft end = heldFor40s();
    EXPECT_TRUE(says("octostore_lease_hold_seconds_sum{kind=\"lock\"} 40"));
    EXPECT_TRUE(says("octostore_lease_ends_total{kind=\"lock\",reason=\"released\"} 1"));
    EXPECT_TRUE(says("octostore_lease_expiry_lag_seconds_count 0"));
    tell(end);
    EXPECT_TRUE(says("octostore_lease_hold_seconds_count{kind=\"lock\"} 1"))
        << "an end without a grant has no time";
}

TEST_F(LeaseFiguresTest, AnEndByTimeIsAsLateAsItIsPublished)
{
    acquired(10s);
    event::Draft end = draft(Type::LockExpired, {Type::LockExpired});
    end.cause = Cause::Ttl;
    end.previous = holding(10s);
    _clock.advance(10s + 20ms);
    tell(end);
    EXPECT_TRUE(says("octostore_lease_expiry_lag_seconds_sum 0.02"));
}

TEST_F(LeaseFiguresTest, WhatRanOutWhileTheServerWasDownWasNotLate)
{
    event::Draft end = draft(Type::LockExpired, {Type::LockExpired});
    end.cause = Cause::Ttl;
    end.previous = holding(-10s);
    tell(end);
    EXPECT_TRUE(says("octostore_lease_expiry_lag_seconds_count 0"));
}

TEST_F(LeaseFiguresTest, AHandOverIsAnEndAGrantAndNoVacancy)
{
    event::Draft change =
        draft(Type::LeaderChanged, {Type::LeaderResigned, Type::LeaderElected}, "room-room");
    change.kind = event::ResourceKind::Election;
    change.cause = Cause::Resigned;
    change.previous = holding(5s);
    change.current = holding(30s);
    _clock.advance(3ms);
    tell(change);
    EXPECT_EQ(_figures.leaderChanges(), 1U);
    EXPECT_TRUE(says("octostore_lease_handover_seconds_sum 0.003"));
    EXPECT_TRUE(says("octostore_lease_vacant_seconds_sum{kind=\"election\"} 0"));
    EXPECT_TRUE(says("octostore_lease_vacant_seconds_count{kind=\"election\"} 1"));
    EXPECT_TRUE(says("octostore_lease_ends_total{kind=\"election\",reason=\"resigned\"} 1"));
}

TEST_F(LeaseFiguresTest, ALeaderFollowsForTheReasonTheOneBeforeIsGone)
{
    room(Type::LeaderElected, {Type::LeaderElected}, Cause::None);
    EXPECT_TRUE(changes("first", 1));
    room(Type::LeaderExpired, {Type::LeaderExpired}, Cause::Ttl);
    EXPECT_TRUE(changes("ttl", 0)) << "nobody follows yet";
    room(Type::LeaderElected, {Type::LeaderElected}, Cause::None);
    EXPECT_TRUE(changes("ttl", 1));
    room(Type::LeaderChanged, {Type::LeaderRemoved, Type::LeaderElected}, Cause::ForceReleased);
    EXPECT_TRUE(changes("force_released", 1));
    EXPECT_TRUE(changes("first", 1));
    EXPECT_EQ(_figures.leaderChanges(), 3U);
}

TEST_F(LeaseFiguresTest, RoomsThatNobodyLeadsAgainKeepNoOthersOut)
{
    const auto gone = [this](const std::string& name)
    { room(Type::LeaderResigned, {Type::LeaderResigned}, Cause::Resigned, name); };
    for (std::size_t i = 0; i < LeaseFigures::leasesMax; ++i)
        gone("done-" + std::to_string(i));
    gone("room-room");
    room(Type::LeaderElected, {Type::LeaderElected}, Cause::None);
    EXPECT_TRUE(changes("resigned", 1));
    EXPECT_TRUE(changes("first", 0));
}

TEST_F(LeaseFiguresTest, LocksAndRoomsHaveNamesOfTheirOwnForWhatOnlyTheyHave)
{
    heldFor40s();
    event::Draft elected = draft(Type::LeaderElected, {Type::LeaderElected}, "room-room");
    elected.kind = event::ResourceKind::Election;
    elected.vacantMs = 1500;
    tell(elected);
    EXPECT_TRUE(says("octostore_lock_hold_seconds_sum 40"));
    EXPECT_TRUE(says("octostore_lock_release_total{reason=\"released\"} 1"));
    EXPECT_TRUE(says("octostore_lock_release_total{reason=\"ttl\"} 0"));
    EXPECT_TRUE(says("octostore_election_leaderless_seconds_sum 1.5"));
}

TEST_F(LeaseFiguresTest, ARenewalIsNearExpiryWhenLessThanAFifthIsLeft)
{
    acquired(10s);
    _clock.advance(8s);
    renewed(10s);
    EXPECT_TRUE(says("octostore_lease_near_expiry_renewals_total{kind=\"lock\"} 0"))
        << "exactly a fifth is left";
    _clock.advance(8s + 1ms);
    renewed(10s);
    EXPECT_TRUE(says("octostore_lease_near_expiry_renewals_total{kind=\"lock\"} 1"));
    EXPECT_TRUE(says("octostore_lease_renewals_total{kind=\"lock\"} 2"));
}

TEST_F(LeaseFiguresTest, ARenewalTellsHowMuchOfTheTtlWasLeft)
{
    acquired(10s);
    _clock.advance(6s);
    renewed(20s);
    _clock.advance(25s);
    renewed(20s);
    const std::string name = "octostore_lease_renewal_left_ratio";
    EXPECT_TRUE(says(name + "_bucket{kind=\"lock\",le=\"0.01\"} 1")) << "none was left";
    EXPECT_TRUE(says(name + "_bucket{kind=\"lock\",le=\"0.3\"} 1"));
    EXPECT_TRUE(says(name + "_bucket{kind=\"lock\",le=\"0.4\"} 2"));
    EXPECT_TRUE(says(name + "_sum{kind=\"lock\"} 0.4"));
}

TEST_F(LeaseFiguresTest, AStepOfTheWallClockMakesNoEndLateAndNoHoldLong)
{
    for (const auto step : {1h, -1h})
    {
        acquired(10s);
        event::Draft end = draft(Type::LockExpired, {Type::LockExpired});
        end.cause = Cause::Ttl;
        end.previous = holding(10s);
        _clock.advance(10s);
        _clock.stepWall(step);
        end.time = _clock.wallTime();
        _clock.advance(20ms);
        tell(end);
    }
    EXPECT_TRUE(says("octostore_lease_expiry_lag_seconds_sum 0.04"));
    EXPECT_TRUE(says("octostore_lease_hold_seconds_sum{kind=\"lock\"} 20"));
}

TEST_F(LeaseFiguresTest, ForAnHourAfterAStepNoLagIsTakenFromTheWallClock)
{
    _clock.stepWall(2h);
    expireSession();
    EXPECT_TRUE(says("octostore_session_expiry_lag_seconds_count 0"));
    _clock.advance(1h);
    expireSession();
    EXPECT_TRUE(says("octostore_session_expiry_lag_seconds_sum 0.03"));
}

TEST_F(LeaseFiguresTest, AVacancyIsCountedAsTheEventTellsIt)
{
    event::Draft grant = draft(Type::LockAcquired, {Type::LockAcquired});
    grant.current = holding(60s);
    grant.vacantMs = 2500;
    tell(grant);
    EXPECT_TRUE(says("octostore_lease_vacant_seconds_sum{kind=\"lock\"} 2.5"));
}

TEST_F(LeaseFiguresTest, ItIsToldOnceTheServerServesAndNotOfEarlierStarts)
{
    event::Draft earlier = draft(Type::ServerStarted, {Type::ServerStarted});
    earlier.kind = event::ResourceKind::Server;
    earlier.time -= 1h;
    tell(earlier);
    EXPECT_EQ(_served, 0);
    earlier.time += 1h;
    tell(earlier);
    EXPECT_EQ(_served, 1);
}

TEST_F(LeaseFiguresTest, ASessionThatRanOutIsAsLateAsItIsPublished)
{
    expireSession();
    EXPECT_TRUE(says("octostore_session_expiry_lag_seconds_sum 0.03"));
    EXPECT_TRUE(says("octostore_sessions_closed_total{reason=\"expired\"} 1"));
}

TEST_F(LeaseFiguresTest, AClosedSessionWasClosedByItsAccountOrByAnAdministratorForAReason)
{
    event::Draft end = draft(Type::SessionClosed, {Type::SessionClosed});
    end.kind = event::ResourceKind::Session;
    tell(end);
    EXPECT_TRUE(says("octostore_sessions_closed_total{reason=\"released\"} 1"));
    end.reason = "its host is gone";
    tell(end);
    EXPECT_TRUE(says("octostore_sessions_closed_total{reason=\"released\"} 1"));
    EXPECT_TRUE(says("octostore_sessions_closed_total{reason=\"forced\"} 1"));
}

TEST_F(LeaseFiguresTest, WhatAdministratorsDoIsCountedByAction)
{
    EXPECT_TRUE(says("octostore_audit_events_total{action=\"backup.taken\"} 0"));
    event::Draft act = draft(Type::BackupTaken, {Type::BackupTaken});
    tell(act);
    act.actor.kind = event::ActorKind::Admin;
    tell(act);
    EXPECT_TRUE(says("octostore_audit_events_total{action=\"backup.taken\"} 1"));
    EXPECT_TRUE(says("octostore_audit_events_total{action=\"lock.force_released\"} 0"));
}

TEST_F(LeaseFiguresTest, NoNameIsALabel)
{
    event::Draft grant = draft(Type::LockAcquired, {Type::LockAcquired}, "secret-project");
    grant.current = event::Holding{"secret-holder", Term(1), _clock.wallTime() + 10s};
    tell(grant);
    PrometheusText text;
    _figures.collect(text);
    EXPECT_EQ(text.text().find("secret"), std::string::npos);
}

} // namespace
} // namespace octostore::metrics
