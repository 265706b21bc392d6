// SPDX-License-Identifier: MIT
#include "StaticToken.h"

#include <gtest/gtest.h>

namespace octostore::auth
{

class StaticTokenTest : public testing::Test
{
protected:
    static std::vector<std::string> names(std::string_view text)
    {
        std::vector<std::string> found;
        auto tokens = parseTokens(text, "TEST");
        if (!tokens)
            return {"error: " + tokens.error().message};
        for (const StaticToken& token : *tokens)
            found.push_back(token.name);
        return found;
    }

    static std::string refusal(std::string_view text)
    {
        auto tokens = parseTokens(text, "TEST");
        return tokens ? "" : tokens.error().message;
    }

    using Names = std::vector<std::string>;
};

TEST_F(StaticTokenTest, EntriesAreSeparatedByCommasAndLineEnds)
{
    EXPECT_EQ(names("a:1,b:2\nc:3\r\nd:4"), (Names{"a", "b", "c", "d"}));
}

TEST_F(StaticTokenTest, BlanksAroundNamesAndTokensDoNotCount)
{
    auto tokens = parseTokens("  alice :\t secret  ,", "TEST");
    ASSERT_TRUE(tokens);
    ASSERT_EQ(tokens->size(), 1U);
    EXPECT_EQ(tokens->front().name, "alice");
    EXPECT_EQ(tokens->front().token, sha256("secret"));
}

TEST_F(StaticTokenTest, LaterColonsBelongToTheToken)
{
    EXPECT_EQ(parseTokens("alice:a:b:", "TEST")->front().token, sha256("a:b:"));
}

TEST_F(StaticTokenTest, ACommentLineIsRemovedBeforeCommasAreSplit)
{
    EXPECT_EQ(names("  # old, mallory:stolen\nalice:1"), (Names{"alice"}));
}

TEST_F(StaticTokenTest, EmptyEntriesAndEntriesThatBeginWithAHashAreDropped)
{
    EXPECT_EQ(names(",,a:1,,#b:2,\n\n"), (Names{"a"}));
}

TEST_F(StaticTokenTest, ABareEntryIsRefusedAndNotShown)
{
    EXPECT_EQ(refusal("a:1\nb:2,hunter2"),
              "TEST line 2: an entry without a colon; write name:token");
}

TEST_F(StaticTokenTest, EmptyNamesAndTokensAreRefused)
{
    EXPECT_EQ(refusal(":hunter2"), "TEST line 1: an entry with an empty name; write name:token");
    EXPECT_EQ(refusal("alice: "), "TEST line 1: the token of \"alice\" is empty");
}

TEST_F(StaticTokenTest, ATokenWithABlankIsRefusedAndNotShown)
{
    EXPECT_EQ(refusal("alice:hunter 2"), "TEST line 1: the token of \"alice\" has a blank in it");
    EXPECT_EQ(refusal("alice:hunter\v2"), "TEST line 1: the token of \"alice\" has a blank in it");
}

TEST_F(StaticTokenTest, ASourceWithoutAnyEntryIsRefused)
{
    for (const char* text : {"", "  \n", "# nothing\n", ",,"})
        EXPECT_EQ(refusal(text), "TEST: it is set but has no entry name:token") << text;
}

TEST_F(StaticTokenTest, ANameThatIsNoUtf8IsRefused)
{
    EXPECT_EQ(refusal("a\xff:1"), "TEST line 1: a name is not UTF-8");
}

} // namespace octostore::auth
