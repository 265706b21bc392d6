// SPDX-License-Identifier: MIT
#include <octostore/base/Assert.h>
#include <octostore/base/Result.h>

#include <gtest/gtest.h>

namespace octostore
{
namespace
{

class AssertDeathTest : public testing::Test
{
protected:
    AssertDeathTest() { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

TEST_F(AssertDeathTest, ABrokenInvariantStopsTheProcessAndSaysWhich)
{
    EXPECT_DEATH(OCTOSTORE_ASSERT(1 + 1 == 3), "AssertTest.cpp:[0-9]+: broken invariant: 1");
    OCTOSTORE_ASSERT(1 + 1 == 2);
}

TEST_F(AssertDeathTest, AnErrorHasNoValue)
{
    const Result<int> failed = Error{ErrorCode::NotFound, "no"};
    EXPECT_DEATH(static_cast<void>(*failed), "broken invariant");
    EXPECT_EQ(failed.error().code, ErrorCode::NotFound);
    const Result<void> fine;
    EXPECT_DEATH(static_cast<void>(fine.error()), "broken invariant");
}

} // namespace
} // namespace octostore
