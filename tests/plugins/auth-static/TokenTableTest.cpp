// SPDX-License-Identifier: MIT
#include "TokenTable.h"

#include <gtest/gtest.h>

namespace octostore::auth
{

class TokenTableTest : public testing::Test
{
protected:
    static Result<TokenTable> table(std::string_view text)
    {
        return TokenTable::make(*parseTokens(text, "TEST"));
    }
};

TEST_F(TokenTableTest, ATokenIsFoundByItsDigestAndOnlyByIt)
{
    auto made = table("alice:one,bob:two");
    ASSERT_TRUE(made);
    EXPECT_EQ(made->size(), 2U);
    const auto bob = made->find(sha256("two"));
    ASSERT_TRUE(bob);
    EXPECT_EQ(bob->name, "bob");
    EXPECT_EQ(bob->role, http::Role::User);
    EXPECT_EQ(bob->credential, sha256("two"));
    EXPECT_FALSE(made->find(sha256("three")));
    EXPECT_FALSE(made->find(sha256("bob:two")));
    EXPECT_FALSE(made->find(sha256("")));
}

TEST_F(TokenTableTest, TheIdOfAPrincipalFollowsFromItsNameAlone)
{
    const auto before = table("alice:one")->find(sha256("one"));
    const auto after = table("bob:x,Alice:two")->find(sha256("two"));
    EXPECT_EQ(before->principal, after->principal);
    EXPECT_NE(before->principal, table("bob:x")->find(sha256("x"))->principal);
}

TEST_F(TokenTableTest, ANameGivenTwiceIsRefusedWhateverItsCase)
{
    auto made = table("alice:one\nbob:two\nALICE:three");
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ErrorCode::Configuration);
    EXPECT_EQ(made.error().message,
              "TEST line 3: the name \"ALICE\" is already given in TEST line 1");
}

TEST_F(TokenTableTest, ATokenGivenTwiceIsRefusedAndNotShown)
{
    EXPECT_EQ(table("alice:hunter2\nbob:hunter2").error().message,
              "TEST line 2: \"bob\" has the token of \"alice\" (TEST line 1)");
}

TEST_F(TokenTableTest, ItsAccountsAreListedWithoutTheirTokens)
{
    StaticToken token = parseTokens("Alice:one", "TEST")->front();
    token.role = http::Role::Observer;
    token.space = "team";
    const auto accounts = TokenTable::make({token})->accounts();
    ASSERT_EQ(accounts.size(), 1U);
    EXPECT_EQ(accounts[0].name, "Alice");
    EXPECT_EQ(accounts[0].principal, http::principalIdOf("alice"));
    EXPECT_EQ(accounts[0].identityClass, "static");
    EXPECT_EQ(accounts[0].role, http::Role::Observer);
    EXPECT_EQ(accounts[0].space, "team");
    EXPECT_FALSE(accounts[0].createdAt);
}

TEST_F(TokenTableTest, ANameIsKnownWhateverItsCase)
{
    const auto made = table("Alice:one");
    EXPECT_TRUE(made->hasName("aLICE"));
    EXPECT_FALSE(made->hasName("alic"));
    EXPECT_FALSE(made->hasName(""));
}

} // namespace octostore::auth
