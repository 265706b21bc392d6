// SPDX-License-Identifier: MIT
#include <octostore/event/TypePattern.h>

#include <gtest/gtest.h>

namespace octostore::event
{
namespace
{

TEST(TypePatternTest, AStarStandsForAPartAndAloneForEverything)
{
    for (const char* pattern : {"lock.acquired", "lock.*", "*.acquired", "*.*", "*"})
    {
        EXPECT_TRUE(matchesTypeName(pattern, "lock.acquired")) << pattern;
        EXPECT_TRUE(isTypePattern(pattern)) << pattern;
    }
    for (const char* pattern :
         {"", ".", "lock", "acquired", "lock.", "lock.ac*", "l*.acquired", "loc[k].acquired",
          "lock.?cquired", "*.*.*", "lock.*.*", "**", "Lock.acquired"})
    {
        EXPECT_FALSE(matchesTypeName(pattern, "lock.acquired")) << pattern;
        EXPECT_FALSE(isTypePattern(pattern)) << pattern;
    }
    EXPECT_FALSE(matchesTypeName("lock.*", "election.leader_elected"));
    EXPECT_TRUE(isTypePattern("backup.taken")) << "the last";
}

} // namespace
} // namespace octostore::event
