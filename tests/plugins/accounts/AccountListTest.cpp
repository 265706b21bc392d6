// SPDX-License-Identifier: MIT
#include "AccountList.h"

#include <octostore/base/Json.h>

#include <gtest/gtest.h>

#include <chrono>

namespace octostore::accounts
{
namespace
{

using namespace std::chrono_literals;

class AccountListTest : public testing::Test
{
protected:
    AccountListTest()
    {
        add("Zoe", "team", 30s);
        add("alice", "", 10s);
        add("bob", "", std::nullopt);
        add("Carol", "team.a", 20s);
    }
    void add(const std::string& name, const std::string& space,
             std::optional<std::chrono::seconds> created)
    {
        http::Account account;
        account.principal = http::principalIdOf(name);
        account.name = name;
        account.space = space;
        account.identityClass = created ? "local" : "static";
        if (created)
            account.createdAt = WallTime(1'700'000'000s + *created);
        accounts.push_back(account);
    }

    static AccountFilter filter(std::string_view query)
    {
        const auto parsed = http::Query::parse(query);
        EXPECT_TRUE(parsed) << query;
        const auto read = AccountFilter::read(*parsed);
        EXPECT_TRUE(read) << query;
        return read ? *read : AccountFilter();
    }
    static bool refused(std::string_view query)
    {
        const auto read = AccountFilter::read(*http::Query::parse(query));
        return !read && read.error().code == ErrorCode::InvalidInput;
    }

    struct Page
    {
        std::string names;
        std::int64_t total = 0;
        std::optional<std::string> next;
    };
    Page page(const AccountFilter& filter) const
    {
        const auto json = readJson(accountsJson(accounts, filter));
        EXPECT_TRUE(json);
        Page page;
        for (const JsonValue& item : *json->at("items").asArray())
            page.names += *item.asObject()->at("name").asString() + " ";
        page.total = *json->at("total").asInteger();
        if (const std::string* next = json->at("next").asString())
            page.next = *next;
        return page;
    }
    std::string names(std::string_view query) const { return page(filter(query)).names; }

    std::vector<http::Account> accounts;
};

TEST_F(AccountListTest, AccountsStandInTheOrderOfTheirNamesWhateverTheirCase)
{
    EXPECT_EQ(names(""), "alice bob Carol Zoe ");
    EXPECT_EQ(names("sort=name"), "alice bob Carol Zoe ");
    EXPECT_EQ(names("sort=-name"), "Zoe Carol bob alice ");
}

TEST_F(AccountListTest, ThoseThatWereNeverCreatedAreTheOldest)
{
    EXPECT_EQ(names("sort=created_at"), "bob alice Carol Zoe ");
    EXPECT_EQ(names("sort=-created_at"), "Zoe Carol alice bob ");
}

TEST_F(AccountListTest, APartOfNameOrNamespaceIsSearchedInAnyCase)
{
    EXPECT_EQ(names("q=O"), "bob Carol Zoe ");
    EXPECT_EQ(names("q=TEAM"), "Carol Zoe ");
    EXPECT_EQ(names("q=nobody"), "");
    EXPECT_EQ(page(filter("q=team&limit=1")).total, 2) << "of what was searched, not of the page";
}

TEST_F(AccountListTest, PagesFollowEachOtherWithoutGapOrRepetition)
{
    for (const char* order : {"name", "-name", "created_at", "-created_at"})
    {
        std::string collected;
        AccountFilter next = filter(std::string("limit=1&sort=") + order);
        for (int pages = 0; pages < 10; ++pages)
        {
            const Page one = page(next);
            EXPECT_EQ(one.total, 4);
            collected += one.names;
            if (!one.next)
                break;
            next.after = *one.next;
        }
        EXPECT_EQ(collected, names(std::string("sort=") + order)) << order;
    }
}

TEST_F(AccountListTest, AnAccountShowsEverythingButItsToken)
{
    AccountFilter first = filter("limit=1");
    const std::string alice = accountsJson(accounts, first);
    EXPECT_EQ(alice, "{\"items\":[{\"id\":\"" + http::principalIdOf("alice").toString() +
                         "\",\"name\":\"alice\",\"identity_class\":\"local\",\"role\":\"user\","
                         "\"namespace\":null,\"created_at\":\"2023-11-14T22:13:30Z\"}],"
                         "\"total\":4,\"next\":\"alice\"}");
}

TEST_F(AccountListTest, WhatIsOutOfRangeIsRefused)
{
    for (const char* bad : {"limit=0", "limit=1001", "limit=x", "sort=id", "sort=", "sort=--name"})
        EXPECT_TRUE(refused(bad)) << bad;
    EXPECT_EQ(filter("").limit, 50U);
    EXPECT_EQ(filter("limit=1000").limit, 1000U);
}

} // namespace
} // namespace octostore::accounts
