// SPDX-License-Identifier: MIT
// Goal: administrators get everything that is live, in slices, however much there is.
#include "EngineHarness.h"
#include "Samples.h"

#include <octostore/coordination/Name.h>

#include <chrono>
#include <string>
#include <vector>

namespace octostore::coordination::test
{
namespace
{

using backend::LeaseKind;

class EngineSurveyTest : public ::testing::Test
{
protected:
    void hold(const std::string& name, std::uint64_t who = 1, Milliseconds ttl = 60s)
    {
        harness.ask<Granted>(name, acquireBy(who, ttl));
    }
    NameSurvey survey(std::optional<LeaseKind> kind)
    {
        const Ticket ticket = harness.submit("", Query(SurveyNames{kind}));
        for (int slices = 0; !harness.answered(ticket) && slices < 100; ++slices)
            harness.advance();
        return harness.get<NameSurvey>(ticket);
    }
    std::vector<std::string> names(std::optional<LeaseKind> kind)
    {
        std::vector<std::string> found;
        for (const SurveyedName& name : survey(kind).names)
            found.push_back(name.name);
        return found;
    }

    EngineHarness harness;
    const std::string room = leaseNameOfRoom("room-0001");
};

TEST_F(EngineSurveyTest, LocksAndRoomsAreToldApart)
{
    hold("A"); // before the rooms in byte order
    hold("z");
    hold("over", 2, 1s);
    harness.ask<Granted>(room, campaignBy("alpha", 30s, 1));
    harness.step(1s); // over by rule, not yet recorded
    using Names = std::vector<std::string>;
    EXPECT_EQ(names(LeaseKind::Lock), (Names{"A", "z"}));
    EXPECT_EQ(names(LeaseKind::Election), (Names{room}));
    EXPECT_EQ(names(std::nullopt), (Names{"A", room, "z"}));
}

TEST_F(EngineSurveyTest, ALongSurveyMissesNothingAndIsCutIntoSlices)
{
    for (std::uint64_t i = 0; i < 700; ++i)
        hold("n" + std::to_string(1000 + i), 1 + i / 50);
    Request request;
    request.operation = Query(SurveyNames{LeaseKind::Lock});
    harness.engine().submit(Ticket(999'999), std::move(request), harness.now);
    int slices = 1;
    while (harness.engine().advance(harness.now, 1) && slices < 100)
        ++slices;
    EXPECT_EQ(slices, 3) << "of 256 each";
    const Output output = harness.engine().take();
    ASSERT_EQ(output.replies.size(), 1U);
    EXPECT_EQ(std::get<NameSurvey>(output.replies[0].second).names.size(), 700U);
}

TEST_F(EngineSurveyTest, SurveysAreFinishedOneAfterTheOtherAndNotForThoseWhoLeft)
{
    for (std::uint64_t i = 0; i < 300; ++i)
        hold("n" + std::to_string(1000 + i), 1 + i / 50);
    for (const std::uint64_t ticket : {901, 902, 903})
    {
        Request request;
        request.operation = Query(SurveyNames{LeaseKind::Lock});
        harness.engine().submit(Ticket(ticket), std::move(request), harness.now);
    }
    harness.engine().abandon(Ticket(902), harness.now);
    std::vector<std::uint64_t> answered; // after each slice: the ticket, or 0
    for (int slices = 0; slices < 5; ++slices)
    {
        harness.engine().advance(harness.now, 1);
        const Output output = harness.engine().take();
        answered.push_back(output.replies.empty() ? 0 : output.replies[0].first.value());
    }
    EXPECT_EQ(answered, (std::vector<std::uint64_t>{0, 901, 0, 0, 903}));
}

/// Each look at it takes its time.
class SlowClock final : public Clock
{
public:
    explicit SlowClock(std::chrono::microseconds look) : _look(look) {}
    BootTime bootTime() const noexcept override { return BootTime(_look * ++_looks); }
    WallTime wallTime() const noexcept override { return {}; }
    const std::string& identity() const noexcept override { return _identity; }

private:
    const std::chrono::microseconds _look;
    const std::string _identity;
    mutable int _looks = 0;
};

TEST_F(EngineSurveyTest, ASliceEndsWhenItHasTakenItsTime)
{
    for (std::uint64_t i = 0; i < 320; ++i)
        hold("n" + std::to_string(1000 + i), 1 + i / 50);
    const auto slicesOf = [&](const Query& query)
    {
        Request request;
        request.operation = query;
        harness.engine().submit(Ticket(999'999), std::move(request), harness.now);
        int slices = 1;
        while (harness.engine().advance(harness.now, 1) && slices < 100)
            ++slices;
        EXPECT_EQ(harness.engine().take().replies.size(), 1U);
        return slices;
    };
    // 16 names a look; a slice has 100 us.
    const SlowClock half(50us);
    harness.engine().measureSlicesBy(half);
    EXPECT_EQ(slicesOf(Query(SurveyNames{LeaseKind::Lock})), 10) << "of 32 names each";
    EXPECT_EQ(slicesOf(Query(ListLocks{"", "", 10'000})), 10);
    const SlowClock endless(1h);
    harness.engine().measureSlicesBy(endless);
    EXPECT_EQ(slicesOf(Query(SurveyNames{LeaseKind::Lock})), 20) << "it comes to an end even so";
}

TEST_F(EngineSurveyTest, ASurveyedLockShowsAllButItsLeaseId)
{
    Acquire acquire = acquireBy(7, 60s);
    acquire.metadata = "m";
    acquire.callerNames = {"user:user7"};
    acquire.acl = std::vector<std::string>{"user:user7"};
    harness.ask<Granted>("a", Command(acquire));
    harness.submit("a", Command(acquireBy(8, 60s)), 60s);
    const NameSurvey all = survey(LeaseKind::Lock);
    ASSERT_EQ(all.names.size(), 1U);
    const SurveyedName& lock = all.names.front();
    ASSERT_TRUE(lock.lease);
    EXPECT_TRUE(lock.lease->lease.isNil());
    EXPECT_EQ(lock.lease->label, "user7");
    EXPECT_EQ(lock.lease->metadata, "m");
    EXPECT_EQ(lock.acquiredAt, harness.now.wall);
    EXPECT_EQ(lock.waiters, 0U) << "the access list keeps the other one out";
    EXPECT_TRUE(lock.hasAcl);
}

TEST_F(EngineSurveyTest, OpenSessionsAreListedWithTheirLocks)
{
    OpenSession open{idOf<SessionId>(1), idOf<PrincipalId>(3), "user3", 60s};
    harness.ask<SessionView>("", SessionCommand(open));
    open.fresh = idOf<SessionId>(2);
    open.ttl = 10s;
    harness.ask<SessionView>("", SessionCommand(open));
    Acquire acquire = acquireBy(3, 60s);
    acquire.session = idOf<SessionId>(1);
    harness.ask<Granted>("a", Command(acquire));
    harness.step(10s);
    const Ticket ticket = harness.submit("", Query(SurveySessions{}));
    harness.advance();
    const SessionSurvey all = harness.get<SessionSurvey>(ticket);
    ASSERT_EQ(all.sessions.size(), 1U) << "the other one is over";
    EXPECT_EQ(all.sessions[0].session.session, idOf<SessionId>(1));
    EXPECT_EQ(all.sessions[0].label, "user3");
    EXPECT_EQ(all.sessions[0].session.locks, 1U);
}

TEST_F(EngineSurveyTest, AQueueShowsPlacesInOrderAndTheAbsentOnes)
{
    hold("a");
    const Ticket left = harness.submit("a", Command(acquireBy(2, 60s)), 30s);
    harness.submit("a", Command(acquireBy(3, 60s)), 60s);
    harness.submit("a", Command(acquireBy(4, 60s)), 60s);
    harness.abandon(left);
    const auto all = harness.ask<QueueView>("a", Query(GetQueue{}));
    ASSERT_EQ(all.places.size(), 3U);
    EXPECT_EQ(all.total, 3U);
    EXPECT_EQ(all.places[0].label, "user2");
    EXPECT_FALSE(all.places[0].present);
    EXPECT_EQ(all.places[0].until, harness.now.wall + 5s);
    EXPECT_TRUE(all.places[1].present);
    EXPECT_EQ(all.places[1].until, harness.now.wall + 60s);
    const auto page = harness.ask<QueueView>("a", Query(GetQueue{1, 1}));
    ASSERT_EQ(page.places.size(), 1U);
    EXPECT_EQ(page.places[0].label, "user3");
    EXPECT_EQ(page.places[0].position, 1U);
    EXPECT_TRUE(harness.ask<QueueView>("a", Query(GetQueue{9, 1})).places.empty());
    EXPECT_EQ(harness.ask<QueueView>("nobody", Query(GetQueue{})).total, 0U);
}

TEST_F(EngineSurveyTest, ATurnLooksAtNoMorePlacesOfAQueueThanASliceHas)
{
    hold("a");
    for (std::uint64_t who = 2; who < 2'002; ++who)
        harness.submit("a", Command(acquireBy(who, 60s)), 60s);
    const Ticket ticket = harness.submit("a", Query(GetQueue{1'990, 5}));
    const Ticket front = harness.submit("a", Query(GetQueue{0, 50}));
    EXPECT_TRUE(harness.answered(front)) << "what one slice may look at needs no turn";
    EXPECT_FALSE(harness.answered(ticket));
    std::size_t turns = 0;
    for (bool more = true; more; ++turns)
    {
        ASSERT_LT(turns, 100U);
        more = harness.engine().advance(harness.now, 256);
    }
    EXPECT_EQ(turns, 1'995 / 256 + 1);
    harness.advance();
    const auto page = harness.get<QueueView>(ticket);
    EXPECT_EQ(page.total, 2'000U);
    ASSERT_EQ(page.places.size(), 5U);
    EXPECT_EQ(page.places.front().position, 1'990U);
    EXPECT_EQ(page.places.back().label, "user1996");
}

TEST_F(EngineSurveyTest, AWalkAlongAQueueGoesOnBehindWhoHasLeft)
{
    harness.ask<Granted>(room, campaignBy("leader", 60s, 1));
    std::vector<Ticket> waiting;
    for (int i = 0; i < 1'000; ++i) // without a key: no place is kept
        waiting.push_back(harness.submit(
            room, campaignBy("c" + std::to_string(i), 30s, std::uint64_t(i) + 2), 60s));
    const auto leave = [&](std::size_t from, std::size_t to)
    {
        for (std::size_t i = from; i < to; ++i)
            harness.abandon(waiting[i]);
    };
    const Ticket behind = harness.submit(room, Query(GetQueue{300, 2}));
    const Ticket whole = harness.submit(room, Query(GetQueue{250, 100}));
    const Ticket last = harness.submit(room, Query(GetQueue{900, 100}));
    ASSERT_TRUE(harness.engine().advance(harness.now, 256)); // the first walk stands at 256
    leave(200, 300);
    ASSERT_TRUE(harness.engine().advance(harness.now, 256));
    harness.engine().advance(harness.now, 256); // the second walk stands at 256 of what is left
    leave(300, 1'000);
    harness.advance();
    EXPECT_EQ(harness.get<QueueView>(behind).places.front().label, "c344");
    EXPECT_EQ(harness.get<QueueView>(whole).places.size(), 6U);
    EXPECT_EQ(harness.get<QueueView>(whole).total, 256U);
    EXPECT_EQ(harness.get<QueueView>(last).total, 200U);
    EXPECT_TRUE(harness.get<QueueView>(last).places.empty());
}

} // namespace
} // namespace octostore::coordination::test
