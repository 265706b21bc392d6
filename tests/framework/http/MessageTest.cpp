// SPDX-License-Identifier: MIT
#include <octostore/http/Identity.h>
#include <octostore/http/Message.h>

#include <gtest/gtest.h>

namespace octostore::http
{

TEST(MessageTest, MethodsAreUpperCaseWords)
{
    EXPECT_EQ(parseMethod("GET"), Method::Get);
    EXPECT_EQ(parseMethod("OPTIONS"), Method::Options);
    EXPECT_EQ(parseMethod("get"), Method::Other);
    EXPECT_EQ(parseMethod("BREW"), Method::Other);
    EXPECT_EQ(methodName(Method::Delete), "DELETE");
    EXPECT_EQ(methodName(Method::Other), "OTHER");
}

TEST(MessageTest, HeaderNamesCompareWithoutRegardToCase)
{
    Headers headers;
    headers.add("Accept", "a");
    headers.add("X-Other", "x");
    headers.add("ACCEPT", "b");
    EXPECT_EQ(headers.count("accept"), 2U);
    EXPECT_EQ(*headers.find("accept"), "a");
    EXPECT_EQ(headers.find("missing"), nullptr);
}

TEST(MessageTest, SettingAHeaderReplacesEveryOneOfThatName)
{
    Headers headers;
    headers.add("Accept", "a");
    headers.add("X-Other", "x");
    headers.add("accept", "b");
    headers.set("accept", "c");
    headers.set("new", "n");
    ASSERT_EQ(headers.all().size(), 3U);
    EXPECT_EQ(*headers.find("accept"), "c");
    EXPECT_EQ(*headers.find("x-other"), "x");
    EXPECT_EQ(*headers.find("new"), "n");
}

TEST(MessageTest, TheTargetIsCutAtTheFirstQuestionMark)
{
    Request request;
    request.target = "/a?b=c?d";
    EXPECT_EQ(request.path(), "/a");
    EXPECT_EQ(request.query(), "b=c?d");
    request.target = "/a";
    EXPECT_EQ(request.path(), "/a");
    EXPECT_EQ(request.query(), "");
}

TEST(IdentityTest, PrincipalIdsAreStableVersion8UuidsWithoutRegardToCase)
{
    const PrincipalId id = principalIdOf("Alice");
    EXPECT_EQ(id, principalIdOf("alice"));
    EXPECT_NE(id, principalIdOf("bob"));
    const std::string text = id.toString();
    EXPECT_EQ(text[14], '8');
    EXPECT_NE(std::string("89ab").find(text[19]), std::string::npos);
}

} // namespace octostore::http
