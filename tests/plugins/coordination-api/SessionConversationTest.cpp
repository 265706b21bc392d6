// SPDX-License-Identifier: MIT
// Goal: every outcome a client of sessions can meet, as JSON, status and headers.
// Method: whole conversations against a real engine whose clock stands still.
#include "SessionApiTest.h"

#include <octostore/http/Identity.h>

namespace octostore::test
{
namespace
{

using namespace std::chrono_literals;

class SessionConversationTest : public SessionApiTest
{
};

TEST_F(SessionConversationTest, AnOpenedSessionTellsHowLongItLives)
{
    const Call call = _server.post("/sessions", R"({"ttl_seconds":31})", alice);
    EXPECT_EQ(call.status(), 201);
    const std::string id = textOf(call.json(), "session_id");
    EXPECT_TRUE(Uuid::parse(id));
    EXPECT_EQ(call.body(), "{\"session_id\":\"" + id +
                               "\",\"expires_at\":\"2026-08-03T01:02:34Z\","
                               "\"keepalive_interval_secs\":15,\"authority_ms\":31000}");
    EXPECT_EQ(call.response().headers.find("location"), nullptr);
}

TEST_F(SessionConversationTest, TheTtlIsBroughtIntoItsRangeAndNeverRefused)
{
    const std::vector<std::pair<std::string, std::int64_t>> cases = {
        {"{}", 60'000},
        {R"({"ttl_seconds":null})", 60'000},
        {R"({"ttl_seconds":0})", 10'000},
        {R"({"ttl_seconds":9})", 10'000},
        {R"({"ttl_seconds":10})", 10'000},
        {R"({"ttl_seconds":300})", 300'000},
        {R"({"ttl_seconds":4294967295})", 300'000},
    };
    for (const auto& [body, left] : cases)
    {
        const Call call = _server.post("/sessions", body, alice);
        ASSERT_EQ(call.status(), 201) << body;
        EXPECT_EQ(numberOf(call.json(), "authority_ms"), left) << body;
        EXPECT_EQ(numberOf(call.json(), "keepalive_interval_secs"), left / 2000) << body;
    }
    expectError(_server.post("/sessions", R"({"ttl_seconds":-1})", alice), 422, "invalid_input");
    expectError(_server.post("/sessions", R"({"ttl_seconds":60.0})", alice), 422, "invalid_input");
}

TEST_F(SessionConversationTest, AKeepaliveStartsTheOriginalTtlAgain)
{
    const std::string id = open(alice);
    _server.advance(20s);
    const Call call = keepAlive(id, alice);
    EXPECT_EQ(call.status(), 200);
    EXPECT_EQ(call.body(), "{\"session_id\":\"" + id +
                               "\",\"expires_at\":\"2026-08-03T01:02:53Z\","
                               "\"authority_ms\":30000}");
    _server.advance(30s - 1ms);
    EXPECT_EQ(keepAlive(id, alice).status(), 200);
}

TEST_F(SessionConversationTest, ASessionMayBeNamedInEveryFormOfAUuid)
{
    const std::string id = open(alice);
    std::string bare = id;
    std::erase(bare, '-');
    for (const std::string& form : {id, bare, "urn:uuid:" + id, "%7B" + id + "%7D"})
        EXPECT_EQ(textOf(show(form, alice).json(), "session_id"), id) << form;
}

TEST_F(SessionConversationTest, ASessionShowsItsOwnerAndItsLocks)
{
    const std::string id = open(alice);
    leaseOf("a", alice, in(id));
    leaseOf("b", alice, R"({"session_id":")" + id + "\"}");
    leaseOf("c", alice);
    const Call call = show(id, alice);
    EXPECT_EQ(call.status(), 200);
    EXPECT_EQ(call.body(), "{\"session_id\":\"" + id + "\",\"user_id\":\"" +
                               http::principalIdOf("alice").toString() +
                               "\",\"expires_at\":\"2026-08-03T01:02:33Z\","
                               "\"lock_count\":2,\"active\":true}");
}

TEST_F(SessionConversationTest, AClosedSessionIsGoneAndClosingItAgainIsNoFault)
{
    const std::string id = open(alice);
    expectEmpty204(close(id, alice));
    expectEmpty204(close(id, alice));
    expectError(show(id, alice), 404, "not_found");
    expectError(keepAlive(id, alice), 404, "not_found");
    expectError(acquire("a", alice, in(id)), 404, "not_found");
}

TEST_F(SessionConversationTest, ASessionThatRanOutIsExpiredAndCanStillBeClosed)
{
    const std::string id = open(alice);
    _server.advance(30s - 1ms);
    EXPECT_EQ(keepAlive(id, alice).status(), 200);
    _server.advance(30s);
    expectError(keepAlive(id, alice), 410, "session_expired");
    expectError(acquire("a", alice, in(id)), 410, "session_expired");
    const Call call = show(id, alice);
    EXPECT_EQ(call.status(), 200);
    EXPECT_NE(call.body().find("\"active\":false"), std::string::npos) << call.body();
    expectEmpty204(close(id, alice));
    expectError(keepAlive(id, alice), 410, "session_expired");
}

TEST_F(SessionConversationTest, NobodyButItsOwnerSeesASession)
{
    const std::string id = open(alice);
    for (const std::string_view token : {bob, root})
    {
        expectError(show(id, token), 404, "not_found");
        expectError(keepAlive(id, token), 404, "not_found");
        expectError(close(id, token), 404, "not_found");
        expectError(acquire("team.a", token, in(id)), 404, "not_found");
    }
    EXPECT_EQ(show(id, alice).status(), 200);
}

TEST_F(SessionConversationTest, ASessionNobodyOpenedIsNotFound)
{
    for (const std::string& id :
         {Uuid{}.toString(), std::string("2b1c4a5e-8f00-4c1d-9a2b-0123456789ab")})
    {
        expectError(show(id, alice), 404, "not_found");
        expectError(keepAlive(id, alice), 404, "not_found");
        expectError(close(id, alice), 404, "not_found");
        expectError(acquire("a", alice, in(id)), 404, "not_found");
        expectError(acquire("a", alice, R"({"session_id":")" + id + "\"}"), 404, "not_found");
    }
}

TEST_F(SessionConversationTest, AnAdministratorHasSessionsOfItsOwn)
{
    const std::string id = open(root);
    leaseOf("anything", root, in(id));
    EXPECT_EQ(numberOf(show(id, root).json(), "lock_count"), 1);
    expectEmpty204(close(id, root));
    const auto events = _server.coordinator().eventsOf(id);
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[1].cause, event::Cause::SessionClosed);
    EXPECT_EQ(events[1].actor.kind, event::ActorKind::Admin);
}

TEST_F(SessionConversationTest, TheOneSessionTooManyIsRefusedForAWhile)
{
    ApiServer::Options options;
    options.limits.sessionsPerPrincipalMax = 2;
    ApiServer small(options);
    EXPECT_EQ(small.post("/sessions", "{}", alice).status(), 201);
    EXPECT_EQ(small.post("/sessions", "{}", alice).status(), 201);
    const Call refused = small.post("/sessions", "{}", alice);
    expectError(refused, 409, "capacity_exceeded");
    EXPECT_EQ(*refused.response().headers.find("retry-after"), "30");
    EXPECT_EQ(small.post("/sessions", "{}", bob).status(), 201) << "each account has its own";
}

TEST_F(SessionConversationTest, WhatTheStoreCouldNotWriteIsNoSession)
{
    _server.coordinator().failNextCommit({ErrorCode::Unavailable, "disk full"});
    expectError(_server.post("/sessions", "{}", alice), 503, "internal_error",
                "storage_unavailable");
    const std::string id = open(alice);
    leaseOf("a", alice, in(id));
    _server.coordinator().failNextCommit({ErrorCode::Unavailable, "disk full"});
    expectError(close(id, alice), 503, "internal_error", "storage_unavailable");
    EXPECT_EQ(statusOf("a"), "held") << "nothing was changed";
    expectEmpty204(close(id, alice));
    EXPECT_EQ(statusOf("a"), "free");
}

TEST_F(SessionConversationTest, ASessionThatRanOutBeforeItWasAnsweredIsNever2xx)
{
    _server.coordinator().holdCommits();
    const Call call = _server.post("/sessions", R"({"ttl_seconds":10})", alice);
    EXPECT_FALSE(call.answered());
    _server.advance(10s - 500us); // less than a millisecond is left
    _server.coordinator().releaseCommits();
    _server.advance(0s);
    expectError(call, 503, "internal_error", "outcome_unknown");
}

} // namespace
} // namespace octostore::test
