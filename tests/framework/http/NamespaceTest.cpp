// SPDX-License-Identifier: MIT
#include <octostore/http/Namespace.h>

#include <gtest/gtest.h>

namespace octostore::http
{
namespace
{

class NamespaceTest : public testing::Test
{
protected:
    static std::string space(std::string_view written)
    {
        const Result<std::string> read = readNamespace(written);
        EXPECT_TRUE(read) << written;
        return read ? *read : "refused";
    }
};

TEST_F(NamespaceTest, SlashesAroundANamespaceDoNotCount)
{
    EXPECT_EQ(space("team"), "team");
    EXPECT_EQ(space("/team/"), "team");
    EXPECT_EQ(space("//team.a_b-c//"), "team.a_b-c");
    EXPECT_EQ(space(""), "");
    EXPECT_EQ(space("///"), "");
    EXPECT_EQ(space("/" + std::string(64, 'x') + "/"), std::string(64, 'x'));
}

TEST_F(NamespaceTest, OtherCharactersInANamespaceAreRefused)
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
} // namespace octostore::http
