// SPDX-License-Identifier: MIT
// Goal: a client written against the contract finds everything where it expects it.
// Method: one conversation with the real program on each transport, in the order of the contract's
// chapters: elections, locks, access lists, sessions, accounts, and what all answers have in
// common.
#include "ServerTest.h"

#include <algorithm>
#include <regex>

namespace octostore::test
{
namespace
{

class ContractWalkthroughTest : public ServerTest, public testing::WithParamInterface<const char*>
{
protected:
    void SetUp() override
    {
        start({{"http.transport", GetParam()}, {"auth.admin_key", "the-admin-key"}});
    }

    ServerAnswer ask(const std::string& method, const std::string& target,
                     std::string_view token = {}, std::optional<std::string> body = {},
                     const std::string& type = "application/json")
    {
        ServerQuestion question;
        question.method = method;
        question.target = target;
        question.body = std::move(body);
        question.contentType = type;
        if (!token.empty())
            question.authorization = "Bearer " + std::string(token);
        const ServerAnswer answer = expectAnswer(_connection->ask(question));
        EXPECT_TRUE(std::regex_match(answer.headers.count("x-request-id") != 0
                                         ? answer.headers.at("x-request-id")
                                         : std::string(),
                                     std::regex("req_[0-9a-f]{32}")))
            << method << " " << target;
        return answer;
    }
    ServerAnswer post(const std::string& target, const std::string& body,
                      std::string_view token = {})
    {
        return ask("POST", target, token, body);
    }
    void expectError(const ServerAnswer& answer, int status, std::string_view code)
    {
        EXPECT_EQ(answer.status, status) << answer.body;
        EXPECT_EQ(answer.text("code"), code) << answer.body;
        EXPECT_EQ(answer.text("request_id"), answer.headers.at("x-request-id"));
    }
    static std::string keysOf(const ServerAnswer& answer)
    {
        std::string keys;
        for (const auto& [key, value] : answer.json())
            keys += key + " ";
        return keys;
    }
    static bool isTime(const std::string& text)
    {
        return std::regex_match(text, std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z)"));
    }
    static std::string quoted(const std::string& key, const std::string& value)
    {
        return "\"" + key + "\":\"" + value + "\"";
    }

    void elections();
    void locks();
    void heldLocks();
    void coolingLocks();
    void accessLists();
    void sessions();
    void accounts();
    void everything();

