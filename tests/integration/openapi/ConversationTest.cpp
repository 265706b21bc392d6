// SPDX-License-Identifier: MIT
// Goal: a conversation that uses everything gets the answers that are described, good ones and
// refusals, and everything that is described comes.
#include "Conversation.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <thread>

namespace octostore::test
{
namespace
{

class ConversationTest : public Conversation
{
protected:
    using Conversation::ask;
    JsonValue::Object ask(std::string_view name, const std::string& target, int status,
                          const std::string& headers = {}, const std::string& body = {})
    {
        return ask(_server, name, target, status, headers, body);
    }

    void converse();
    void holdAnElection();
    void holdALock();
    void liveInASession();
    void administrate();
    void readPages();

    DescribedServer _server{ServerProcess::Properties{
        {"auth.static.zed.token", "team-secret-token"}, {"auth.static.zed.namespace", "team"}}};
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
    ask("GET /events", "/events", 200, _alice + "Accept: text/event-stream\r\n");
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
    ask("POST /admin/elections/{id}/force-resign", "/admin/elections/forced-room/force-resign", 409,
        _admin, R"({"term":999)" + because);
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
    ask("GET /readyz/{check}", "/readyz/store", 200);
    ask("GET /admin", "/admin", 308);
    ask("GET /admin/", "/admin/", 200);
    for (const char* path : {"/metrics", "/metrics/prometheus", "/admin/metrics/timeseries"})
    {
        ask(std::string("GET ") + path, path, 200, _admin);
        ask(std::string("GET ") + path, path, 401);
    }
    ask("GET /metrics", "/metrics", 200, _admin + "Accept: text/plain\r\n");
    ask("GET /admin/metrics/timeseries", "/admin/metrics/timeseries?range=24h", 200, _admin);
}

void ConversationTest::converse()
{
    holdAnElection();
    holdALock();
    liveInASession();
    administrate();
    readPages();
}

/// Whoever drops one of them breaks somebody's alert or dashboard.
const std::set<std::string> metricNames = {
    // the server
    "octostore_build_info", "octostore_start_time_seconds",
    "octostore_config_last_reload_successful",
    "octostore_config_last_reload_success_timestamp_seconds", "octostore_http_requests_total",
    "octostore_http_request_duration_seconds", "octostore_http_inflight_requests",
    "octostore_http_connections", "octostore_http_rejected_total", "octostore_rate_limited_clients",
    "octostore_auth_failures_total", "octostore_audit_events_total", "octostore_plugin_info",
    "octostore_plugin_state", "octostore_accounts", "octostore_http_threads",
    "octostore_http_queue_length", "octostore_plugin_callback_errors_total",
    "octostore_plugin_queue_dropped_total", "octostore_log_messages_total",
    "process_cpu_seconds_total", "process_open_fds", "process_max_fds",
    "process_resident_memory_bytes", "process_virtual_memory_bytes", "process_start_time_seconds",
    // leases
    "octostore_locks_held", "octostore_elections", "octostore_lock_waiters",
    "octostore_lock_acquire_total", "octostore_lock_wait_seconds", "octostore_lock_hold_seconds",
    "octostore_lock_queue_depth", "octostore_lock_release_total",
    "octostore_elections_without_leader", "octostore_election_leaderless_seconds",
    "octostore_lease_hold_seconds", "octostore_lease_vacant_seconds",
    "octostore_lease_grants_total", "octostore_lease_renewals_total",
    "octostore_lease_near_expiry_renewals_total", "octostore_lease_renewal_left_ratio",
    "octostore_lease_ends_total", "octostore_lease_expiry_lag_seconds",
    "octostore_lease_handover_seconds", "octostore_fencing_rejections_total",
    "octostore_election_leader_changes_total", "octostore_acquires_total",
    "octostore_releases_total", "octostore_expirations_total",
    // sessions
    "octostore_sessions_active", "octostore_sessions_created_total",
    "octostore_sessions_closed_total", "octostore_session_renewals_total",
    "octostore_session_expiry_lag_seconds",
    // watches and webhooks
    "octostore_watchers", "octostore_watched_topics", "octostore_watch_events_total",
    "octostore_watch_slow_consumers_total", "octostore_webhook_attempts_total",
    "octostore_webhook_queue_length", "octostore_webhook_in_flight",
    "octostore_webhook_deliveries_total", "octostore_webhook_attempt_duration_seconds",
    "octostore_webhook_oldest_pending_seconds", "octostore_webhook_endpoints",
    "octostore_webhook_breaker_open", "octostore_webhook_egress_denied_total",
    "octostore_webhook_disabled_total", "octostore_webhook_log_dropped_total",
    // the store
    "octostore_store_commit_duration_seconds", "octostore_store_fsync_duration_seconds",
    "octostore_store_size_bytes", "octostore_store_revision", "octostore_store_errors_total",
    "octostore_store_transactions_total", "octostore_journal_newest_sequence",
    "octostore_journal_trimmed_sequence"};

/// What the rules and the dashboard that are given away ask for.
std::set<std::string> namesInExamples()
{
    std::set<std::string> names;
    for (const char* file : {"alerts.yaml", "dashboard.json"})
    {
        std::ostringstream read;
        read << std::ifstream(std::string(OCTOSTORE_MONITORING) + "/" + file).rdbuf();
        const std::string text = read.str();
        const std::regex name("octostore_[a-z_]+");
        for (std::sregex_iterator found(text.begin(), text.end(), name), end; found != end; ++found)
            names.insert(std::regex_replace(found->str(), std::regex("_(bucket|sum|count)$"), ""));
    }
    EXPECT_FALSE(names.empty());
    return names;
}

TEST_F(ConversationTest, EveryPartOfTheServerOffersItsNumbers)
{
    ask("POST /locks/{name}/acquire", "/locks/a/acquire", 200, _alice, "{}");
    const Operation& read = _description.operation("GET /metrics/prometheus");
    auto answer = _server.send(requestOf(read, read.path, _admin, ""));
    // What is counted from the journal may come a moment later.
    for (int tries = 0; tries < 3'000 && answer &&
                        answer->body.find("\noctostore_locks_held 1\n") == std::string::npos;
         ++tries)
    {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        answer = _server.send(requestOf(read, read.path, _admin, ""));
    }
    ASSERT_TRUE(answer);
    std::set<std::string> names = metricNames;
    names.merge(namesInExamples());
    for (const std::string& name : names)
        EXPECT_NE(answer->body.find("\n# TYPE " + name + " "), std::string::npos) << name;
    for (const char* line : {"octostore_locks_held 1", "octostore_lock_waiters{kind=\"lock\"} 0",
                             "octostore_lock_queue_depth_count{kind=\"election\"} 0",
                             "octostore_lock_acquire_total{kind=\"lock\",result=\"granted\"} 1",
                             "octostore_config_last_reload_successful 1",
                             "octostore_store_errors_total{op=\"commit\"} 0",
                             "octostore_plugin_state{id=\"metrics\",state=\"started\"} 1",
                             "octostore_plugin_callback_errors_total{id=\"metrics\"} 0",
                             "octostore_plugin_queue_dropped_total{id=\"metrics\"} 0",
                             "octostore_plugin_queue_dropped_total{id=\"watches\"} 0"})
        EXPECT_NE(answer->body.find("\n" + std::string(line) + "\n"), std::string::npos) << line;
    for (const char* line : {"octostore_store_commit_duration_seconds_count 0",
                             "octostore_log_messages_total{level=\"info\"} 0",
                             "octostore_http_threads{state=\"busy\"} 0"})
        EXPECT_EQ(answer->body.find("\n" + std::string(line) + "\n"), std::string::npos) << line;
    EXPECT_NE(answer->body.find("\noctostore_store_fsync_duration_seconds_count "),
              std::string::npos);
}

TEST_F(ConversationTest, EveryOperationHasExamplesThatAreAsDescribed)
{
    for (const Operation& operation : _description.operations())
        EXPECT_EQ(_description.judgeExamples(operation), "") << operation.name();
}

TEST_F(ConversationTest, EveryAnswerIsAsDescribedAndEveryDescribedAnswerComes)
{
    converse();
    refuseBodies(_server);
    refuseCredentials(_server);
    refuseValues(_server);
    refuseWhatIsNotThere(_server);
    tellWhatIsKnown(_server);
    refuseWhereElectionsAreOff();
    refuseWhatIsTooMuch();
    registerAnAccount();
    refuseACopyThatDoesNotFit();
    deliverToAReceiver();
    loseTheKeyOfSecrets();
    refuseWhatIsOver();
    refuseWhileStopping();
    refuseWhatChangedMeanwhile();
    refuseMoreNamesThanMayBeWatched();
    reportWhatFails();
    refuseMoreThanOneCopy();
    for (const std::string& answer : _description.unseen())
        ADD_FAILURE() << answer << " is described and did not come";
    std::cout << "described answers: " << _description.documented() << '\n';
}

} // namespace
} // namespace octostore::test
