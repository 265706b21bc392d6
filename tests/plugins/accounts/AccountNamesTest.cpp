// SPDX-License-Identifier: MIT
#include "AccountNames.h"

#include <gtest/gtest.h>

namespace octostore::accounts
{
namespace
{

class AccountNamesTest : public testing::Test
{
protected:
    static std::string space(std::string_view written)
    {
        const Result<std::string> read = readNamespace(written);
        EXPECT_TRUE(read) << written;
        return read ? *read : "refused";
    }
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

TEST_F(AccountNamesTest, SlashesAroundANamespaceDoNotCount)
{
    EXPECT_EQ(space("team"), "team");
    EXPECT_EQ(space("/team/"), "team");
    EXPECT_EQ(space("//team.a_b-c//"), "team.a_b-c");
    EXPECT_EQ(space(""), "");
    EXPECT_EQ(space("///"), "");
    EXPECT_EQ(space("/" + std::string(64, 'x') + "/"), std::string(64, 'x'));
}

TEST_F(AccountNamesTest, OtherCharactersInANamespaceAreRefused)
{
    for (const std::string& bad : {std::string("a/b"), std::string(" team"), std::string("te am"),
                                   std::string(65, 'x'), std::string("t\xC3\xA9")})
    {
        const Result<std::string> read = readNamespace(bad);
        ASSERT_FALSE(read) << bad;
        EXPECT_EQ(read.error().code, ErrorCode::InvalidInput);
    }
}

} // namespace
} // namespace octostore::accounts
