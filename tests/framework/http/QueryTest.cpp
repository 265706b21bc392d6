// SPDX-License-Identifier: MIT
#include <octostore/http/Query.h>

#include <gtest/gtest.h>

namespace octostore::http
{

TEST(QueryTest, ValuesAreDecodedOnce)
{
    const auto query = Query::parse("prefix=repos%2Facme&flag&a+b=c+d&x=%252F&&empty=");
    ASSERT_TRUE(query.ok());
    EXPECT_EQ(*query->find("prefix"), "repos/acme");
    EXPECT_EQ(*query->find("flag"), "");
    EXPECT_EQ(*query->find("a b"), "c d");
    EXPECT_EQ(*query->find("x"), "%2F");
    EXPECT_EQ(*query->find("empty"), "");
    EXPECT_EQ(query->find("missing"), nullptr);
}

TEST(QueryTest, NothingIsAnEmptyQuery)
{
    EXPECT_TRUE(Query::parse("").ok());
}

TEST(QueryTest, WhatIsAmbiguousOrBrokenIsRefused)
{
    for (const char* raw : {"a=1&a=2", "a=1&%61=2", "a=%zz", "a=%4", "a=%ff", "%ff=a"})
    {
        const auto query = Query::parse(raw);
        ASSERT_FALSE(query.ok()) << raw;
        EXPECT_EQ(query.error().code, ErrorCode::InvalidInput);
    }
}

TEST(QueryTest, IntegersAreDecimalAndInTheirRange)
{
    const auto query = Query::parse("one=1&big=18446744073709551616&minus=-1&plus=%2B1&hex=0x1"
                                    "&blank=+1&empty=&ten=10");
    ASSERT_TRUE(query.ok());
    EXPECT_EQ(*query->integer("one", 1, 10), 1U);
    EXPECT_EQ(*query->integer("ten", 1, 10), 10U);
    EXPECT_EQ(*query->integer("missing", 1, 10), std::nullopt);
    EXPECT_FALSE(query->integer("ten", 1, 9).ok());
    EXPECT_FALSE(query->integer("one", 2, 9).ok());
    for (const char* key : {"big", "minus", "plus", "hex", "blank", "empty"})
        EXPECT_FALSE(query->integer(key, 0, UINT64_MAX).ok()) << key;
}

} // namespace octostore::http
