// SPDX-License-Identifier: MIT
// Goal: a conversation that uses everything gets the answers that are described, good ones and
// refusals; what is described and never seen is told.
#include "DescribedServer.h"

#include <gtest/gtest.h>

#include <iostream>
#include <string>

namespace octostore::test
{
namespace
{

class ConversationTest : public DescribedServerTest
{
protected:
    /// `name`: "METHOD /path" of the description; `target`: what is asked for.
    JsonValue::Object ask(std::string_view name, const std::string& target, int status,
                          const std::string& credential = {}, const std::string& body = {},
                          const std::string& headers = {})
    {
        const Operation& operation = _description.operation(name);
        std::string request =
            operation.method + " " + target + " HTTP/1.1\r\nHost: x\r\n" + headers + credential;
        if (operation.body != nullptr)
            request += "Content-Type: application/json\r\n";
        request += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
        const auto answer = send(request);
        EXPECT_TRUE(answer) << name;
        if (!answer)
            return {};
        EXPECT_EQ(answer->status, status) << name << ": " << answer->body;
        EXPECT_EQ(_description.judge(operation, *answer), "") << name;
        const auto json = parseAny(answer->body);
        return json && json->asObject() != nullptr ? *json->asObject() : JsonValue::Object();
    }
    static std::string textOf(const JsonValue::Object& object, const std::string& key)
    {
        const auto found = object.find(key);
        return found == object.end() || found->second.asString() == nullptr
                   ? ""
                   : *found->second.asString();
    }
    static std::string numberOf(const JsonValue::Object& object, const std::string& key)
    {
        const auto found = object.find(key);
        return found == object.end() || found->second.asInteger() == nullptr
                   ? "0"
                   : std::to_string(*found->second.asInteger());
    }

    void holdAnElection();
    void holdALock();
    void liveInASession();
    void administrate();
    void readPages();

    const std::string _alice = "Authorization: Bearer alice-secret-token\r\n";
    const std::string _bob = "Authorization: Bearer bob-secret-token\r\n";
    const std::string _admin = "X-Admin-Key: the-admin-key\r\n";
};

void ConversationTest::holdAnElection()
{
    const std::string room =
        "/elections/" + textOf(ask("POST /elections", "/elections", 201), "election_id");
    ask("GET /elections/{id}", room, 200);
    const auto won = ask("POST /elections/{id}/campaign", room + "/campaign", 200, "",
                         R"({"candidate_id":"a","metadata":"m"})");
    EXPECT_EQ(textOf(won, "status"), "leader");
    ask("POST /elections/{id}/campaign", room + "/campaign", 200, "", R"({"candidate_id":"b"})");
    ask("POST /elections/{id}/campaign", room + "/campaign", 400, "", R"({"candidate_id":""})");
    ask("POST /elections/{id}/campaign", room + "/campaign", 422, "", "{}");
    ask("GET /elections/{id}", room, 200);
    ask("GET /elections/{id}/fence", room + "/fence?term=1", 200);
    ask("GET /elections/{id}/watch", room + "/watch", 200);
    const std::string token = R"({"leader_token":")" + textOf(won, "leader_token") + "\"}";
    ask("POST /elections/{id}/renew", room + "/renew", 200, "", token);
    ask("POST /elections/{id}/resign", room + "/resign", 200, "", token);
    ask("POST /elections/{id}/resign", room + "/resign", 404, "", token);
    ask("GET /elections/{id}", "/elections/short", 400);
}

void ConversationTest::holdALock()
{
    const std::string lock = "/locks/repos/acme/app";
    ask("GET /locks/{name}", lock, 401);
    ask("GET /locks/{name}", lock, 200, _alice);
    const auto got =
        ask("POST /locks/{name}/acquire", lock + "/acquire", 200, _alice,
            R"({"lock_delay_seconds":30,"acl":{"acquire":["user:alice","user:bob"]}})");
    EXPECT_EQ(textOf(got, "status"), "acquired");
    ask("POST /locks/{name}/acquire", lock + "/acquire", 200, _bob, "{}");
    ask("POST /locks/{name}/acquire", lock + "/acquire", 400, _bob, R"({"ttl_seconds":0})");
    ask("POST /locks/{name}/acquire", lock + "/acquire", 422, _bob, R"({"ttl_seconds":"x"})");
    ask("GET /locks/{name}", lock, 200, _bob);
    ask("GET /locks", "/locks?prefix=repos/&limit=1", 200, _alice);
    ask("GET /locks", "/locks?limit=0", 400, _alice);
    ask("GET /locks/{name}/fence", lock + "/fence?term=1", 200, _alice);
    ask("GET /locks/{name}/watch", lock + "/watch", 200, _alice);
    ask("PUT /locks/{name}/acl", lock + "/acl", 200, _alice,
        R"({"acl":{"acquire":["user:alice"]}})");
    ask("PUT /locks/{name}/acl", lock + "/acl", 403, _bob, R"({"acl":{"acquire":["user:bob"]}})");
    const std::string lease = R"({"lease_id":")" + textOf(got, "lease_id") + "\"}";
    ask("POST /locks/{name}/renew", lock + "/renew", 200, _alice, lease);
    ask("POST /locks/{name}/release", lock + "/release", 400, _bob, lease);
    ask("POST /locks/{name}/release", lock + "/release", 200, _alice, lease);
    ask("POST /locks/{name}/release", lock + "/release", 404, _alice, lease);
    ask("POST /locks/{name}/acquire", lock + "/acquire", 409, _alice, "{}");
    ask("DELETE /locks/{name}/acl", lock + "/acl", 204, _admin);
    ask("DELETE /locks/{name}/acl", lock + "/acl", 404, _admin);
}

