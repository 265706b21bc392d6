// SPDX-License-Identifier: MIT
// Goal: lists are searched, sorted and paged without gap or repetition, and show what they should.
#include "AdminApiTest.h"

#include <vector>

namespace octostore::admin_api
{
namespace
{

using namespace std::chrono_literals;

class AdminListTest : public AdminApiTest
{
protected:
    /// All pages of one item each, one after the other.
    std::string paged(const std::string& target, const std::string& field)
    {
        std::string all;
        std::string after;
        for (int pages = 0; pages < 20; ++pages)
        {
            const http::Response page =
                get(target + "&limit=1" + (after.empty() ? "" : "&after=" + escaped(after)));
            all += valuesOf(page, field);
            const JsonValue::Object body = jsonOf(page);
            const std::string* next = body.at("next").asString();
            if (next == nullptr)
                return all;
            after = *next;
        }
        return all + "...";
    }
    static std::string escaped(const std::string& text)
    {
        std::string result;
        for (const char c : text)
            result += c == '|' ? "%7C" : std::string(1, c);
        return result;
    }
};

TEST_F(AdminListTest, LocksAreSortedByEveryFieldInBothDirections)
{
    hold("b", alice, R"({"ttl_seconds":300})");
    server.clock().advance(1s);
    hold("A", alice, R"({"ttl_seconds":100})");
    server.clock().advance(1s);
    hold("c", root, R"({"ttl_seconds":200})");
    const std::vector<std::pair<std::string, std::string>> orders = {
        {"name", "A b c "},        {"-name", "c b A "},       {"expires_at", "A c b "},
        {"-expires_at", "b c A "}, {"acquired_at", "b A c "}, {"fencing_token", "b A c "},
        {"holder", "A b c "},      {"-holder", "c b A "},     {"waiters", "A b c "},
    };
    for (const auto& [sort, expected] : orders)
    {
        EXPECT_EQ(valuesOf(get("/admin/locks?sort=" + sort), "name"), expected) << sort;
        EXPECT_EQ(paged("/admin/locks?sort=" + sort, "name"), expected) << sort;
    }
}

TEST_F(AdminListTest, ALockShowsWhatTheConsoleNeedsAndNoLeaseId)
{
    const std::string session = openSession();
    const std::int64_t term = hold("jobs/x", alice,
                                   "{\"session_id\":\"" + session +
                                       R"(","ephemeral":true,"metadata":"m","ttl_seconds":30,)"
                                       R"("acl":{"acquire":["user:alice"]}})");
    server.clock().advance(10s);
    const http::Response page = get("/admin/locks");
    const JsonValue::Object body = jsonOf(page);
    EXPECT_EQ(*body.at("total").asInteger(), 1);
    const JsonValue::Object& lock = *(*body.at("items").asArray())[0].asObject();
    EXPECT_EQ(*lock.at("holder").asString(), "alice");
    EXPECT_EQ(*lock.at("session_id").asString(), session);
    EXPECT_NE(*lock.at("holder_id").asString(), session) << "a pseudonym";
    EXPECT_EQ(*lock.at("fencing_token").asInteger(), term);
    EXPECT_EQ(*lock.at("ttl_remaining_ms").asInteger(), 20'000);
    EXPECT_EQ(*lock.at("metadata").asString(), "m");
    EXPECT_TRUE(*lock.at("acl").asBool());
    EXPECT_TRUE(*lock.at("ephemeral").asBool());
    EXPECT_EQ(lock.count("lease_id"), 0U);
}

TEST_F(AdminListTest, SearchIgnoresCaseAndTotalCountsWhatIsFound)
{
    hold("Jobs/a");
    hold("jobs/b");
    hold("other", root);
    EXPECT_EQ(valuesOf(get("/admin/locks?q=JOBS"), "name"), "Jobs/a jobs/b ");
    EXPECT_EQ(*jsonOf(get("/admin/locks?q=jobs&limit=1")).at("total").asInteger(), 2);
    EXPECT_EQ(valuesOf(get("/admin/locks?q=root"), "name"), "other ") << "by its holder";
}

TEST_F(AdminListTest, RoomsShowTheirLeaderAndHowManyWait)
{
    lead("room-0001", "alpha");
    lead("room-0002", "beta");
    const auto waiting = server.begin({Method::Post,
                                       "/elections/room-0001/campaign",
                                       {},
                                       R"({"candidate_id":"gamma","wait_seconds":60})"});
    const http::Response page = get("/admin/elections?sort=-candidates");
    EXPECT_EQ(valuesOf(page, "election_id"), "room-0001 room-0002 ");
    const JsonValue::Object body = jsonOf(page);
    const JsonValue::Object& first = *(*body.at("items").asArray())[0].asObject();
    EXPECT_EQ(*first.at("candidate_id").asString(), "alpha");
    EXPECT_EQ(*first.at("candidates").asInteger(), 1);
    EXPECT_EQ(valuesOf(get("/admin/elections?q=beta"), "election_id"), "room-0002 ");

    const http::Response queue = get("/admin/queues?election=room-0001");
    EXPECT_EQ(valuesOf(queue, "label"), "gamma ");
    EXPECT_EQ(valuesOf(queue, "kind"), "election ");
    EXPECT_EQ(queue.body, get("/admin/queues?name=__election/room-0001").body);
    server.coordinator().drain();
    EXPECT_EQ(waiting().status, 503);
}

TEST_F(AdminListTest, SessionsShowAccountAndLocks)
{
    const std::string session = openSession();
    openSession(root);
    hold("a", alice, "{\"session_id\":\"" + session + "\"}");
    EXPECT_EQ(valuesOf(get("/admin/sessions?sort=account"), "account"), "alice root ");
    EXPECT_EQ(valuesOf(get("/admin/sessions?sort=-lock_count&limit=1"), "id"), session + " ");
    EXPECT_EQ(paged("/admin/sessions?sort=-account", "account"), "root alice ");
}

TEST_F(AdminListTest, AccountsOfEveryProviderAreListedWithoutSecrets)
{
    EXPECT_EQ(valuesOf(get("/admin/accounts"), "name"), "alice bob root watcher ");
    EXPECT_EQ(valuesOf(get("/admin/accounts?sort=-name"), "name"), "watcher root bob alice ");
    EXPECT_EQ(valuesOf(get("/admin/accounts?q=TEAM"), "name"), "bob ");
    EXPECT_EQ(paged("/admin/accounts?sort=created_at", "name"), "alice bob root watcher ");
    const std::string body = get("/admin/accounts").body;
    EXPECT_EQ(body.find("token"), std::string::npos);
    EXPECT_EQ(body.find(toHex(sha256(alice))), std::string::npos);
}

TEST_F(AdminListTest, AListThatOnlyCountedDownIsNotSentAgain)
{
    hold("a");
    const http::Response first = get("/admin/locks");
    const std::string* tag = first.headers.find("etag");
    ASSERT_NE(tag, nullptr);
    const auto again = [&]
    {
        return server.ask(
            {Method::Get,
             "/admin/locks",
             {{"Authorization", "Bearer " + std::string(watcher)}, {"If-None-Match", *tag}}});
    };
    server.clock().advance(5s);
    EXPECT_EQ(again().status, 304);
    EXPECT_EQ(again().body, "");
    hold("b");
    EXPECT_EQ(again().status, 200);
}

TEST_F(AdminListTest, ABadQueryIsRefused)
{
    const std::vector<std::string> bad = {
        "locks?limit=0",
        "locks?limit=1001",
        "locks?limit=x",
        "locks?sort=lease",
        "locks?sort=",
        "locks?sort=--name",
        "locks?q=a&q=b",
        "locks?after=%zz",
        "elections?sort=name",
        "sessions?sort=ttl",
        "accounts?sort=id",
        "servers?sort=name",
        "queues",
        "queues?name=a&election=b",
        "queues?name=a//b",
        "queues?election=x",
        "queues?name=a&limit=257",
        "queues?name=a&after=b",
    };
    for (const std::string& target : bad)
    {
        const http::Response answer = get("/admin/" + target);
        EXPECT_EQ(answer.status, 400) << target;
    }
}

} // namespace
} // namespace octostore::admin_api
