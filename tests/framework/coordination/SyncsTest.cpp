// SPDX-License-Identifier: MIT
#include "coordination/Syncs.h"

#include <gtest/gtest.h>

namespace octostore::test
{

using backend::ReadId;
using coordination::Name;
using coordination::Pending;
using coordination::Session;
using coordination::Syncs;
using coordination::Ticket;

class SyncsTest : public ::testing::Test
{
protected:
    Pending pendingOf(std::uint64_t ticket, std::uint64_t sync)
    {
        return {Ticket(ticket), {}, 0, false, sync};
    }

    coordination::NameTable names;
    Syncs syncs;
};

TEST_F(SyncsTest, OneRunsAtATimeAndWhoeverComesMeanwhileNeedsTheNext)
{
    EXPECT_EQ(syncs.next(), 1U);
    EXPECT_EQ(syncs.begin(), ReadId(1));
    EXPECT_EQ(syncs.next(), 2U);
    EXPECT_EQ(syncs.begin(), std::nullopt);
    syncs.ended(ReadId(1), true);
    EXPECT_EQ(syncs.begin(), ReadId(2));
}

TEST_F(SyncsTest, OnlyASyncThatCaughtUpMakesAnythingKnown)
{
    EXPECT_TRUE(syncs.covers(0));
    syncs.begin();
    syncs.ended(ReadId(1), false);
    EXPECT_FALSE(syncs.covers(1));
    syncs.begin();
    EXPECT_FALSE(syncs.covers(2)) << "it still runs";
    syncs.ended(ReadId(2), true);
    EXPECT_TRUE(syncs.covers(1));
    EXPECT_TRUE(syncs.covers(2));
    EXPECT_FALSE(syncs.covers(3));
}

TEST_F(SyncsTest, ANameIsHeldForTheLatestSyncItWasHeldFor)
{
    Name& name = names.get("a");
    syncs.hold(name, 3);
    syncs.hold(name, 2);
    EXPECT_TRUE(name.busy());
    EXPECT_TRUE(syncs.wanted());
    EXPECT_TRUE(syncs.namesHeldFor(2).empty());
    EXPECT_EQ(syncs.namesHeldFor(3), std::vector<Name*>{&name});
    syncs.release(name);
    EXPECT_FALSE(name.busy());
    EXPECT_FALSE(syncs.wanted());
}

TEST_F(SyncsTest, ASessionIsHeldUntilItIsReleased)
{
    Session session;
    session.state.id.uuid.bytes[0] = 7;
    syncs.hold(session, 1);
    EXPECT_FALSE(session.idle()) << "or it might be forgotten";
    EXPECT_EQ(syncs.sessionsHeldFor(1), std::vector<SessionId>{session.state.id});
    syncs.release(session);
    EXPECT_TRUE(session.idle());
    EXPECT_FALSE(syncs.wanted());
}

TEST_F(SyncsTest, HeldNamesComeInTheOrderOfTheirKeysWhateverTheirAddresses)
{
    Name& second = names.get("b");
    Name& first = names.get("a");
    syncs.hold(second, 1);
    syncs.hold(first, 1);
    EXPECT_EQ(syncs.namesHeldFor(1), (std::vector<Name*>{&first, &second}));
}

TEST_F(SyncsTest, WhatIsDeferredComesBackInOrderOfArrival)
{
    syncs.defer(pendingOf(1, 2));
    syncs.defer(pendingOf(2, 1));
    EXPECT_TRUE(syncs.wanted());
    const auto taken = syncs.takeDeferred();
    ASSERT_EQ(taken.size(), 2U);
    EXPECT_EQ(taken[0].ticket, Ticket(1));
    EXPECT_EQ(taken[1].ticket, Ticket(2));
    EXPECT_FALSE(syncs.wanted());
}

} // namespace octostore::test
