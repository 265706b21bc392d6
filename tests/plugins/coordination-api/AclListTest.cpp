// SPDX-License-Identifier: MIT
#include "AccessList.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace octostore::coordination_api
{
namespace
{

class AclListTest : public testing::Test
{
protected:
    using Entries = std::vector<std::string>;

    static AccessList read(const Entries& entries)
    {
        const Result<AccessList> list = readAccessList(entries);
        EXPECT_TRUE(list) << (list ? "" : list.error().message);
        return list ? *list : AccessList();
    }
    static Error refusal(const Entries& entries)
    {
        const Result<AccessList> list = readAccessList(entries);
        EXPECT_FALSE(list);
        return list ? Error{ErrorCode::Internal, {}} : list.error();
    }
};

TEST_F(AclListTest, UsersAreStoredInLowerCaseSortedAndOnce)
{
    EXPECT_EQ(read({"user:Zoe", " user:alice\t", "user:ALICE"}),
              (AccessList{"user:alice", "user:zoe"}));
}

TEST_F(AclListTest, EveryCharacterOfUserNamesIsAllowed)
{
    EXPECT_EQ(read({"user:build_bot.7@ci", "user:Jörg", "user:a b"}),
              (AccessList{"user:a b", "user:build_bot.7@ci", "user:jörg"}));
}

TEST_F(AclListTest, OfTokensOnlyTheDigestIsKeptAndCaseCounts)
{
    const AccessList list = read({"token:Secret", "token:secret", "token:secret"});
    ASSERT_EQ(list.size(), 2U);
    EXPECT_TRUE(list[0] == "token:" + toHex(sha256("Secret")) ||
                list[1] == "token:" + toHex(sha256("Secret")));
}

TEST_F(AclListTest, EntriesAreCountedBeforeTheyAreMadeUnique)
{
    EXPECT_EQ(refusal({}).code, ErrorCode::InvalidInput);
    EXPECT_EQ(read(Entries(100, "user:a")), AccessList{"user:a"});
    EXPECT_EQ(refusal(Entries(101, "user:a")).code, ErrorCode::InvalidInput);
}

TEST_F(AclListTest, AnEntryHasAtMost256Bytes)
{
    const std::string longest = "user:" + std::string(251, 'a');
    EXPECT_EQ(read({"  " + longest + "  "}), AccessList{longest}) << "blanks do not count";
    EXPECT_EQ(refusal({longest + "a"}).code, ErrorCode::InvalidInput);
}

TEST_F(AclListTest, WhatIsNoEntryIsRefusedWithItsPlaceAndWithoutItsText)
{
    for (const char* wrong : {"", "alice", "user:", "token:", "User:alice", "token", ":x"})
    {
        const Error error = refusal({"user:first", wrong});
        EXPECT_EQ(error.code, ErrorCode::InvalidInput) << wrong;
        EXPECT_NE(error.message.find("Entry 2"), std::string::npos) << error.message;
    }
    EXPECT_EQ(refusal({"tokn:very-secret"}).message.find("very-secret"), std::string::npos);
}

TEST_F(AclListTest, ACallerIsKnownByNameAndByToken)
{
    const http::Identity caller{PrincipalId{}, "Alice", http::Role::User, "", sha256("t")};
    EXPECT_EQ(namesInAccessLists(caller),
              (std::vector<std::string>{"user:alice", "token:" + toHex(sha256("t"))}));
}

TEST_F(AclListTest, NotEvenTheDigestOfATokenIsShown)
{
    JsonWriter json;
    writeAccessList(json, read({"user:a", "token:b"}));
    EXPECT_EQ(json.take(), R"({"acquire":["token:[redacted]","user:a"]})");
}

} // namespace
} // namespace octostore::coordination_api
