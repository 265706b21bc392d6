// SPDX-License-Identifier: MIT
#include "ApiTest.h"

#include <string>
#include <vector>

namespace octostore::test
{
namespace
{

using namespace std::chrono_literals;

class LockListTest : public ApiTest
{
protected:
    struct Page
    {
        std::vector<std::string> names;
        std::int64_t total = 0;
        std::string prefix; ///< `-` for null
        std::string next;   ///< empty: none
    };

    Page list(const std::string& query, std::string_view token)
    {
        const Call call = _server.get("/locks" + query, token);
        EXPECT_EQ(call.status(), 200) << call.body();
        const JsonValue::Object body = call.json();
        Page page;
        for (const JsonValue& lock : *JsonFields(body).find("locks")->asArray())
            page.names.push_back(textOf(*lock.asObject(), "name"));
        page.total = numberOf(body, "total");
        page.prefix = JsonFields(body).find("prefix") == nullptr ? "-" : textOf(body, "prefix");
        page.next = body.count("next") == 0 ? "" : textOf(body, "next");
        return page;
    }

    using Names = std::vector<std::string>;
};

TEST_F(LockListTest, AnEmptyServerListsNothing)
{
    EXPECT_EQ(_server.get("/locks", alice).body(), R"({"locks":[],"total":0,"prefix":null})");
}

TEST_F(LockListTest, OnlyLiveLocksAreListed)
{
    leaseOf("live", alice, R"({"metadata":"m"})");
    leaseOf("short", bob, R"({"ttl_seconds":1})");
    release("ended", bob, leaseOf("ended", bob, R"({"lock_delay_seconds":30})"));
    campaign("room-0001", "node-1");
    _server.advance(1s);
    const Page page = list("", bob);
    EXPECT_EQ(page.names, Names{"live"});
    EXPECT_EQ(page.total, 1);
    EXPECT_EQ(page.prefix, "-");
    const Call call = _server.get("/locks", bob);
    EXPECT_EQ(call.body().find("lease_id"), std::string::npos);
    const Call status = _server.get("/locks/live", bob);
    EXPECT_NE(call.body().find(status.body()), std::string::npos);
}

TEST_F(LockListTest, PagesFollowOneAnotherInByteOrder)
{
    for (const char* name : {"b/2", "a", "b/1", "b/3", "c", "B"})
        leaseOf(name, alice);
    const Page first = list("?limit=2", bob);
    EXPECT_EQ(first.names, (Names{"B", "a"}));
    EXPECT_EQ(first.total, 6);
    EXPECT_EQ(first.next, "a");
    const Page second = list("?limit=2&after=" + first.next, bob);
    EXPECT_EQ(second.names, (Names{"b/1", "b/2"}));
    const Page last = list("?limit=2&after=" + second.next, bob);
    EXPECT_EQ(last.names, (Names{"b/3", "c"}));
    EXPECT_EQ(last.next, "");
}

TEST_F(LockListTest, APrefixFiltersAndIsEchoed)
{
    for (const char* name : {"a", "b/1", "b/2"})
        leaseOf(name, alice);
    const Page page = list("?prefix=b%2F", bob);
    EXPECT_EQ(page.names, (Names{"b/1", "b/2"}));
    EXPECT_EQ(page.total, 2);
    EXPECT_EQ(page.prefix, "b/");
    EXPECT_EQ(list("?prefix=", bob).prefix, "");
    EXPECT_EQ(list("?prefix=&limit=1", bob).total, 3);
    EXPECT_EQ(list("?prefix=b/&after=b/1&unknown=1", bob).names, Names{"b/2"});
}

TEST_F(LockListTest, ANamespaceSeesOnlyItself)
{
    leaseOf("team.x", carol);
    leaseOf("teams", alice);
    leaseOf("other", alice);
    const Page page = list("", carol);
    EXPECT_EQ(page.names, Names{"team.x"});
    EXPECT_EQ(page.prefix, "team.");
    EXPECT_EQ(list("?prefix=team.x", carol).names, Names{"team.x"});
    for (const char* query : {"?prefix=", "?prefix=team", "?prefix=other"})
        expectError(_server.get(std::string("/locks") + query, carol), 403, "forbidden");
    EXPECT_EQ(list("", root).total, 3) << "administrators stand outside namespaces";
}

TEST_F(LockListTest, ABadQueryIsRefused)
{
    for (const char* query : {"?limit=0", "?limit=10001", "?limit=x", "?limit=", "?limit=-1",
                              "?limit=1.5", "?prefix=a&prefix=b", "?prefix=%zz", "?prefix=%FF"})
        expectError(_server.get(std::string("/locks") + query, alice), 400, "invalid_input");
    EXPECT_EQ(_server.get("/locks?limit=10000", alice).status(), 200);
}

} // namespace
} // namespace octostore::test
