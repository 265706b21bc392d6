// SPDX-License-Identifier: MIT
/// @file
/// What the engine tells: status, fence, lists, counts, the store's health, what is remembered,
/// and what it reads back from a store.
#include "EngineHarness.h"

#include <octostore/coordination/Name.h>

#include <algorithm>

namespace octostore::coordination::test
{

class EngineReadTest : public ::testing::Test
{
protected:
    Granted hold(const std::string& name, std::uint64_t who = 1, Milliseconds ttl = 60s)
    {
        return harness.ask<Granted>(name, acquireBy(who, ttl));
    }

    void release(const std::string& name, const Granted& granted)
    {
        harness.ask<Ended>(name, Release{credentialOf(granted.lease)});
    }

    /// A listing may take several turns.
    Listing list(const ListLocks& query)
    {
        const Ticket ticket = harness.submit("", query);
        for (int turns = 0; turns < 1000 && !harness.answered(ticket); ++turns)
            harness.advance();
        return harness.get<Listing>(ticket);
    }

    static Limits many()
    {
        Limits limits;
        limits.leasesPerPrincipalMax = 100'000;
        return limits;
    }

    EngineHarness harness{many()};
};

TEST_F(EngineReadTest, TheStatusOfAnUnknownNameIsFreeWithoutATerm)
{
    const Status status = harness.status("never/seen");
    EXPECT_EQ(status.name, "never/seen");
    EXPECT_FALSE(status.lease);
    EXPECT_EQ(status.lastTerm, Term(0));
    EXPECT_FALSE(status.availableAt);
    EXPECT_EQ(status.waiters, 0U);
}

TEST_F(EngineReadTest, AFenceHoldsForTheTermThatIsLiveNow)
{
    const Granted granted = hold("a");
    EXPECT_TRUE(harness.ask<Fence>("a", CheckFence{granted.lease.term}).current);
    const Term other(granted.lease.term.value() + 1);
    EXPECT_FALSE(harness.ask<Fence>("a", CheckFence{other}).current);
    EXPECT_EQ(harness.ask<Fence>("a", CheckFence{other}).live, granted.lease.term);
    harness.step(60s); // over by rule, not yet recorded
    EXPECT_FALSE(harness.ask<Fence>("a", CheckFence{granted.lease.term}).current);
    EXPECT_FALSE(harness.ask<Fence>("a", CheckFence{granted.lease.term}).live);
    harness.advance();
    EXPECT_FALSE(harness.ask<Fence>("a", CheckFence{granted.lease.term}).current);
    EXPECT_FALSE(harness.ask<Fence>("b", CheckFence{Term(0)}).current);
}

TEST_F(EngineReadTest, AListingPagesThroughLiveLocksInByteOrder)
{
    std::vector<std::string> names;
    for (int i = 0; i < 700; ++i)
        names.push_back("jobs/" + std::to_string(i));
    for (const std::string& name : names)
        hold(name);
    hold("jobs");
    hold("jobt");
    release("jobs/13", hold("jobs/13"));
    names.erase(std::find(names.begin(), names.end(), "jobs/13"));
    std::sort(names.begin(), names.end());
    harness.ask<Granted>(leaseNameOfRoom("jobs-room"), campaignBy("alpha", 30s, 1));

    std::vector<std::string> found;
    ListLocks query{"jobs/", "", 300};
    for (int pages = 0; pages < 10; ++pages)
    {
        const Listing page = list(query);
        EXPECT_EQ(page.total, names.size());
        EXPECT_LE(page.locks.size(), 300U);
        for (const Status& lock : page.locks)
        {
            EXPECT_TRUE(lock.lease);
            found.push_back(lock.name);
        }
        if (!page.more)
            break;
        ASSERT_EQ(page.locks.size(), 300U);
        query.after = found.back();
    }
    EXPECT_EQ(found, names);
}

TEST_F(EngineReadTest, AListingOfEverythingHasNoRoomsAndNothingThatIsOver)
{
    hold("a", 1, 10s);
    hold("\xC3\xA9t\xC3\xA9");
    hold("z");
    harness.ask<Granted>(leaseNameOfRoom("room-0001"), campaignBy("alpha", 30s, 1));
    harness.step(10s); // "a" is over by rule
    const Listing listing = list({});
    std::vector<std::string> names;
    for (const Status& lock : listing.locks)
        names.push_back(lock.name);
    EXPECT_EQ(names, (std::vector<std::string>{"z", "\xC3\xA9t\xC3\xA9"}));
    EXPECT_EQ(listing.total, 2U);
    EXPECT_FALSE(listing.more);
}

TEST_F(EngineReadTest, ALastPageThatIsFullHasNoMore)
{
    hold("a");
    hold("b");
    EXPECT_FALSE(list({"", "", 2}).more);
    EXPECT_TRUE(list({"", "", 1}).more);
    EXPECT_TRUE(list({"", "b", 5}).locks.empty());
    EXPECT_EQ(list({"", "b", 5}).total, 2U);
}

TEST_F(EngineReadTest, CountsAreSumsOverTheStore)
{
    const Granted a = hold("a");
    hold("b", 2, 10s);
    harness.ask<Granted>("a", acquireBy(1, 90s, 2));
    const std::string room = leaseNameOfRoom("room-0001");
    const Granted led = harness.ask<Granted>(room, campaignBy("alpha", 30s, 1));
    harness.submit(room, campaignBy("beta", 30s, 2), 60s);
    harness.submit("a", acquireBy(3, 60s), 60s);

    Counts counts = harness.ask<Counts>("", GetCounts{});
    EXPECT_EQ(counts.locks, 2U);
    EXPECT_EQ(counts.rooms, 1U);
    EXPECT_EQ(counts.lockQueues.waiters, 1U);
    EXPECT_EQ(counts.roomQueues.waiters, 1U);
    EXPECT_EQ(counts.acquired, 4U);
    EXPECT_EQ(counts.released, 0U);
    EXPECT_EQ(counts.expired, 0U);
    EXPECT_EQ(counts.revision, harness.store().revision());

    harness.pass(10s);
    harness.ask<Ended>(room, Resign{led.token.value()});
    release("a", a);
    counts = harness.ask<Counts>("", GetCounts{});
    EXPECT_EQ(counts.locks, 1U);
    EXPECT_EQ(counts.rooms, 1U);
    EXPECT_EQ(counts.lockQueues.waiters, 0U);
    EXPECT_EQ(counts.roomQueues.waiters, 0U);
    EXPECT_EQ(counts.acquired, 6U);
    EXPECT_EQ(counts.released, 2U);
    EXPECT_EQ(counts.expired, 1U);
}

TEST_F(EngineReadTest, WhoJoinsAQueueIsCountedOnceByHowManyAreInFront)
{
    hold("a");
    for (const std::uint64_t who : {2, 3, 4})
        harness.submit("a", acquireBy(who, 60s, who), 5s);
    const std::string room = leaseNameOfRoom("room-0001");
    harness.ask<Granted>(room, campaignBy("alpha", 30s, 5));
    harness.submit(room, campaignBy("beta", 30s, 6), 5s);
    harness.submit("a", acquireBy(9, 60s, 7)); // does not want to wait
    harness.pass(5s);
    harness.submit("a", acquireBy(2, 60s, 8), 5s); // takes its place again

    const Counts counts = harness.ask<Counts>("", GetCounts{});
    const metrics::HistogramSample& locks = counts.lockQueues.joined;
    EXPECT_EQ(locks.bounds, metrics::queueBounds());
    EXPECT_EQ(std::vector<std::uint64_t>(locks.counts.begin(), locks.counts.begin() + 4),
              (std::vector<std::uint64_t>{1, 1, 1, 0}));
    EXPECT_EQ(locks.count(), 3U);
    EXPECT_EQ(locks.sum, 3.0);
    EXPECT_EQ(counts.roomQueues.joined.counts.front(), 1U);
    EXPECT_EQ(counts.roomQueues.joined.count(), 1U);
    EXPECT_EQ(counts.lockQueues.waiters, 1U) << "two have left, their places are kept";
}

TEST_F(EngineReadTest, AProbeCommitsAndIsGoodForASecond)
{
    harness.immediate = false;
    const Ticket first = harness.submit("", ProbeStore{});
    EXPECT_FALSE(harness.answered(first));
    ASSERT_EQ(harness.pending.size(), 1U);
    harness.commit();
    EXPECT_TRUE(is<StoreWorks>(harness.reply(first)));
    harness.pass(900ms);
    EXPECT_TRUE(is<StoreWorks>(harness.reply(harness.submit("", ProbeStore{}))));
    EXPECT_TRUE(harness.pending.empty());
    harness.pass(200ms);
    const Ticket later = harness.submit("", ProbeStore{});
    ASSERT_EQ(harness.pending.size(), 1U);
    harness.fail(ErrorCode::Unavailable);
    EXPECT_EQ(codeOf(harness.reply(later)), ErrorCode::Unavailable);
}

TEST_F(EngineReadTest, TheLastTermIsRememberedForADay)
{
    const Granted granted = hold("a");
    release("a", granted);
    harness.pass(rememberedFor - 1s);
    EXPECT_EQ(harness.status("a").lastTerm, granted.lease.term);
    harness.pass(2s);
    EXPECT_EQ(harness.status("a").lastTerm, Term(0));
    EXPECT_FALSE(harness.engine().stateOf("a").lease);
    EXPECT_FALSE(harness.store().lease("a")) << "the record is erased in the store too";
    EXPECT_GT(hold("a").lease.term, granted.lease.term);
}

TEST_F(EngineReadTest, ACoolingNameIsForgottenADayAfterItsEndToo)
{
    Acquire acquire = acquireBy(1, 60s);
    acquire.lockDelay = 30s;
    const Granted granted = harness.ask<Granted>("a", acquire);
    release("a", granted);
    harness.pass(rememberedFor - 1s);
    EXPECT_EQ(harness.status("a").lastTerm, granted.lease.term);
    harness.pass(32s);
    EXPECT_FALSE(harness.store().lease("a"));
}

TEST_F(EngineReadTest, AboveTheLimitTheOldestEndIsForgottenFirst)
{
    Limits limits = many();
    limits.remembered = 3;
    EngineHarness small(limits);
    std::vector<std::string> names = {"e", "d", "c", "b", "a"};
    for (const std::string& name : names)
    {
        const Granted granted = small.ask<Granted>(name, acquireBy(1, 60s));
        small.pass(1s);
        small.ask<Ended>(name, Release{credentialOf(granted.lease)});
    }
    small.pass(5s);
    EXPECT_EQ(small.status("e").lastTerm, Term(0));
    EXPECT_EQ(small.status("d").lastTerm, Term(0));
    for (const std::string name : {"c", "b", "a"})
        EXPECT_NE(small.status(name).lastTerm, Term(0)) << name;
}

TEST_F(EngineReadTest, ForgettingIsHousekeeping)
{
    release("a", hold("a"));
    harness.immediate = false;
    harness.pass(rememberedFor + 1s);
    ASSERT_EQ(harness.pending.size(), 1U);
    EXPECT_EQ(harness.pending[0].transaction.priority, Priority::Housekeeping);
    EXPECT_FALSE(harness.pending[0].transaction.event);
}

TEST_F(EngineReadTest, ARestartedEngineKnowsWhatTheStoreKnows)
{
    const Granted a = hold("a", 1, 60s);
    const Granted b = hold("b", 1, 10s);
    const Granted c = hold("c");
    release("c", c);
    Acquire delayed = acquireBy(1, 60s);
    delayed.lockDelay = 30s;
    release("d", harness.ask<Granted>("d", delayed));
    harness.step(20s);
    harness.restart();
    harness.advance();

    EXPECT_EQ(harness.status("a").lease->deadline, a.lease.deadline);
    EXPECT_EQ(harness.ask<Renewed>("a", Renew{credentialOf(a.lease), 60s}).lease.term,
              a.lease.term);
    EXPECT_FALSE(harness.status("b").lease);
    EXPECT_EQ(harness.events().back().what.type, event::Type::LockExpired)
        << "it ran out while the server was down";
    EXPECT_EQ(harness.events().back().what.previous->term, b.lease.term);
    const Refused repeat =
        as<Refused>(harness.reply(harness.submit("c", Release{credentialOf(c.lease)})));
    ASSERT_TRUE(repeat.ended);
    EXPECT_EQ(repeat.ended->term, c.lease.term);
    EXPECT_EQ(harness.ask<Delayed>("d", acquireBy(2, 60s)).availableAt, harness.now.boot + 10s);
    const Counts counts = harness.ask<Counts>("", GetCounts{});
    EXPECT_EQ(counts.locks, 1U);
    EXPECT_EQ(counts.revision, harness.store().revision());
    EXPECT_GT(hold("e").lease.term, Term(4));
}

TEST_F(EngineReadTest, RoomsWithoutALeaderAreCountedByHowTheyLostIt)
{
    const auto campaign = [&](const char* room, std::uint64_t nonce)
    { return harness.ask<Granted>(leaseNameOfRoom(room), campaignBy("alpha", 30s, nonce)); };
    const auto expectRooms = [&](std::size_t led, std::size_t resigned, std::size_t lost)
    {
        const Counts counts = harness.ask<Counts>("", GetCounts{});
        EXPECT_EQ(counts.rooms, led);
        EXPECT_EQ(counts.roomsResigned, resigned);
        EXPECT_EQ(counts.roomsLost, lost);
    };
    const Granted resigning = campaign("room-0001", 1);
    campaign("room-0002", 2);
    hold("a"); // a lock is no room, whatever becomes of it
    expectRooms(2, 0, 0);
    harness.ask<Ended>(leaseNameOfRoom("room-0001"), Resign{*resigning.token});
    expectRooms(1, 1, 0);
    harness.pass(61s);
    expectRooms(0, 1, 1);
    harness.restart();
    expectRooms(0, 1, 1);
    campaign("room-0002", 3);
    expectRooms(1, 1, 0);
    harness.pass(60s);
    expectRooms(0, 1, 1);
    harness.pass(24h);
    expectRooms(0, 0, 0);
}

TEST_F(EngineReadTest, ARestartedEngineCountsLimits)
{
    Limits limits;
    limits.leasesPerPrincipalMax = 1;
    limits.liveRoomsMax = 1;
    EngineHarness small(limits);
    small.ask<Granted>("a", acquireBy(1, 60s));
    small.ask<Granted>(leaseNameOfRoom("room-0001"), campaignBy("alpha", 30s, 1));
    small.restart();
    EXPECT_EQ(codeOf(small.reply(small.submit("b", acquireBy(1, 60s, 2)))),
              ErrorCode::LockLimitExceeded);
    EXPECT_EQ(codeOf(small.reply(
                  small.submit(leaseNameOfRoom("room-0002"), campaignBy("alpha", 30s, 2)))),
              ErrorCode::CapacityExceeded);
}

} // namespace octostore::coordination::test
