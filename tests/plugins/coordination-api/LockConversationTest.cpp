// SPDX-License-Identifier: MIT
// Goal: every outcome a client of locks can meet, as JSON, status and headers.
// Method: whole conversations against a real engine whose clock stands still.
#include "ApiTest.h"

#include <octostore/coordination/HolderPseudonym.h>
#include <octostore/http/Identity.h>

namespace octostore::test
{
namespace
{

using namespace std::chrono_literals;

class LockConversationTest : public ApiTest
{
protected:
    static std::string pseudonymOf(const std::string& user)
    {
        return coordination::pseudonymOf(HolderId{http::principalIdOf(user).uuid}).toString();
    }
};

TEST_F(LockConversationTest, AFreeLockIsAcquired)
{
    const Call call =
        acquire("issue-1842", alice, R"({"ttl_seconds":90,"metadata":"build \"7\""})");
    EXPECT_EQ(call.status(), 200);
    const std::string lease = textOf(call.json(), "lease_id");
    EXPECT_TRUE(Uuid::parse(lease));
    EXPECT_EQ(call.body(), "{\"status\":\"acquired\",\"lease_id\":\"" + lease +
                               "\",\"fencing_token\":1,\"expires_at\":\"2026-08-03T01:03:33Z\","
                               "\"renew_after_ms\":45000,\"metadata\":\"build \\\"7\\\"\","
                               "\"authority_ms\":90000,\"waited_ms\":0}");
}

TEST_F(LockConversationTest, TheTtlIsSixtySecondsAndMetadataNullWhenNothingIsSaid)
{
    const Call call = acquire("a", alice);
    EXPECT_EQ(numberOf(call.json(), "authority_ms"), 60'000);
    EXPECT_NE(call.body().find("\"metadata\":null"), std::string::npos);
}

TEST_F(LockConversationTest, AnotherUsersLockIsHeld)
{
    leaseOf("a", alice, R"({"metadata":"m"})");
    _server.advance(1500us);
    const Call call = acquire("a", bob);
    EXPECT_EQ(call.status(), 200);
    EXPECT_EQ(call.body(), "{\"status\":\"held\",\"holder_id\":\"" + pseudonymOf("alice") +
                               "\",\"expires_at\":\"2026-08-03T01:03:03Z\","
                               "\"retry_after_ms\":59998,\"metadata\":\"m\"}");
}

TEST_F(LockConversationTest, ItsHolderGetsTheSameLeaseAgainNeverShortened)
{
    const std::string lease = leaseOf("a", alice, R"({"metadata":"first"})");
    _server.advance(10s);
    const Call shorter = acquire("a", alice, R"({"ttl_seconds":5,"metadata":"second"})");
    EXPECT_EQ(textOf(shorter.json(), "lease_id"), lease);
    EXPECT_EQ(numberOf(shorter.json(), "fencing_token"), 1);
    EXPECT_EQ(textOf(shorter.json(), "metadata"), "first");
    EXPECT_EQ(numberOf(shorter.json(), "authority_ms"), 50'000);

    const Call longer = acquire("a", alice, R"({"ttl_seconds":120})");
    EXPECT_EQ(textOf(longer.json(), "lease_id"), lease);
    EXPECT_EQ(numberOf(longer.json(), "fencing_token"), 1);
    EXPECT_EQ(numberOf(longer.json(), "authority_ms"), 120'000);
}

TEST_F(LockConversationTest, ARenewalMovesTheDeadlineAlsoBack)
{
    const std::string lease = leaseOf("a", alice);
    const Call shorter = renew("a", alice, lease, R"(,"ttl_seconds":7)");
    EXPECT_EQ(shorter.status(), 200);
    EXPECT_EQ(shorter.body(), "{\"lease_id\":\"" + lease +
                                  "\",\"expires_at\":\"2026-08-03T01:02:10Z\","
                                  "\"renew_after_ms\":3500,\"authority_ms\":7000,\"waited_ms\":0}");
    EXPECT_EQ(numberOf(renew("a", alice, lease).json(), "authority_ms"), 60'000);
}

TEST_F(LockConversationTest, AReleasedLockIsFreeAndTheNextTermIsHigher)
{
    const Call released = release("a", alice, leaseOf("a", alice));
    EXPECT_EQ(released.status(), 200);
    EXPECT_EQ(released.body(), "null");
    EXPECT_EQ(*released.response().headers.find("content-type"), "application/json");
    EXPECT_EQ(textOf(_server.get("/locks/a", bob).json(), "status"), "free");
    EXPECT_GT(numberOf(acquire("a", bob).json(), "fencing_token"), 1);
}

TEST_F(LockConversationTest, ALeaseIsOverAtItsDeadlineAndNotBefore)
{
    const std::string lease = leaseOf("a", alice, R"({"ttl_seconds":10})");
    _server.advance(10s - 1ms);
    EXPECT_EQ(textOf(acquire("a", bob).json(), "status"), "held");
    _server.advance(1ms);
    EXPECT_EQ(textOf(acquire("a", bob).json(), "status"), "acquired");
    expectError(renew("a", alice, lease), 400, "lease_not_current", "mismatch");
}

TEST_F(LockConversationTest, ALeaseThatWasNeverThereIsGone)
{
    const std::string lease = Uuid{}.toString();
    expectError(renew("a", alice, lease), 404, "lease_not_current", "gone");
    expectError(release("a", alice, lease), 404, "lease_not_current", "gone");
}

TEST_F(LockConversationTest, ALeaseIsOfNoUseToAnybodyElse)
{
    const std::string lease = leaseOf("a", alice);
    expectError(renew("a", bob, lease), 400, "lease_not_current", "mismatch");
    expectError(release("a", bob, lease), 400, "lease_not_current", "mismatch");
    expectError(renew("a", alice, Uuid{}.toString()), 400, "lease_not_current", "mismatch");
    EXPECT_EQ(renew("a", alice, lease).status(), 200);
}

TEST_F(LockConversationTest, ARepeatedReleaseTellsThatItWasReleased)
{
    const std::string lease = leaseOf("a", alice);
    EXPECT_EQ(release("a", alice, lease).status(), 200);
    _server.advance(3s);
    for (const Call& call : {release("a", alice, lease), renew("a", alice, lease)})
    {
        expectError(call, 404, "lease_not_current", "gone");
        const JsonValue::Object ended = objectOf(call.json(), "ended");
        EXPECT_EQ(numberOf(ended, "term"), 1);
        EXPECT_EQ(textOf(ended, "cause"), "released");
        EXPECT_EQ(textOf(ended, "at"), "2026-08-03T01:02:03Z");
    }
    EXPECT_EQ(release("a", bob, lease).json().count("ended"), 0U)
        << "only the credential whose lease ended is told";
}

TEST_F(LockConversationTest, AnExpiredLeaseTellsThatItExpired)
{
    const std::string lease = leaseOf("a", alice, R"({"ttl_seconds":10})");
    _server.advance(15s);
    for (const Call& call : {renew("a", alice, lease), release("a", alice, lease)})
    {
        expectError(call, 404, "lease_not_current", "expired");
        const JsonValue::Object ended = objectOf(call.json(), "ended");
        EXPECT_EQ(numberOf(ended, "term"), 1);
        EXPECT_EQ(textOf(ended, "cause"), "ttl");
        EXPECT_EQ(textOf(ended, "at"), "2026-08-03T01:02:13Z");
    }
}

TEST_F(LockConversationTest, ALockWithADelayRefusesEveryoneForAWhileAfterItsEnd)
{
    release("a", alice, leaseOf("a", alice, R"({"lock_delay_seconds":7})"));
    _server.advance(2s);
    for (const std::string_view token : {alice, bob, root})
    {
        const Call call = acquire("a", token);
        EXPECT_EQ(call.status(), 409);
        EXPECT_EQ(call.body(), R"({"status":"delayed","available_at":"2026-08-03T01:02:10Z",)"
                               R"("lock_delay_seconds":7,"retry_after_ms":5000})");
        EXPECT_EQ(call.response().headers.find("retry-after"), nullptr);
    }
    const Call status = _server.get("/locks/a", bob);
    EXPECT_EQ(status.body(), R"({"name":"a","status":"free","holder_id":null,"fencing_token":1,)"
                             R"("expires_at":null,"metadata":null,)"
                             R"("available_at":"2026-08-03T01:02:10Z"})");
    _server.advance(5s);
    EXPECT_EQ(textOf(acquire("a", bob).json(), "status"), "acquired");
}

TEST_F(LockConversationTest, StatusShowsAHeldLockToEverybodyButNotItsLease)
{
    const std::string lease = leaseOf("a", alice, R"({"metadata":"m"})");
    const Call status = _server.get("/locks/a", bob);
    EXPECT_EQ(status.status(), 200);
    EXPECT_EQ(status.body(), "{\"name\":\"a\",\"status\":\"held\",\"holder_id\":\"" +
                                 pseudonymOf("alice") +
                                 "\",\"fencing_token\":1,\"expires_at\":\"2026-08-03T01:03:03Z\","
                                 "\"metadata\":\"m\"}");
}

TEST_F(LockConversationTest, StatusOfAFreeNameHasItsLastTermWhileThatIsRemembered)
{
    const std::string never = R"({"name":"a","status":"free","holder_id":null,"fencing_token":0,)"
                              R"("expires_at":null,"metadata":null})";
    EXPECT_EQ(_server.get("/locks/a", bob).body(), never);
    leaseOf("b", alice);
    leaseOf("a", alice);
    _server.advance(60s);
    EXPECT_EQ(numberOf(_server.get("/locks/a", bob).json(), "fencing_token"), 2);
    _server.advance(25h);
    EXPECT_EQ(_server.get("/locks/a", bob).body(), never);
}

TEST_F(LockConversationTest, AFenceKnowsTheTermThatIsLive)
{
    leaseOf("a", alice);
    EXPECT_EQ(_server.get("/locks/a/fence?term=1", bob).body(),
              R"({"name":"a","term":1,"current":true,"live_term":1})");
    EXPECT_EQ(_server.get("/locks/a/fence?term=7", bob).body(),
              R"({"name":"a","term":7,"current":false,"live_term":1})");
    _server.advance(60s);
    EXPECT_EQ(_server.get("/locks/a/fence?term=1", bob).body(),
              R"({"name":"a","term":1,"current":false,"live_term":null})");
}

TEST_F(LockConversationTest, TheHundredAndFirstLockIsRefusedEvenWhereItIsHeld)
{
    for (int i = 0; i < 100; ++i)
        leaseOf("mine-" + std::to_string(i), alice);
    leaseOf("bobs", bob);
    expectError(acquire("one-more", alice), 403, "lock_limit_exceeded");
    expectError(acquire("bobs", alice), 403, "lock_limit_exceeded");
    EXPECT_EQ(textOf(acquire("mine-0", alice).json(), "status"), "acquired");
    _server.advance(60s);
    EXPECT_EQ(textOf(acquire("one-more", alice).json(), "status"), "acquired");
}

TEST_F(LockConversationTest, WhatTheStoreCouldNotWriteIsNotGranted)
{
    _server.coordinator().failNextCommit({ErrorCode::Unavailable, "disk full"});
    const Call unavailable = acquire("a", alice);
    expectError(unavailable, 503, "internal_error", "storage_unavailable");
    EXPECT_EQ(*unavailable.response().headers.find("retry-after"), "1");
    EXPECT_EQ(unavailable.body().find("disk full"), std::string::npos);

    _server.coordinator().failNextCommit({ErrorCode::OutcomeUnknown, "gone while writing"});
    expectError(acquire("b", alice), 503, "internal_error", "outcome_unknown");
}

TEST_F(LockConversationTest, AGrantThatRanOutBeforeItWasAnsweredIsNeverA200)
{
    _server.coordinator().holdCommits();
    const Call call = acquire("a", alice, R"({"ttl_seconds":1})");
    EXPECT_FALSE(call.answered());
    _server.advance(1s - 500us); // less than a millisecond is left
    _server.coordinator().releaseCommits();
    _server.advance(0s);
    expectError(call, 503, "internal_error", "outcome_unknown");
}

} // namespace
} // namespace octostore::test