    std::unique_ptr<ServerClient> _connection;
};

void ContractWalkthroughTest::elections()
{
    const ServerAnswer minted = ask("POST", "/elections");
    EXPECT_EQ(minted.status, 201);
    const std::string room = "/elections/" + minted.text("election_id");
    EXPECT_EQ(minted.text("election_id").size(), 32U);
    EXPECT_EQ(minted.text("campaign_path"), room + "/campaign");
    EXPECT_EQ(minted.text("status_path"), room);
    EXPECT_EQ(minted.text("watch_path"), room + "/watch");

    const ServerAnswer vacant = ask("GET", room);
    EXPECT_EQ(vacant.status, 200);
    EXPECT_EQ(vacant.text("status"), "vacant");
    EXPECT_EQ(vacant.number("retry_after_ms"), 0);
    EXPECT_EQ(vacant.json().count("leader"), 0U);

    expectError(post(room + "/campaign", R"({"candidate_id":"a b"})"), 400, "invalid_input");
    expectError(post(room + "/campaign", R"({"candidate_id":"a","ttl_seconds":4})"), 400,
                "invalid_ttl");
    expectError(post("/elections/short/campaign", R"({"candidate_id":"a"})"), 400, "invalid_input");
    const ServerAnswer won =
        post(room + "/campaign", R"({"candidate_id":"a","ttl_seconds":60,"metadata":"m"})");
    EXPECT_EQ(won.status, 200);
    EXPECT_EQ(won.text("status"), "leader");
    EXPECT_EQ(won.text("leader_token").size(), 43U);
    EXPECT_EQ(won.number("renew_after_ms"), 30'000);
    const JsonValue::Object won_ = won.json();
    const std::int64_t term = *won_.at("leader").asObject()->at("term").asInteger();
    EXPECT_GE(term, 1);

    const ServerAnswer lost = post(room + "/campaign", R"({"candidate_id":"b"})");
    EXPECT_EQ(lost.status, 200);
    EXPECT_EQ(lost.text("status"), "follower");
    EXPECT_EQ(lost.json().count("leader_token"), 0U);
    EXPECT_EQ(ask("GET", room).body.find(won.text("leader_token")), std::string::npos);

    const std::string token = quoted("leader_token", won.text("leader_token"));
    const ServerAnswer renewed = post(room + "/renew", "{" + token + "}");
    EXPECT_EQ(renewed.status, 200);
    EXPECT_EQ(renewed.text("leader_token"), won.text("leader_token"));
    expectError(post(room + "/renew", "{" + quoted("leader_token", std::string(43, 'A')) + "}"),
                400, "lease_not_current");
    const ServerAnswer resigned = post(room + "/resign", "{" + token + "}");
    EXPECT_EQ(resigned.status, 200);
    EXPECT_EQ(resigned.number("previous_term"), term);
    expectError(post(room + "/resign", "{" + token + "}"), 404, "lease_not_current");
}

void ContractWalkthroughTest::locks()
{
    expectError(post("/locks/a/acquire", "{}"), 401, "authentication_required");
    expectError(post("/locks/a/acquire", "{}", "nobody"), 401, "authentication_failed");
    expectError(post("/locks/a%20b/acquire", "{}", alice), 400, "invalid_lock_name");
    expectError(post("/locks/__election%2Froomroom/acquire", "{}", alice), 403, "forbidden");
    expectError(post("/locks/a/acquire", R"({"ttl_seconds":0})", alice), 400, "invalid_ttl");
    expectError(post("/locks/a/acquire", R"({"lock_delay_seconds":31})", alice), 400,
                "invalid_input");
    expectError(post("/locks/a/acquire", R"({"ephemeral":true})", alice), 400, "invalid_input");
    expectError(post("/locks/a/acquire", R"({"acl":{}})", alice), 422, "invalid_input");

    const ServerAnswer free = ask("GET", "/locks/jobs%2Fa", alice);
    EXPECT_EQ(free.text("name"), "jobs/a");
    EXPECT_EQ(free.text("status"), "free");
    EXPECT_TRUE(free.json().at("holder_id").isNull());
    const ServerAnswer got = post("/locks/jobs%2Fa/acquire", R"({"metadata":"m"})", alice);
    EXPECT_EQ(got.status, 200);
    EXPECT_EQ(got.text("status"), "acquired");
    EXPECT_TRUE(isTime(got.text("expires_at"))) << got.body;
    EXPECT_EQ(got.text("metadata"), "m");
    EXPECT_LE(got.number("renew_after_ms"), 30'000);
    EXPECT_GT(got.number("renew_after_ms"), 25'000);
}

void ContractWalkthroughTest::heldLocks()
{
    const ServerAnswer got = post("/locks/jobs/a/acquire", "{}", alice);
    EXPECT_EQ(got.text("metadata"), "m") << "the plain path is the same lock, and it is kept";
    const ServerAnswer held = post("/locks/jobs/a/acquire", "{}", bob);
    EXPECT_EQ(held.status, 200);
    EXPECT_EQ(keysOf(held), "expires_at holder_id metadata retry_after_ms status ");
    EXPECT_EQ(held.text("status"), "held");
    const ServerAnswer status = ask("GET", "/locks/jobs/a", bob);
    EXPECT_EQ(status.text("holder_id"), held.text("holder_id"));
    EXPECT_EQ(status.number("fencing_token"), got.number("fencing_token"));
    EXPECT_EQ(status.body.find(got.text("lease_id")), std::string::npos);
    const ServerAnswer list = ask("GET", "/locks?prefix=jobs%2F", bob);
    EXPECT_EQ(list.number("total"), 1);
    EXPECT_EQ(list.text("prefix"), "jobs/");

    const std::string lease = quoted("lease_id", got.text("lease_id"));
    expectError(post("/locks/jobs/a/renew", R"({"lease_id":"x"})", alice), 422, "invalid_input");
    expectError(post("/locks/jobs/a/renew", "{" + lease + "}", bob), 400, "lease_not_current");
    const ServerAnswer renewed = post("/locks/jobs/a/renew", "{" + lease + "}", alice);
    EXPECT_EQ(renewed.status, 200);
    EXPECT_EQ(renewed.text("lease_id"), got.text("lease_id"));
    const ServerAnswer released = post("/locks/jobs/a/release", "{" + lease + "}", alice);
    EXPECT_EQ(released.status, 200);
    EXPECT_EQ(released.body, "null");
    EXPECT_EQ(released.headers.at("content-type"), "application/json");
    expectError(post("/locks/jobs/a/release", "{" + lease + "}", alice), 404, "lease_not_current");
    EXPECT_GT(post("/locks/jobs/a/acquire", "{}", bob).number("fencing_token"),
              got.number("fencing_token"));
}

void ContractWalkthroughTest::coolingLocks()
{
    const ServerAnswer got = post("/locks/slow/acquire", R"({"lock_delay_seconds":30})", alice);
    post("/locks/slow/release", "{" + quoted("lease_id", got.text("lease_id")) + "}", alice);
    const ServerAnswer delayed = post("/locks/slow/acquire", "{}", alice);
    EXPECT_EQ(delayed.status, 409);
    EXPECT_EQ(keysOf(delayed), "available_at lock_delay_seconds retry_after_ms status ");
    EXPECT_EQ(delayed.text("status"), "delayed");
    EXPECT_EQ(delayed.number("lock_delay_seconds"), 30);
    EXPECT_EQ(delayed.headers.count("retry-after"), 0U);
    EXPECT_EQ(ask("GET", "/locks/slow", alice).text("status"), "free");
}

void ContractWalkthroughTest::accessLists()
{
    const std::string own = R"({"acl":{"acquire":["user:ALICE","token:x"]}})";
    EXPECT_EQ(post("/locks/guarded/acquire", own, alice).text("status"), "acquired");
    expectError(post("/locks/guarded/acquire", "{}", bob), 403, "forbidden");
    expectError(post("/locks/guarded/acquire", R"({"acl":{"acquire":["user:bob"]}})", bob), 409,
                "conflict");
    EXPECT_NE(ask("GET", "/locks/guarded", bob)
                  .body.find(R"("acl":{"acquire":["token:[redacted]","user:alice"]})"),
              std::string::npos);
    const std::string both = R"({"acl":{"acquire":["user:alice","user:bob"]}})";
    expectError(ask("PUT", "/locks/nobody/acl", alice, both), 404, "not_found");
    expectError(ask("PUT", "/locks/guarded/acl", bob, both), 403, "forbidden");
    const ServerAnswer put = ask("PUT", "/locks/guarded/acl", alice, both);
    EXPECT_EQ(put.body, R"({"name":"guarded","acl":{"acquire":["user:alice","user:bob"]}})");
    EXPECT_EQ(post("/locks/guarded/acquire", "{}", bob).text("status"), "held");
    EXPECT_EQ(ask("DELETE", "/locks/guarded/acl", alice).status, 204);
}

void ContractWalkthroughTest::sessions()
{
    expectError(ask("POST", "/sessions", alice), 415, "invalid_input");
    const ServerAnswer opened = post("/sessions", R"({"ttl_seconds":30})", alice);
    EXPECT_EQ(opened.status, 201);
    EXPECT_EQ(opened.number("keepalive_interval_secs"), 15);
    EXPECT_TRUE(isTime(opened.text("expires_at")));
    const std::string session = opened.text("session_id");
    const std::string path = "/sessions/" + session;

    const ServerAnswer got =
        post("/locks/held/acquire",
             "{" + quoted("session_id", session) + R"(,"ephemeral":true,"ttl_seconds":60})", alice);
    EXPECT_EQ(got.text("status"), "acquired") << got.body;
    EXPECT_LE(got.number("authority_ms"), 30'000) << "no longer than its session";
    EXPECT_EQ(ask("POST", path + "/keepalive", alice).text("session_id"), session);
    expectError(ask("POST", path + "/keepalive", bob), 404, "not_found");
    expectError(ask("POST", "/sessions/x/keepalive", alice), 400, "invalid_input");
    const std::string lease = "{" + quoted("lease_id", got.text("lease_id")) + "}";
    expectError(post("/locks/held/release", lease, bob), 404, "not_found");
    EXPECT_EQ(post("/locks/held/renew", lease, alice).text("lease_id"), got.text("lease_id"));
    const ServerAnswer shown = ask("GET", path, alice);
    EXPECT_EQ(keysOf(shown), "active expires_at lock_count session_id user_id ");
    EXPECT_EQ(shown.number("lock_count"), 1);

    const ServerAnswer closed = ask("DELETE", path, alice);
    EXPECT_EQ(closed.status, 204);
    EXPECT_EQ(closed.body, "");
    EXPECT_EQ(ask("DELETE", path, alice).status, 204) << "it is known to have ended";
    EXPECT_EQ(ask("GET", "/locks/held", bob).text("status"), "free");
    expectError(ask("GET", path, alice), 404, "not_found");
}

void ContractWalkthroughTest::accounts()
{
    expectError(ask("POST", "/auth/token/rotate"), 401, "authentication_required");
    expectError(ask("POST", "/auth/token/rotate", alice), 409, "conflict");
    expectError(post("/auth/register", R"({"username":"dora"})"), 404, "not_found");
    expectError(ask("GET", "/auth/github"), 404, "not_found");
    expectError(ask("GET", "/admin/accounts", alice), 403, "forbidden");
    EXPECT_EQ(ask("GET", "/admin/accounts", "admin:the-admin-key").number("total"), 3);
    expectError(ask("GET", "/locks", "admin:the-admin-key"), 401, "authentication_failed");
}

void ContractWalkthroughTest::everything()
{
    expectError(ask("GET", "/nowhere"), 404, "not_found");
    expectError(ask("GET", "/locks/x/", alice), 404, "not_found");
    const ServerAnswer wrongMethod = ask("GET", "/locks/x/acquire", alice);
    expectError(wrongMethod, 405, "invalid_input");
    EXPECT_EQ(wrongMethod.headers.at("allow"), "POST");
    expectError(ask("POST", "/locks/x/acquire", alice, "{}", "text/plain"), 415, "invalid_input");
    expectError(post("/locks/x/acquire", "{", alice), 400, "invalid_input");
    expectError(post("/locks/x/acquire", "[]", alice), 422, "invalid_input");
    const ServerAnswer preflight = ask("OPTIONS", "/nowhere");
    EXPECT_EQ(preflight.status, 200);
    EXPECT_EQ(preflight.body, "");
    EXPECT_EQ(ask("GET", "/health").text("status"), "ok");
    EXPECT_EQ(keysOf(ask("GET", "/status")),
              "active_locks status total_acquires total_releases total_users uptime_seconds ");
}

TEST_P(ContractWalkthroughTest, EveryChapterHoldsInOneConversation)
{
    _connection = std::make_unique<ServerClient>(_port);
    elections();
    locks();
    heldLocks();
    coolingLocks();
    accessLists();
    sessions();
    accounts();
    everything();
}

INSTANTIATE_TEST_SUITE_P(Transports, ContractWalkthroughTest,
                         testing::Values(OCTOSTORE_TEST_TRANSPORTS));

} // namespace
} // namespace octostore::test
