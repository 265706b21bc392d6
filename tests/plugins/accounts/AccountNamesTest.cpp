// SPDX-License-Identifier: MIT
#include "AccountNames.h"

#include <gtest/gtest.h>

namespace octostore::accounts
{
namespace
{

class AccountNamesTest : public testing::Test
{
};

TEST_F(AccountNamesTest, AUserNameIsLettersDigitsUnderscoresAndDashes)
{
    for (const std::string& good :
         {std::string("a"), std::string("Build_Bot-7"), std::string(64, 'x')})
        EXPECT_TRUE(checkUserName(good)) << good;
    for (const std::string& bad :
         {std::string(), std::string("a b"), std::string("a.b"), std::string("a:b"),
          std::string("j\xC3\xB6rg"), std::string(65, 'x'), std::string("a\0b", 3)})
    {
        const Result<void> checked = checkUserName(bad);
        ASSERT_FALSE(checked) << bad;
        EXPECT_EQ(checked.error().code, ErrorCode::InvalidInput);
    }
}

} // namespace
} // namespace octostore::accounts
