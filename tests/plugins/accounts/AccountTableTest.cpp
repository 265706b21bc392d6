// SPDX-License-Identifier: MIT
#include "AccountTable.h"

#include <gtest/gtest.h>

namespace octostore::accounts
{
namespace
{

class AccountTableTest : public testing::Test
{
protected:
    static StoredAccount account(const std::string& name, std::string_view token,
                                 std::uint64_t version)
    {
        backend::PrincipalRecord record;
        record.name = name;
        record.tokenDigest = sha256(token);
        return {record, Revision(version)};
    }
    bool knows(std::string_view token) const
    {
        return table.findByToken(sha256(token)).has_value();
    }

    AccountTable table;
};

TEST_F(AccountTableTest, AnAccountIsFoundByItsTokenAndByItsNameInAnyCase)
{
    table.put(account("Alice", "secret", 1));
    ASSERT_TRUE(knows("secret"));
    EXPECT_EQ(table.findByToken(sha256("secret"))->record.name, "Alice");
    EXPECT_EQ(table.findByToken(sha256("secret"))->version, Revision(1));
    EXPECT_FALSE(knows("Secret"));
    EXPECT_TRUE(table.hasName("aLICE"));
    EXPECT_FALSE(table.hasName("alic"));
    EXPECT_EQ(table.size(), 1U);
}

TEST_F(AccountTableTest, AReplacedTokenIsUnknown)
{
    table.put(account("alice", "old", 1));
    table.put(account("alice", "new", 2));
    EXPECT_FALSE(knows("old"));
    EXPECT_TRUE(knows("new"));
    EXPECT_EQ(table.size(), 1U);
}

TEST_F(AccountTableTest, AnOlderVersionThatArrivesLateChangesNothing)
{
    table.put(account("alice", "new", 3));
    table.put(account("alice", "old", 2));
    EXPECT_FALSE(knows("old"));
    EXPECT_TRUE(knows("new"));
}

TEST_F(AccountTableTest, EveryAccountIsListedOnce)
{
    table.put(account("b", "1", 1));
    table.put(account("a", "2", 2));
    table.put(account("B", "3", 3));
    const auto all = table.all();
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].name, "a");
    EXPECT_EQ(all[1].name, "B");
}

} // namespace
} // namespace octostore::accounts
