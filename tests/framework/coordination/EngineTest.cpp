// SPDX-License-Identifier: MIT
/// @file
/// The engine between its callers and the store: busy names, failed commits, deadlines.
#include "EngineHarness.h"

#include <octostore/coordination/Name.h>

namespace octostore::coordination::test
{

class EngineTest : public ::testing::Test
{
protected:
    Granted hold(const std::string& lock, std::uint64_t who, Milliseconds ttl)
    {
        return harness.ask<Granted>(lock, acquireBy(who, ttl));
    }

    /// The only transaction in flight.
    const backend::Transaction& only()
    {
        EXPECT_EQ(harness.pending.size(), 1U);
        static const backend::Transaction none;
        return harness.pending.empty() ? none : harness.pending.front().transaction;
    }

    EngineHarness harness;
    const std::string name = "jobs/nightly";
};

TEST_F(EngineTest, NothingIsAnsweredOrChangedBeforeTheCommit)
{
    harness.immediate = false;
    const Ticket acquire = harness.submit(name, acquireBy(1, 60s));
    EXPECT_FALSE(harness.answered(acquire));
    EXPECT_FALSE(harness.status(name).lease);
    EXPECT_TRUE(harness.events().empty());
    EXPECT_EQ(harness.engine().inFlight(), 1U);

    harness.commit();
    EXPECT_EQ(harness.get<Granted>(acquire).lease.term, Term(1));
    EXPECT_TRUE(harness.status(name).lease);
    ASSERT_EQ(harness.events().size(), 1U);
    EXPECT_EQ(harness.events()[0].sequence, Sequence(1));
    EXPECT_EQ(harness.events()[0].what.current->term, Term(1));
    EXPECT_EQ(harness.engine().inFlight(), 0U);
}

TEST_F(EngineTest, TheDeadlineIsThatOfTheDecisionNotOfTheCommit)
{
    harness.immediate = false;
    const BootTime decided = harness.now.boot;
    const Ticket acquire = harness.submit(name, acquireBy(1, 60s));
    harness.pass(7s);
    harness.commit();
    EXPECT_EQ(harness.get<Granted>(acquire).lease.deadline, decided + 60s);
    EXPECT_EQ(harness.engine().stateOf(name).lease->deadline.boot, decided + 60s);
}

TEST_F(EngineTest, MutationsOfABusyNameWaitForItsCommitAndReadsDoNot)
{
    harness.immediate = false;
    const Ticket first = harness.submit(name, acquireBy(1, 60s));
    const Ticket second = harness.submit(name, acquireBy(2, 60s));
    const Ticket third = harness.submit(name, acquireBy(1, 60s, 2));
    EXPECT_EQ(harness.pending.size(), 1U);
    EXPECT_FALSE(harness.status(name).lease);
    EXPECT_FALSE(harness.ask<Fence>(name, CheckFence{Term(1)}).current);

    const Ticket other = harness.submit("other", acquireBy(3, 60s));
    EXPECT_EQ(harness.pending.size(), 2U) << "other names are not busy";

    harness.immediate = true;
    harness.commitAll();
    harness.commitAll();
    EXPECT_TRUE(harness.get<Granted>(first).fresh);
    EXPECT_EQ(harness.get<Held>(second).lease.label, "user1");
    EXPECT_EQ(harness.get<Granted>(third).lease.term, harness.get<Granted>(first).lease.term);
    EXPECT_TRUE(harness.get<Granted>(other).fresh);
}

TEST_F(EngineTest, AFailedCommitLeavesTheOldStateAndIsRefused)
{
    harness.immediate = false;
    const Ticket lost = harness.submit(name, acquireBy(1, 60s));
    const Ticket next = harness.submit(name, acquireBy(2, 60s));
    harness.fail(ErrorCode::Unavailable);
    EXPECT_EQ(codeOf(harness.reply(lost)), ErrorCode::Unavailable);
    EXPECT_FALSE(harness.engine().stateOf(name).lease);
    ASSERT_EQ(harness.pending.size(), 1U) << "the next one is decided on the old state";
    harness.commit();
    const Granted granted = harness.get<Granted>(next);
    EXPECT_TRUE(granted.fresh);
    EXPECT_TRUE(harness.events().size() == 1);

    const Ticket release = harness.submit(name, Release{credentialOf(granted.lease)});
    harness.fail(ErrorCode::Unavailable);
    EXPECT_EQ(codeOf(harness.reply(release)), ErrorCode::Unavailable);
    EXPECT_EQ(harness.status(name).lease->term, granted.lease.term);

    const Ticket again = harness.submit(name, Release{credentialOf(granted.lease)});
    harness.commit();
    EXPECT_EQ(harness.get<Ended>(again).term, granted.lease.term);
}

TEST_F(EngineTest, AnUnknownOutcomeIsNotCalledUnavailable)
{
    harness.immediate = false;
    const Ticket acquire = harness.submit(name, acquireBy(1, 60s));
    harness.fail(ErrorCode::OutcomeUnknown);
    EXPECT_EQ(codeOf(harness.reply(acquire)), ErrorCode::OutcomeUnknown);
}

TEST_F(EngineTest, AGrantInFlightCountsAgainstTheLimit)
{
    Limits limits;
    limits.leasesPerPrincipalMax = 1;
    EngineHarness small(limits);
    small.immediate = false;
    const Ticket first = small.submit("a", acquireBy(1, 60s));
    const Ticket second = small.submit("b", acquireBy(1, 60s, 2));
    EXPECT_EQ(codeOf(small.reply(second)), ErrorCode::LockLimitExceeded);
    small.fail(ErrorCode::Unavailable);
    EXPECT_EQ(codeOf(small.reply(first)), ErrorCode::Unavailable);
    small.submit("b", acquireBy(1, 60s, 3));
    EXPECT_EQ(small.pending.size(), 1U) << "what failed counts no more";
}

TEST_F(EngineTest, TheLimitCountsSessionsOfTheAccountAndForgetsWhatEnded)
{
    Limits limits;
    limits.leasesPerPrincipalMax = 2;
    EngineHarness small(limits);
    Acquire bySession = acquireBy(1, 60s);
    bySession.holder = idOf<HolderId>(500);
    const Granted first = small.ask<Granted>("a", bySession);
    small.ask<Granted>("b", acquireBy(1, 10s));
    EXPECT_EQ(codeOf(small.reply(small.submit("c", acquireBy(1, 60s)))),
              ErrorCode::LockLimitExceeded);
    small.ask<Granted>("c", acquireBy(2, 60s));
    small.pass(10s);
    small.ask<Granted>("d", acquireBy(1, 60s));
    small.ask<Ended>("a", Release{{idOf<HolderId>(1), first.lease.lease}});
    small.ask<Granted>("e", acquireBy(1, 60s));
    EXPECT_EQ(codeOf(small.reply(small.submit("f", acquireBy(1, 60s)))),
              ErrorCode::LockLimitExceeded);
}

TEST_F(EngineTest, RoomsHaveACapacityOfTheirOwn)
{
    Limits limits;
    limits.liveRoomsMax = 1;
    EngineHarness small(limits);
    const std::string first = leaseNameOfRoom("room-0001"), second = leaseNameOfRoom("room-0002");
    const Granted led = small.ask<Granted>(first, campaignBy("alpha", 30s, 1));
    const Ticket refused = small.submit(second, campaignBy("alpha", 30s, 2), 10s);
    EXPECT_EQ(codeOf(small.reply(refused)), ErrorCode::CapacityExceeded);
    EXPECT_TRUE(is<Held>(small.reply(small.submit(first, campaignBy("beta", 30s, 3)))));
    small.ask<Ended>(first, Resign{led.token.value()});
    small.ask<Granted>(second, campaignBy("alpha", 30s, 4));
}

TEST_F(EngineTest, TransactionsHaveTheClassOfWhatTheyDo)
{
    harness.immediate = false;
    const Ticket acquire = harness.submit(name, acquireBy(1, 10s));
    EXPECT_EQ(only().priority, Priority::Acquire);
    harness.commit();
    const LockCredential credential = credentialOf(harness.get<Granted>(acquire).lease);

    harness.submit(name, Renew{credential, 10s});
    EXPECT_EQ(only().priority, Priority::Keep);
    harness.commit();
    harness.submit(name, Release{credential});
    EXPECT_EQ(only().priority, Priority::Keep);
    harness.commit();

    const std::string room = leaseNameOfRoom("room-0001");
    const Ticket campaign = harness.submit(room, campaignBy("alpha", 10s, 1));
    EXPECT_EQ(only().priority, Priority::Acquire);
    harness.commit();
    harness.submit(room, Resign{harness.get<Granted>(campaign).token.value()});
    EXPECT_EQ(only().priority, Priority::Keep);
    harness.commit();
}

TEST_F(EngineTest, AnExpiryIsUrgentOnlyWhenSomebodyWaitsForIt)
{
    hold(name, 1, 10s);
    hold("awaited", 1, 10s);
    harness.submit("awaited", acquireBy(2, 10s), 60s);
    harness.immediate = false;
    harness.pass(10s);
    ASSERT_EQ(harness.pending.size(), 2U);
    for (const auto& [transaction, decided] : harness.pending)
        EXPECT_EQ(transaction.priority, transaction.puts.at(0).key.name == name
                                            ? Priority::Housekeeping
                                            : Priority::HandOver);
}

TEST_F(EngineTest, TheNextDeadlineIsTheFirstThatHasToBeActedUpon)
{
    EXPECT_FALSE(harness.engine().nextDeadline());
    const Granted granted = hold(name, 1, 60s);
    EXPECT_EQ(harness.engine().nextDeadline(), granted.lease.deadline);
    const Granted sooner = hold("other", 1, 20s);
    EXPECT_EQ(harness.engine().nextDeadline(), sooner.lease.deadline);
    harness.submit(name, acquireBy(2, 60s), 7s);
    EXPECT_EQ(harness.engine().nextDeadline(), harness.now.boot + 7s);
    harness.step(7s);
    harness.advance();
    harness.step(5s); // the end of the kept place
    harness.advance();
    const Renewed renewed = harness.ask<Renewed>("other", Renew{credentialOf(sooner.lease), 1s});
    EXPECT_EQ(harness.engine().nextDeadline(), renewed.lease.deadline);
}

TEST_F(EngineTest, ARenewalMovesTheNextDeadlineAtTheLatestWhenTheOldOneIsReached)
{
    const Granted granted = hold(name, 1, 20s);
    const BootTime deadline =
        harness.ask<Renewed>(name, Renew{credentialOf(granted.lease), 90s}).lease.deadline;
    EXPECT_LE(harness.engine().nextDeadline(), deadline) << "never too late";
    harness.step(20s);
    EXPECT_FALSE(harness.engine().advance(harness.now, 256));
    EXPECT_EQ(harness.engine().nextDeadline(), deadline);
    EXPECT_TRUE(harness.engine().take().commits.empty());
}

TEST_F(EngineTest, AnAcquireThatWaitedForASecondToBeLookedAtIsNotBegun)
{
    Request request;
    request.name = name;
    request.operation = Command(acquireBy(1, 60s));
    request.arrived = harness.now.boot - 1s - 1ms;
    EXPECT_EQ(codeOf(harness.reply(harness.submit(request))), ErrorCode::Overloaded);
    request.arrived = harness.now.boot - 1s + 1ms;
    const Granted granted = harness.get<Granted>(harness.submit(request));
    request.operation = Command(Release{credentialOf(granted.lease)});
    request.arrived = harness.now.boot - 5s;
    EXPECT_TRUE(is<Ended>(harness.reply(harness.submit(request))));
}

TEST_F(EngineTest, ALeaseEndsOnceAtItsDeadline)
{
    const Granted granted = hold(name, 1, 60s);
    harness.pass(60s - 1ns);
    EXPECT_TRUE(harness.status(name).lease);
    EXPECT_EQ(harness.events().size(), 1U);
    harness.pass(1ns);
    EXPECT_FALSE(harness.status(name).lease);
    harness.pass(60s);
    ASSERT_EQ(harness.events().size(), 2U);
    EXPECT_EQ(harness.events()[1].what.type, event::Type::LockExpired);
    EXPECT_EQ(harness.events()[1].what.previous->term, granted.lease.term);
}

TEST_F(EngineTest, AnExpiryWaitsForTheRenewThatIsInFlight)
{
    const Granted granted = hold(name, 1, 10s);
    harness.immediate = false;
    harness.pass(10s - 1ms);
    const Ticket renew = harness.submit(name, Renew{credentialOf(granted.lease), 10s});
    harness.pass(5ms);
    EXPECT_EQ(harness.pending.size(), 1U) << "only the renew";
    harness.commit();
    EXPECT_EQ(harness.get<Renewed>(renew).lease.deadline, granted.lease.deadline + 10s - 1ms);
    harness.pass(9s);
    EXPECT_TRUE(harness.pending.empty());
    EXPECT_TRUE(harness.status(name).lease);
}

TEST_F(EngineTest, ARenewThatCannotBeCommittedByTheDeadlineExpiresTheLease)
{
    const Granted granted = hold(name, 1, 10s);
    harness.immediate = false;
    harness.pass(10s - 1ms);
    const Ticket renew = harness.submit(name, Renew{credentialOf(granted.lease), 10s});
    harness.pass(5ms);
    harness.fail(ErrorCode::Unavailable);
    EXPECT_EQ(codeOf(harness.reply(renew)), ErrorCode::Unavailable);
    EXPECT_FALSE(harness.status(name).lease) << "over by rule, whatever can be recorded";
    harness.pass(1s); // after a failure the store is given a moment
    ASSERT_EQ(harness.pending.size(), 1U);
    EXPECT_EQ(only().event->facts, std::vector<event::Type>{event::Type::LockExpired});
    harness.commit();
    EXPECT_EQ(harness.engine().stateOf(name).lease->state, backend::LeaseState::Vacant);
}

TEST_F(EngineTest, AGrantWhoseDeadlinePassedBeforeItsCommitIsNoAuthority)
{
    harness.immediate = false;
    const Ticket acquire = harness.submit(name, acquireBy(1, 1s));
    harness.pass(1s);
    harness.commit();
    EXPECT_EQ(codeOf(harness.reply(acquire)), ErrorCode::OutcomeUnknown);
    harness.immediate = true;
    harness.advance();
    EXPECT_FALSE(harness.status(name).lease);
    EXPECT_EQ(harness.engine().stateOf(name).lease->state, backend::LeaseState::Vacant);
    EXPECT_EQ(harness.events().size(), 2U) << "it was acquired, and it expired";
}

TEST_F(EngineTest, ARenewWhoseNewDeadlinePassedBeforeItsCommitIsNoAuthority)
{
    const Granted granted = hold(name, 1, 60s);
    harness.immediate = false;
    const Ticket renew = harness.submit(name, Renew{credentialOf(granted.lease), 1s});
    harness.pass(2s);
    harness.commit();
    EXPECT_EQ(codeOf(harness.reply(renew)), ErrorCode::OutcomeUnknown);
    harness.immediate = true;
    harness.advance();
    EXPECT_FALSE(harness.status(name).lease);
}

TEST_F(EngineTest, AdvanceEndsAtMostSoManyNamesAtATime)
{
    for (int i = 0; i < 10; ++i)
        hold("lock" + std::to_string(i), 1, 10s);
    harness.immediate = false;
    harness.step(10s);
    EXPECT_TRUE(harness.engine().advance(harness.now, 4));
    const Output first = harness.engine().take();
    EXPECT_LE(first.commits.size(), 4U);
    EXPECT_GE(first.commits.size(), 1U);
    std::size_t ended = first.commits.size();
    for (int turns = 0; turns < 20; ++turns)
    {
        const bool more = harness.engine().advance(harness.now, 4);
        ended += harness.engine().take().commits.size();
        if (!more)
            break;
    }
    EXPECT_EQ(ended, 10U);
}

TEST_F(EngineTest, AnExpiryThatFailsIsTriedAgain)
{
    hold(name, 1, 10s);
    harness.immediate = false;
    harness.pass(10s);
    harness.fail(ErrorCode::Unavailable);
    EXPECT_FALSE(harness.status(name).lease) << "it is over by rule";
    harness.immediate = true;
    harness.pass(10s);
    EXPECT_EQ(harness.engine().stateOf(name).lease->state, backend::LeaseState::Vacant);
    EXPECT_EQ(harness.events().size(), 2U);
}

TEST_F(EngineTest, AnAbandonedAcquireIsGivenBackOnceItIsCommitted)
{
    harness.immediate = false;
    Acquire acquire = acquireBy(1, 60s);
    acquire.lockDelay = 10s;
    const Ticket ticket = harness.submit(name, acquire);
    harness.abandon(ticket);
    harness.immediate = true;
    harness.commit();
    EXPECT_FALSE(harness.answered(ticket));
    EXPECT_FALSE(harness.status(name).lease);
    EXPECT_FALSE(harness.status(name).availableAt) << "a give-back starts no delay";
    ASSERT_EQ(harness.events().size(), 2U);
    EXPECT_EQ(harness.events()[1].what.cause, event::Cause::Undelivered);
}

TEST_F(EngineTest, AnAbandonedReacquireOrRenewEndsNothing)
{
    const Granted granted = hold(name, 1, 60s);
    harness.immediate = false;
    const Ticket again = harness.submit(name, acquireBy(1, 90s, 2));
    harness.abandon(again);
    harness.immediate = true;
    harness.advance();
    harness.immediate = false;
    const Ticket renew = harness.submit(name, Renew{credentialOf(granted.lease), 90s});
    harness.abandon(renew);
    harness.immediate = true;
    harness.advance();
    EXPECT_EQ(harness.status(name).lease->term, granted.lease.term);
}

TEST_F(EngineTest, AReceiptGivesBackTheGrantItNames)
{
    const Granted granted = hold(name, 1, 60s);
    harness.submit(name, EndOfLease{event::Cause::Undelivered, granted.receipt});
    EXPECT_FALSE(harness.status(name).lease);
    const Granted second = harness.ask<Granted>(name, acquireBy(2, 60s));
    harness.submit(name, EndOfLease{event::Cause::Undelivered, granted.receipt});
    EXPECT_EQ(harness.status(name).lease->term, second.lease.term);
}

TEST_F(EngineTest, AReceiptIsVoidOnceTheLeaseWasAnsweredForAgain)
{
    const Granted granted = hold(name, 1, 60s);
    const Granted again = harness.ask<Granted>(name, acquireBy(1, 10s, 2));
    EXPECT_EQ(again.lease.deadline, granted.lease.deadline) << "nothing had to be written";
    harness.submit(name, EndOfLease{event::Cause::Undelivered, granted.receipt});
    EXPECT_TRUE(harness.status(name).lease);
}

} // namespace octostore::coordination::test
