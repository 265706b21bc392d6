// SPDX-License-Identifier: MIT
/// @file
/// Waiters of several servers of one store: first come, first served on each server, and the
/// servers take turns.
#include "SharedServers.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace octostore::coordination::test
{

class EngineTurnsTest : public ::testing::Test
{
protected:
    Ticket wait(std::size_t server, std::uint64_t who, Milliseconds lockDelay = 0ms)
    {
        Acquire acquire = acquireBy(who, 60s);
        acquire.lockDelay = lockDelay;
        return servers.submit(server, name, Command(acquire), 50s);
    }
    Granted hold(std::size_t server, std::uint64_t who, Milliseconds lockDelay = 0ms)
    {
        return servers.get<Granted>(wait(server, who, lockDelay));
    }
    void release(std::size_t server, const LeaseView& lease)
    {
        (void)servers.ask<Ended>(server, name, Command(Release{credentialOf(lease)}));
    }
    /// Whoever holds it releases it, again and again: who follows whom.
    std::vector<std::uint64_t> orderOf(Granted first,
                                       const std::map<std::uint64_t, Ticket>& waiters)
    {
        std::vector<std::uint64_t> order;
        LeaseView lease = first.lease;
        while (order.size() < waiters.size())
        {
            release(0, lease);
            std::optional<std::uint64_t> next;
            for (const auto& [who, ticket] : waiters)
                if (servers.answered(ticket) &&
                    std::find(order.begin(), order.end(), who) == order.end())
                    next = who;
            if (!next)
                return order;
            order.push_back(*next);
            lease = servers.get<Granted>(waiters.at(*next)).lease;
        }
        return order;
    }
    bool someServerIsListed() const
    {
        return !std::holds_alternative<std::monostate>(
            servers.stored({backend::Collection::Meta, "waiting/" + name}));
    }

    const std::string name = "deploy";
    SharedServers servers{3};
};

TEST_F(EngineTurnsTest, ServersTakeTurnsAndEachServesItsWaitersInOrder)
{
    const Granted first = hold(0, 1);
    std::map<std::uint64_t, Ticket> waiters;
    for (const std::uint64_t who : {11, 12, 13})
        waiters[who] = wait(0, who);
    for (const std::uint64_t who : {21, 22})
        waiters[who] = wait(1, who);
    waiters[31] = wait(2, 31);
    EXPECT_EQ(orderOf(first, waiters), (std::vector<std::uint64_t>{11, 21, 31, 12, 22, 13}));
    EXPECT_FALSE(someServerIsListed()) << "nobody waits any more";
}

TEST_F(EngineTurnsTest, AServerThatIsGoneMissesItsTurnWithinAQuarterOfASecond)
{
    const Granted first = hold(0, 1);
    wait(1, 21);
    const Ticket waiter = wait(0, 11);
    servers.crash(1);
    release(0, first.lease);
    servers.pass(249ms);
    EXPECT_FALSE(servers.answered(waiter)) << "it was the turn of the other server";
    servers.pass(1ms);
    EXPECT_TRUE(servers.get<Granted>(waiter).fresh);
}

TEST_F(EngineTurnsTest, WhoMissedItsTurnGetsTheNextOne)
{
    const Granted first = hold(0, 1);
    const Ticket slow = wait(1, 21);
    const Ticket waiter = wait(0, 11);
    servers.setDeaf(1, true);
    release(0, first.lease);
    servers.pass(250ms);
    const Granted second = servers.get<Granted>(waiter);
    servers.setDeaf(1, false);
    const Ticket later = wait(0, 12);
    release(0, second.lease);
    EXPECT_TRUE(servers.get<Granted>(slow).fresh);
    EXPECT_FALSE(servers.answered(later));
}

TEST_F(EngineTurnsTest, ANewcomerDoesNotGetWhatSomebodyWaitsForElsewhere)
{
    const Granted first = hold(0, 1);
    const Ticket waiter = wait(1, 21);
    servers.setDeaf(1, true);
    release(0, first.lease);
    const Ticket newcomer = servers.submit(0, name, Command(acquireBy(2, 60s)));
    EXPECT_EQ(codeOf(servers.reply(newcomer)), ErrorCode::Unavailable);
    servers.setDeaf(1, false);
    EXPECT_TRUE(servers.get<Granted>(waiter).fresh);
}

TEST_F(EngineTurnsTest, ANewcomerThatHasNotHeardOfAWaiterIsNotGrantedToEither)
{
    const Granted first = hold(0, 1);
    servers.setDeaf(0, true); // it hears nothing of the waiter, nor of the end of the lease
    const Ticket waiter = wait(1, 21);
    servers.setDeaf(1, true);
    (void)servers.ask<Ended>(2, name, Command(Release{credentialOf(first.lease)}));
    const Ticket newcomer = servers.submit(0, name, Command(acquireBy(2, 60s)));
    EXPECT_EQ(codeOf(servers.reply(newcomer)), ErrorCode::Unavailable);
    EXPECT_FALSE(servers.answered(waiter));
}

TEST_F(EngineTurnsTest, AfterALockDelayTheServerWhoseTurnItIsHasItAtOnce)
{
    const Granted first = hold(0, 1, 3s);
    const Ticket other = wait(1, 21);
    wait(0, 11);
    release(0, first.lease);
    servers.pass(3s - 1ms);
    EXPECT_FALSE(servers.answered(other));
    servers.pass(1ms);
    EXPECT_TRUE(servers.get<Granted>(other).fresh);
}

TEST_F(EngineTurnsTest, ALeaseThatRunsOutGoesToTheServerWhoseTurnItIs)
{
    (void)hold(0, 1); // for 60 s
    servers.pass(30s);
    const Ticket other = wait(1, 21);
    const Ticket own = wait(0, 11);
    servers.pass(30s);
    EXPECT_TRUE(servers.get<Granted>(other).fresh);
    EXPECT_FALSE(servers.answered(own));
}

TEST_F(EngineTurnsTest, AServerWhoseWaitersHaveLeftLetsTheNextOneHaveIt)
{
    const Granted first = hold(0, 1);
    const Ticket gone = wait(1, 21);
    const Ticket waiter = wait(2, 31);
    servers.abandon(1, gone);
    release(0, first.lease);
    EXPECT_TRUE(servers.get<Granted>(waiter).fresh) << "without any time passing";
}

TEST_F(EngineTurnsTest, NothingIsLeftOfAServerThatWaitedAndIsGone)
{
    const Granted first = hold(0, 1);
    wait(1, 21);
    servers.crash(1);
    release(0, first.lease);
    EXPECT_TRUE(someServerIsListed());
    servers.pass(250ms);
    EXPECT_FALSE(someServerIsListed());
    EXPECT_TRUE(servers.ask<Granted>(2, name, Command(acquireBy(3, 60s))).fresh);
}

TEST_F(EngineTurnsTest, AnUnknownOutcomeOfPuttingItselfInCostsNobodyItsTurn)
{
    using Fate = SharedServers::Fate;
    for (const Fate fate : {Fate::AnswerLost, Fate::RequestLost, Fate::Late})
    {
        const Granted first = hold(0, 1);
        servers.befall(1, fate);
        const Ticket other = wait(1, 21);
        const Ticket own = wait(0, 11);
        servers.lateCommit();
        std::vector<std::uint64_t> order = orderOf(first, {{11, own}, {21, other}});
        EXPECT_EQ(order.size(), 2U);
        const auto last = servers.get<Granted>(order.back() == 11 ? own : other);
        release(2, last.lease);
        EXPECT_FALSE(someServerIsListed());
    }
}

} // namespace octostore::coordination::test
