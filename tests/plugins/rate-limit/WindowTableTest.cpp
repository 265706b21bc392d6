// SPDX-License-Identifier: MIT
#include "WindowTable.h"

#include "support/FakeRandom.h"
#include "support/TestSeed.h"

#include <gtest/gtest.h>

#include <string>

namespace octostore::rate_limit
{

namespace
{

using namespace std::chrono_literals;

http::IpAddress client(unsigned number)
{
    http::IpAddress::Bytes bytes{};
    for (std::size_t i = 0; i < sizeof number; ++i)
        bytes[i] = static_cast<std::uint8_t>(number >> (8 * i));
    return http::IpAddress(bytes);
}

} // namespace

class WindowTableTest : public testing::Test
{
protected:
    Standing admit(unsigned number = 1) { return table.admit(client(number), budget, now); }
    void use(unsigned count, unsigned number = 1)
    {
        for (unsigned i = 0; i < count; ++i)
            ASSERT_TRUE(admit(number).admitted) << i;
    }

    static constexpr std::uint32_t budget = 10;
    BootTime now{1000s};
    WindowTable table{100};
};

TEST_F(WindowTableTest, AWindowBeginsWithTheFirstRequestAndHasOneBudget)
{
    use(budget);
    EXPECT_FALSE(admit().admitted);
    EXPECT_TRUE(admit(2).admitted);
    now += 58s + 999ms;
    EXPECT_FALSE(admit().admitted);
    now += 2ms;
    EXPECT_TRUE(admit().admitted);
}

TEST_F(WindowTableTest, AWindowThatIsNotUsedUpLastsToItsEnd)
{
    use(budget - 1);
    now += 59s + 999ms;
    EXPECT_EQ(admit().remaining, 0U);
    now += 1ms;
    EXPECT_EQ(admit().remaining, budget - 1);
}

TEST_F(WindowTableTest, StandingCountsDownAndRoundsUpWhatIsLeft)
{
    EXPECT_EQ(admit().remaining, 9U);
    EXPECT_EQ(admit().secondsLeft, 60U);
    now += 500ms;
    EXPECT_EQ(admit().secondsLeft, 60U);
    now += 59s;
    EXPECT_EQ(admit().secondsLeft, 1U);
    EXPECT_EQ(admit().remaining, 5U);
}

TEST_F(WindowTableTest, ARefusalRoundsDownButNeverToZero)
{
    use(budget);
    EXPECT_EQ(admit().secondsLeft, 60U);
    now += 1ns;
    EXPECT_EQ(admit().secondsLeft, 59U);
    now += 58s;
    EXPECT_EQ(admit().secondsLeft, 1U);
    now += 999'999'999ns;
    EXPECT_EQ(admit().secondsLeft, 1U);
    now += 1ns;
    EXPECT_TRUE(admit().admitted);
}

TEST_F(WindowTableTest, WhoeverObeysIsNeverTooEarly)
{
    const std::uint64_t seed = test::testSeed();
    SCOPED_TRACE("seed " + std::to_string(seed));
    test::FakeRandom random(seed);
    for (int round = 0; round < 2000; ++round)
    {
        // The last second is forgiven, so another round of requests may fit in before a refusal.
        Standing standing = admit();
        for (std::uint32_t i = 0; i < 2 * budget && standing.admitted; ++i)
        {
            now += std::chrono::nanoseconds(random.number(1'500'000'000));
            standing = admit();
        }
        if (standing.admitted)
            continue;
        ASSERT_GE(standing.secondsLeft, 1U);
        ASSERT_LE(standing.secondsLeft, 60U);
        now += std::chrono::seconds(standing.secondsLeft);
        ASSERT_TRUE(admit().admitted) << round;
    }
}

TEST_F(WindowTableTest, RefusedRequestsAreNotCounted)
{
    use(budget);
    for (int i = 0; i < 1000; ++i)
        EXPECT_FALSE(admit().admitted);
    table.refund(client(1));
    EXPECT_TRUE(admit().admitted);
    EXPECT_FALSE(admit().admitted);
}

TEST_F(WindowTableTest, ARefundIsNeverMoreThanWasUsed)
{
    use(1);
    table.refund(client(1));
    table.refund(client(1));
    EXPECT_EQ(table.look(client(1), budget, now).remaining, budget);
    use(budget);
    EXPECT_FALSE(admit().admitted);
}

TEST_F(WindowTableTest, LookingCountsNothing)
{
    EXPECT_EQ(table.look(client(1), budget, now).remaining, budget);
    EXPECT_EQ(table.clients(), 0U);
    use(3);
    EXPECT_EQ(table.look(client(1), budget, now).remaining, 7U);
    EXPECT_EQ(table.look(client(1), budget, now).remaining, 7U);
    now += 60s;
    EXPECT_EQ(table.look(client(1), budget, now).remaining, budget);
}

TEST_F(WindowTableTest, ASmallerBudgetCountsAtOnce)
{
    use(5);
    EXPECT_FALSE(table.admit(client(1), 3, now).admitted);
    EXPECT_EQ(table.admit(client(1), 3, now).remaining, 0U);
    EXPECT_TRUE(table.admit(client(1), 6, now).admitted);
}

TEST_F(WindowTableTest, AFullTableSharesOneBudgetAmongNewClientsAndKeepsTheOthers)
{
    for (unsigned i = 0; i < 100; ++i)
        use(1, i);
    for (unsigned i = 100; i < 100 + budget; ++i)
        EXPECT_TRUE(admit(i).admitted);
    EXPECT_FALSE(admit(5000).admitted);
    EXPECT_EQ(table.clients(), 100U);
    use(budget - 1, 7);
    table.refund(client(5000));
    EXPECT_TRUE(admit(5001).admitted);
}

TEST_F(WindowTableTest, LapsedWindowsMakeRoom)
{
    for (unsigned i = 0; i < 100; ++i)
        use(1, i);
    now += 30s;
    for (unsigned i = 100; i < 100 + budget; ++i)
        EXPECT_TRUE(admit(i).admitted);
    EXPECT_FALSE(admit(5000).admitted);
    now += 30s;
    EXPECT_TRUE(admit(5000).admitted);
    EXPECT_EQ(table.clients(), 1U);
}

TEST_F(WindowTableTest, AClientThatCameBackIsNotDroppedWithTheOldOnes)
{
    use(1, 1);
    use(1, 2);
    now += 60s;
    use(4, 1);
    EXPECT_TRUE(admit(3).admitted);
    EXPECT_EQ(table.clients(), 2U);
    EXPECT_EQ(table.look(client(1), budget, now).remaining, 6U);
}

TEST_F(WindowTableTest, AMillionAddressesTakeNoMoreRoomThanTheTableHas)
{
    for (unsigned i = 0; i < 1'000'000; ++i)
    {
        now += 1us;
        admit(i);
    }
    EXPECT_EQ(table.clients(), 100U);
}

} // namespace octostore::rate_limit
