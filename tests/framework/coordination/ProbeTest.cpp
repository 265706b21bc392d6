// SPDX-License-Identifier: MIT
#include "coordination/Probe.h"

#include <gtest/gtest.h>

namespace octostore::test
{

using coordination::Probe;
using coordination::Ticket;

class ProbeTest : public ::testing::Test
{
protected:
    static BootTime at(Milliseconds time) { return BootTime() + time; }

    Probe probe;
};

TEST_F(ProbeTest, TheStoreIsAskedOnceForAllWhoAskMeanwhile)
{
    EXPECT_TRUE(probe.join(Ticket(1)));
    EXPECT_FALSE(probe.join(Ticket(2)));
    EXPECT_EQ(probe.answered(false, at(Milliseconds(1))),
              (std::vector<Ticket>{Ticket(1), Ticket(2)}));
    EXPECT_TRUE(probe.join(Ticket(3))) << "nothing is under way any more";
}

TEST_F(ProbeTest, OnlyAGoodAnswerIsBelievedAndOnlyForLessThanASecond)
{
    EXPECT_FALSE(probe.believed(at(Milliseconds(0)))) << "the store was never asked";
    probe.join(Ticket(1));
    probe.answered(false, at(Milliseconds(0)));
    EXPECT_FALSE(probe.believed(at(Milliseconds(0))));
    probe.join(Ticket(2));
    probe.answered(true, at(Milliseconds(100)));
    EXPECT_TRUE(probe.believed(at(Milliseconds(1099))));
    EXPECT_FALSE(probe.believed(at(Milliseconds(1100))));
}

} // namespace octostore::test
