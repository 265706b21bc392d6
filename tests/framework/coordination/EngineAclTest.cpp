// SPDX-License-Identifier: MIT
/// @file
/// Access lists: who may acquire, from the first list to its end, and the limits beside them.
#include "SessionFixture.h"

namespace octostore::coordination::test
{

class EngineAclTest : public SessionFixture
{
protected:
    using Names = std::vector<std::string>;

    static Acquire asUser(std::uint64_t who, std::uint64_t fresh = 0)
    {
        Acquire acquire = acquireBy(who, 60s, fresh);
        acquire.callerNames = {"user:" + labelOf(who), "token:" + labelOf(who)};
        return acquire;
    }
    static Acquire asUserWith(std::uint64_t who, Names acl)
    {
        Acquire acquire = asUser(who);
        acquire.acl = std::move(acl);
        return acquire;
    }
    Reply ask(const std::string& lock, const Operation& operation)
    {
        return harness.reply(harness.submit(lock, operation));
    }
    /// The list the store has; empty: none.
    Names stored(const std::string& lock) const
    {
        const auto found = harness.store().records().find({backend::Collection::Acl, lock});
        if (found == harness.store().records().end())
            return {};
        return std::get<backend::AclRecord>(found->second.value).acquire;
    }
};

TEST_F(EngineAclTest, TheFirstListAndTheFirstLeaseAreCommittedTogether)
{
    harness.immediate = false;
    harness.submit(name, asUserWith(1, {"user:user1"}));
    ASSERT_EQ(harness.pending.size(), 1U);
    EXPECT_EQ(harness.pending[0].transaction.puts.size(), 2U);
    harness.fail(ErrorCode::Unavailable);
    EXPECT_FALSE(harness.status(name).acl);
    harness.immediate = true;
    EXPECT_TRUE(is<Granted>(ask(name, asUserWith(1, {"user:user1"}))));
    EXPECT_EQ(stored(name), Names{"user:user1"});
    ASSERT_TRUE(harness.status(name).acl);
}

TEST_F(EngineAclTest, WhoIsNotNamedIsRefusedButAnAdministratorIsNot)
{
    ask(name, asUserWith(1, {"token:user3", "user:user1"}));
    EXPECT_EQ(codeOf(ask(name, asUser(2))), ErrorCode::Forbidden);
    EXPECT_TRUE(is<Held>(ask(name, asUser(3)))) << "named by its token";
    Acquire admin = asUser(4);
    admin.admin = true;
    EXPECT_TRUE(is<Held>(ask(name, admin)));
}

TEST_F(EngineAclTest, AListMustNameWhoSendsItFirst)
{
    EXPECT_EQ(codeOf(ask(name, asUserWith(1, {"user:user2"}))), ErrorCode::Forbidden);
    EXPECT_TRUE(harness.store().records().empty());
}

TEST_F(EngineAclTest, AListStaysWithItsName)
{
    const Granted granted = as<Granted>(ask(name, asUserWith(1, {"user:user1"})));
    ask(name, Release{credentialOf(granted.lease)});
    harness.pass(48h); // the name itself is forgotten
    EXPECT_EQ(codeOf(ask(name, asUser(2))), ErrorCode::Forbidden);
    harness.restart();
    EXPECT_EQ(codeOf(ask(name, asUser(2))), ErrorCode::Forbidden);
    EXPECT_TRUE(is<Granted>(ask(name, asUser(1))));
}

TEST_F(EngineAclTest, AnotherListThanTheStoredOneIsAConflictBeforeAnythingElse)
{
    ask(name, asUserWith(1, {"user:user1"}));
    EXPECT_EQ(codeOf(ask(name, asUserWith(2, {"user:user2"}))), ErrorCode::Conflict);
    EXPECT_TRUE(is<Granted>(ask(name, asUserWith(1, {"user:user1"}))));
}

TEST_F(EngineAclTest, AReacquireMayBringTheFirstList)
{
    const Granted granted = as<Granted>(ask(name, asUser(1)));
    EXPECT_EQ(codeOf(ask(name, asUserWith(1, {"user:user2"}))), ErrorCode::Forbidden);
    const Granted again = as<Granted>(ask(name, asUserWith(1, {"user:user1"})));
    EXPECT_EQ(again.lease.term, granted.lease.term);
    EXPECT_EQ(stored(name), Names{"user:user1"});
}

TEST_F(EngineAclTest, TheHolderChangesTheListAndNobodyElse)
{
    EXPECT_EQ(codeOf(ask(name, changeAclBy(1, {"user:user1"}))), ErrorCode::NotFound);
    ask(name, asUser(1));
    EXPECT_EQ(codeOf(ask(name, changeAclBy(2, {"user:user2"}))), ErrorCode::Forbidden);
    EXPECT_TRUE(is<AclChanged>(ask(name, changeAclBy(1, {"user:user1"}))));
    EXPECT_EQ(lastEventOf(name).type, event::Type::AclChanged);
    EXPECT_TRUE(held(name)) << "the lease is what it was";
    harness.pass(60s);
    EXPECT_EQ(codeOf(ask(name, changeAclBy(1, {"user:user2"}))), ErrorCode::NotFound);
}

TEST_F(EngineAclTest, AnAdministratorChangesTheListOfAnyName)
{
    ChangeAcl change = changeAclBy(9, {"user:user1"});
    change.admin = true;
    EXPECT_TRUE(is<AclChanged>(ask(name, change)));
    EXPECT_EQ(codeOf(ask(name, asUser(2))), ErrorCode::Forbidden);
    change.acl.reset();
    EXPECT_TRUE(is<AclChanged>(ask(name, change)));
    EXPECT_EQ(codeOf(ask(name, change)), ErrorCode::NotFound) << "there is none any more";
    EXPECT_TRUE(is<Granted>(ask(name, asUser(2))));
}

TEST_F(EngineAclTest, TheHolderOfASessionsLockMayChangeTheListWhileTheSessionLives)
{
    open(1, 1, 30s);
    hold(name, acquireIn(1, 1, 60s));
    EXPECT_TRUE(is<AclChanged>(ask(name, changeAclBy(1, {"user:user1"}))));
    harness.immediate = false;
    harness.mayConflict = true;
    const Ticket change = harness.submit(name, changeAclBy(1, {"user:user2"}));
    close(1, 1);
    harness.commit(inFlightOf(1));
    harness.commit(inFlight(backend::Collection::Acl, name));
    EXPECT_EQ(codeOf(harness.reply(change)), ErrorCode::Forbidden);
    EXPECT_EQ(stored(name), Names{"user:user1"});
}

TEST_F(EngineAclTest, WhoWasRemovedCannotSlipInWhileTheChangeIsInFlight)
{
    const Granted granted = as<Granted>(ask(name, asUserWith(1, {"user:user1", "user:user2"})));
    harness.immediate = false;
    ChangeAcl change = changeAclBy(9, {"user:user1"});
    change.admin = true;
    harness.submit(name, change);
    const Ticket release = harness.submit(name, Release{credentialOf(granted.lease)});
    const Ticket removed = harness.submit(name, asUser(2));
    EXPECT_FALSE(harness.answered(removed)) << "it is decided behind the change";
    harness.immediate = true;
    harness.advance();
    EXPECT_TRUE(is<Ended>(harness.reply(release)));
    EXPECT_EQ(codeOf(harness.reply(removed)), ErrorCode::Forbidden);
}

TEST_F(EngineAclTest, AnAcquireInFlightIsCommittedBeforeAChangeIsDecided)
{
    harness.immediate = false;
    const Ticket acquire = harness.submit(name, asUser(2));
    ChangeAcl change = changeAclBy(9, {"user:user1"});
    change.admin = true;
    const Ticket changed = harness.submit(name, change);
    EXPECT_EQ(harness.pending.size(), 1U);
    harness.immediate = true;
    harness.advance();
    EXPECT_TRUE(is<Granted>(harness.reply(acquire)));
    EXPECT_TRUE(is<AclChanged>(harness.reply(changed)));
    EXPECT_EQ(codeOf(ask(name, asUser(2, 1))), ErrorCode::Forbidden) << "but not again";
}

TEST_F(EngineAclTest, AWaiterThatWasRemovedIsRefusedAndTheNextIsServed)
{
    ChangeAcl change = changeAclBy(9, {"user:user1", "user:user2", "user:user3"});
    change.admin = true;
    ask(name, change);
    const Granted granted = as<Granted>(ask(name, asUser(1)));
    const Ticket removed = harness.submit(name, asUser(2), 100s);
    const Ticket next = harness.submit(name, asUser(3), 100s);
    change.acl = Names{"user:user1", "user:user3"};
    ask(name, change);
    ask(name, Release{credentialOf(granted.lease)});
    EXPECT_EQ(codeOf(harness.reply(removed)), ErrorCode::Forbidden);
    EXPECT_TRUE(harness.get<Granted>(next).fresh);
}

TEST_F(EngineAclTest, GrantsInFlightCountAgainstTheLimitOfTheAccount)
{
    harness.immediate = false;
    for (int i = 0; i < 100; ++i)
        harness.submit("lock" + std::to_string(i), asUser(1, i));
    EXPECT_EQ(codeOf(ask("one-more", asUser(1, 100))), ErrorCode::LockLimitExceeded);
    harness.fail(ErrorCode::Unavailable);
    harness.immediate = true;
    harness.advance();
    EXPECT_TRUE(is<Granted>(ask("one-more", asUser(1, 101)))) << "a failed grant counts no more";
    EXPECT_EQ(codeOf(ask("two-more", asUser(1, 102))), ErrorCode::LockLimitExceeded);
}

TEST_F(EngineAclTest, LocksOfSessionsCountForTheirAccount)
{
    open(1, 1, 30s);
    for (int i = 0; i < 100; ++i)
        hold("lock" + std::to_string(i), acquireIn(1, 1, 60s, i));
    EXPECT_EQ(codeOf(ask("one-more", asUser(1))), ErrorCode::LockLimitExceeded);
    harness.pass(30s);
    EXPECT_TRUE(is<Granted>(ask("one-more", asUser(1))));
}

TEST_F(EngineAclTest, OpeningsInFlightCountAgainstTheLimitOfSessions)
{
    Limits limits;
    limits.sessionsPerPrincipalMax = 2;
    EngineHarness small(limits);
    small.immediate = false;
    small.submit("", SessionCommand(openBy(1, 1, 30s)));
    small.submit("", SessionCommand(openBy(1, 2, 30s)));
    const auto third = [&] { return small.submit("", SessionCommand(openBy(1, 3, 30s))); };
    EXPECT_EQ(codeOf(small.reply(third())), ErrorCode::CapacityExceeded);
    small.fail(ErrorCode::Unavailable);
    small.immediate = true;
    small.advance();
    EXPECT_TRUE(is<SessionView>(small.reply(third())));
    EXPECT_EQ(codeOf(small.reply(third())), ErrorCode::CapacityExceeded);
    small.pass(30s);
    small.submit("", SessionCommand(openBy(1, 4, 30s)));
    EXPECT_EQ(small.ask<Counts>("", Query(GetCounts{})).sessions, 1U);
}

} // namespace octostore::coordination::test
