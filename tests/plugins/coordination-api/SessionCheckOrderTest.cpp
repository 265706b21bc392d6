// SPDX-License-Identifier: MIT
// Goal: of several faults in one request about sessions, their locks and access lists the client is
// told about the one the contract puts first.
// Method: start with every fault at once and mend one after the other.
#include "SessionApiTest.h"

#include <string>
#include <vector>

namespace octostore::test
{
namespace
{

using namespace std::chrono_literals;

class SessionCheckOrderTest : public SessionApiTest
{
protected:
    static constexpr std::string_view foreignSession = "2b1c4a5e-8f00-4c1d-9a2b-0123456789ab";
};

TEST_F(SessionCheckOrderTest, Sessions)
{
    expectError(_server.post("/sessions", "{", {}), 401, "authentication_required");
    expectError(_server.post("/sessions", "{", "unknown"), 401, "authentication_failed");
    expectError(_server.post("/sessions", "{", alice), 400, "invalid_input");
    expectError(_server.ask({http::Method::Post, "/sessions", std::string(alice), "{}", ""}), 415,
                "invalid_input");
    for (const auto method : {http::Method::Get, http::Method::Delete})
    {
        expectError(ask(method, "/sessions/x", {}), 401, "authentication_required");
        expectError(ask(method, "/sessions/x", alice), 400, "invalid_input");
        expectError(ask(method, "/sessions/" + std::string(foreignSession), alice), 404,
                    "not_found");
    }
    expectError(keepAlive("x", {}), 401, "authentication_required");
    expectError(keepAlive("x", alice), 400, "invalid_input");
}

TEST_F(SessionCheckOrderTest, AKeepaliveTakesAnyBody)
{
    const std::string id = open(alice);
    const Call call = _server.ask({http::Method::Post, "/sessions/" + id + "/keepalive",
                                   std::string(alice), "\xFF{not json", "text/plain"});
    EXPECT_EQ(call.status(), 200) << call.body();
}

TEST_F(SessionCheckOrderTest, AcquireFromTheAccessListToTheStore)
{
    // The name has a list without alice, cools, and alice is at her limit with a dead session.
    const std::string bobs =
        leaseOf("team.a", root, R"({"lock_delay_seconds":30,"acl":{"acquire":["user:root"]}})");
    EXPECT_EQ(release("team.a", root, bobs).status(), 200);
    const std::string dead = open(alice, R"({"ttl_seconds":10})");
    _server.advance(10s);
    for (int i = 0; i < 100; ++i)
        leaseOf("mine-" + std::to_string(i), alice, R"({"ttl_seconds":3600})");

    const std::string other = R"(,"acl":{"acquire":["user:bob"]})";
    expectError(acquire("team.a", alice, in(dead, other)), 409, "conflict");
    const std::string same = R"(,"acl":{"acquire":["user:ROOT"]})";
    expectError(acquire("team.a", alice, in(dead, same)), 403, "forbidden");
    EXPECT_EQ(putAcl("team.a", root, R"(["user:alice"])").status(), 200);
    const Call delayed = acquire("team.a", alice, in(dead));
    EXPECT_EQ(delayed.status(), 409);
    EXPECT_EQ(textOf(delayed.json(), "status"), "delayed");
    _server.advance(20s);
    leaseOf("team.a", root);
    expectError(acquire("team.a", alice, in(std::string(foreignSession))), 404, "not_found");
    expectError(acquire("team.a", alice, in(dead)), 410, "session_expired");
    expectError(acquire("team.a", alice, in(open(alice))), 403, "lock_limit_exceeded");
    EXPECT_EQ(
        release("mine-0", alice, textOf(acquire("mine-0", alice).json(), "lease_id")).status(),
        200);
    EXPECT_EQ(textOf(acquire("team.a", alice, in(open(alice))).json(), "status"), "held");
}

TEST_F(SessionCheckOrderTest, PuttingAList)
{
    const auto put = [this](const std::string& name, std::string_view token,
                            const std::string& body, const std::string& type = "application/json")
    {
        return _server.ask(
            {http::Method::Put, "/locks/" + name + "/acl", std::string(token), body, type});
    };
    expectError(put("%20", {}, "{"), 401, "authentication_required");
    expectError(put("%20", alice, "{}", "text/plain"), 415, "invalid_input");
    expectError(put("%20", alice, "{"), 400, "invalid_input");
    expectError(put("%20", alice, "{}"), 422, "invalid_input");
    expectError(put("%20", alice, R"({"acl":null})"), 422, "invalid_input");
    expectError(put("%20", alice, R"({"acl":{}})"), 422, "invalid_input");
    expectError(put("%20", alice, acl("[]")), 400, "invalid_lock_name");
    expectError(put("a", alice, acl("[]")), 400, "invalid_input");
    expectError(put("a", alice, acl(R"(["user:alice"])")), 404, "not_found");
    leaseOf("a", bob);
    expectError(put("a", alice, acl(R"(["user:alice"])")), 403, "forbidden");
    EXPECT_EQ(put("a", bob, acl(R"(["user:alice"])")).status(), 200);
}

TEST_F(SessionCheckOrderTest, DroppingAList)
{
    expectError(dropAcl("%20", {}), 401, "authentication_required");
    expectError(dropAcl("%20", alice), 400, "invalid_lock_name");
    expectError(dropAcl("a", alice), 404, "not_found");
    leaseOf("a", bob, acl(R"(["user:bob"])"));
    expectError(dropAcl("a", alice), 403, "forbidden");
    expectEmpty204(dropAcl("a", bob));
    expectError(dropAcl("a", bob), 404, "not_found");
    expectError(ask(http::Method::Get, "/locks/a/acl", bob), 405, "invalid_input");
}

} // namespace
} // namespace octostore::test
