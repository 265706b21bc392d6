// SPDX-License-Identifier: MIT
#include "support/FakeRandom.h"

#include <octostore/coordination/HolderPseudonym.h>

#include <gtest/gtest.h>

namespace octostore::coordination
{
namespace
{

class HolderPseudonymTest : public testing::Test
{
};

TEST_F(HolderPseudonymTest, IsTheSameForTheSameHolderForEver)
{
    const HolderId holder{*Uuid::parse("2b1c4a5e-8f00-4c1d-9a2b-0123456789ab")};
    // A released value: clients have written it down.
    EXPECT_EQ(pseudonymOf(holder).toString(), "9fb0e87e-65b4-85ee-a390-709ffe30d53b");
    EXPECT_EQ(pseudonymOf(holder), pseudonymOf(holder));
}

TEST_F(HolderPseudonymTest, IsAVersionEightUuidThatDiffersFromTheHolder)
{
    octostore::test::FakeRandom random;
    for (int i = 0; i < 1000; ++i)
    {
        const HolderId holder{random.uuid()};
        const Uuid pseudonym = pseudonymOf(holder);
        EXPECT_EQ(pseudonym.bytes[6] >> 4, 8);
        EXPECT_EQ(pseudonym.bytes[8] >> 6, 2);
        EXPECT_NE(pseudonym, holder.uuid);
        EXPECT_NE(pseudonym, pseudonymOf(HolderId{random.uuid()}));
    }
}

} // namespace
} // namespace octostore::coordination
