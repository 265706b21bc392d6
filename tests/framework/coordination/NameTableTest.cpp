// SPDX-License-Identifier: MIT
#include "coordination/NameTable.h"

#include <gtest/gtest.h>

namespace octostore::test
{

using coordination::Name;
using coordination::NameTable;

class NameTableTest : public ::testing::Test
{
protected:
    NameTable names;
};

TEST_F(NameTableTest, ANameWithItsLeaseIsNotLargerThanAllocatorsGiveForIt)
{
    // The next size of jemalloc is 448 bytes: a member more costs a million leases 64 MB.
    constexpr std::size_t allocated = 384;
    constexpr std::size_t links = 4 * sizeof(void*);
    EXPECT_LE(links + sizeof(std::pair<const std::string, Name>), allocated);
}

TEST_F(NameTableTest, ANameIsForgottenOnceNothingRefersToIt)
{
    const auto get = [this]() -> Name& { return names.get("a"); };
    const auto dropped = [this]
    {
        names.drop(*names.find("a"));
        return names.find("a") == nullptr;
    };
    get().act().turns = std::make_unique<coordination::Turns>();
    EXPECT_FALSE(dropped());
    get().activity->turns.reset();
    get().forgottenAt = BootTime();
    EXPECT_FALSE(dropped());
    EXPECT_FALSE(get().activity) << "nothing is going on any more";
    get().forgottenAt = BootTime::max();
    get().entries = 1;
    EXPECT_FALSE(dropped());
    get().entries = 0;
    EXPECT_TRUE(dropped());
}

} // namespace octostore::test