void ConversationTest::liveInASession()
{
    const auto opened = ask("POST /sessions", "/sessions", 201, _alice, "{}");
    const std::string session = "/sessions/" + textOf(opened, "session_id");
    ask("GET /sessions/{id}", session, 200, _alice);
    ask("GET /sessions/{id}", session, 404, _bob);
    ask("GET /sessions/{id}", "/sessions/x", 400, _alice);
    ask("POST /sessions/{id}/keepalive", session + "/keepalive", 200, _alice);
    ask("DELETE /sessions/{id}", session, 204, _alice);
    ask("DELETE /sessions/{id}", session, 204, _alice);
    ask("POST /auth/token/rotate", "/auth/token/rotate", 409, _alice);
    ask("POST /auth/register", "/auth/register", 404, "", R"({"username":"x"})");
    ask("GET /events", "/events?limit=3", 200, _alice);
    ask("GET /events", "/events?limit=0", 400, _alice);
    ask("GET /events", "/events", 200, _alice, "", "Accept: text/event-stream\r\n");
}

void ConversationTest::administrate()
{
    const auto got = ask("POST /locks/{name}/acquire", "/locks/forced/acquire", 200, _alice, "{}");
    const auto won = ask("POST /elections/{id}/campaign", "/elections/forced-room/campaign", 200,
                         "", R"({"candidate_id":"a"})");
    const auto opened = ask("POST /sessions", "/sessions", 201, _alice, "{}");
    for (const char* list : {"locks", "elections", "sessions", "accounts", "servers", "config",
                             "plugins", "me", "status"})
    {
        const std::string path = std::string("/admin/") + list;
        ask("GET " + path, path, 200, _admin);
        ask("GET " + path, path, 403, _alice);
    }
    ask("GET /admin/queues", "/admin/queues?name=forced", 200, _admin);
    const std::string because = R"(,"reason":"a test"})";
    const std::string force = "/admin/locks/forced/force-release";
    ask("POST /admin/locks/{name}/force-release", force, 409, _admin, R"({"term":1)" + because);
    ask("POST /admin/locks/{name}/force-release", force, 200, _admin,
        R"({"term":)" + numberOf(got, "fencing_token") + because);
    const std::string term =
        won.count("leader") == 0 ? "0" : numberOf(*won.at("leader").asObject(), "term");
    ask("POST /admin/elections/{id}/force-resign", "/admin/elections/forced-room/force-resign", 200,
        _admin, R"({"term":)" + term + because);
    ask("DELETE /admin/sessions/{id}", "/admin/sessions/" + textOf(opened, "session_id"), 204,
        _admin, R"({"reason":"a test"})");
    ask("POST /admin/reload", "/admin/reload", 200, _admin, R"({"reason":"a test"})");
    ask("POST /admin/backup", "/admin/backup", 200, _admin, R"({"reason":"a test"})");
}

void ConversationTest::readPages()
{
    for (const char* path : {"/", "/docs", "/openapi.yaml", "/openapi.json", "/health", "/status",
                             "/livez", "/readyz"})
        ask(std::string("GET ") + path, path, 200);
    ask("GET /livez/{check}", "/livez/engine", 200);
    ask("GET /readyz/{check}", "/readyz/nothing", 404);
    for (const char* path :
         {"/metrics", "/metrics/prometheus", "/admin/metrics/timeseries", "/admin/metrics/series"})
    {
        ask(std::string("GET ") + path, path, 200, _admin);
        ask(std::string("GET ") + path, path, 401);
    }
    ask("GET /metrics", "/metrics", 200, _admin, "", "Accept: text/plain\r\n");
    ask("GET /admin/metrics/series", "/admin/metrics/series?range=1y", 400, _admin);
}

TEST_F(ConversationTest, EveryPartOfTheServerOffersItsNumbers)
{
    ask("POST /locks/{name}/acquire", "/locks/a/acquire", 200, _alice, "{}");
    const auto answer = send("GET /metrics/prometheus HTTP/1.1\r\nHost: x\r\n" + _admin + "\r\n");
    ASSERT_TRUE(answer);
    for (const char* line :
         {"octostore_locks_held 1", "octostore_lock_acquire_total{result=\"granted\"} 1",
          "octostore_config_last_reload_successful 1",
          "octostore_store_errors_total{op=\"commit\"} 0",
          "octostore_plugin_state{id=\"metrics\",state=\"started\"} 1"})
        EXPECT_NE(answer->body.find("\n" + std::string(line) + "\n"), std::string::npos) << line;
    EXPECT_EQ(answer->body.find("\noctostore_store_commit_duration_seconds_count 0\n"),
              std::string::npos);
    EXPECT_NE(answer->body.find("\noctostore_store_fsync_duration_seconds_count "),
              std::string::npos);
}

TEST_F(ConversationTest, EveryAnswerIsAsDescribed)
{
    holdAnElection();
    holdALock();
    liveInASession();
    administrate();
    readPages();
    // Refusals that every route can give would only hide what matters.
    std::size_t unseen = 0;
    std::cout << "described successes that did not come:\n";
    for (const std::string& answer : _description.unseen())
    {
        ++unseen;
        if (answer[answer.size() - 3] < '4')
            std::cout << "  " << answer << '\n';
    }
    std::cout << "described answers that did not come: " << unseen << " of "
              << _description.documented() << '\n';
}

} // namespace
} // namespace octostore::test
