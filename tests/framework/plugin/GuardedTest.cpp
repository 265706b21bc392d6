// SPDX-License-Identifier: MIT
#include "plugin/Guarded.h"

#include <Poco/Exception.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace octostore::plugin
{

TEST(GuardedTest, AValueComesThroughAsAResult)
{
    const Result<int> result = guarded([] { return 7; });
    ASSERT_TRUE(result);
    EXPECT_EQ(*result, 7);
}

TEST(GuardedTest, AnErrorComesThroughUnchanged)
{
    const Result<void> result = guarded(
        []() -> Result<void> {
            return Error{ErrorCode::Configuration, "wrong"};
        });
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Configuration);
    EXPECT_EQ(result.error().message, "wrong");
}

TEST(GuardedTest, EveryKindOfExceptionBecomesAnErrorThatNamesIt)
{
    EXPECT_EQ(guarded([] { throw std::runtime_error("std's"); }).error().message,
              "it threw: std's");
    EXPECT_EQ(guarded([] { throw Poco::FileNotFoundException("x.so"); }).error().message,
              "it threw: File not found: x.so");
    const auto number = guarded([] { throw 42; });
    EXPECT_EQ(number.error().code, ErrorCode::Internal);
    EXPECT_EQ(number.error().message, "it threw: an exception of an unknown type");
}

} // namespace octostore::plugin
