// SPDX-License-Identifier: MIT
// Goal: what a client sees of locks that live and end with a session.
// Method: whole conversations against a real engine whose clock stands still.
#include "SessionApiTest.h"

#include <octostore/coordination/HolderPseudonym.h>
#include <octostore/http/Identity.h>

namespace octostore::test
{
namespace
{

using namespace std::chrono_literals;

class SessionLockTest : public SessionApiTest
{
protected:
    static std::string pseudonymOf(Uuid holder)
    {
        return coordination::pseudonymOf(HolderId{holder}).toString();
    }
};

TEST_F(SessionLockTest, AuthorityIsTheLesserOfLeaseAndSession)
{
    const std::string id = open(alice);
    const Call call = acquire("a", alice, in(id, R"(,"ttl_seconds":90)"));
    EXPECT_EQ(numberOf(call.json(), "authority_ms"), 30'000);
    EXPECT_EQ(numberOf(call.json(), "renew_after_ms"), 45'000) << "that of the lease itself";
    EXPECT_EQ(textOf(call.json(), "expires_at"), "2026-08-03T01:03:33Z");
    const std::string lease = textOf(call.json(), "lease_id");
    _server.advance(20s);
    EXPECT_EQ(numberOf(renew("a", alice, lease).json(), "authority_ms"), 10'000);
    keepAlive(id, alice);
    EXPECT_EQ(numberOf(renew("a", alice, lease, R"(,"ttl_seconds":5)").json(), "authority_ms"),
              5'000);
}

TEST_F(SessionLockTest, TheHolderShownIsTheSessionAndNotTheAccount)
{
    const std::string first = open(alice);
    const std::string second = open(alice);
    leaseOf("a", alice, in(first));
    leaseOf("b", alice, in(second));
    leaseOf("c", alice, in(second));
    leaseOf("d", alice, R"({"session_id":")" + first + "\"}");
    const auto holderOf = [this](const std::string& name)
    { return textOf(_server.get("/locks/" + name, bob).json(), "holder_id"); };
    EXPECT_EQ(holderOf("a"), pseudonymOf(*Uuid::parse(first)));
    EXPECT_EQ(holderOf("b"), pseudonymOf(*Uuid::parse(second)));
    EXPECT_EQ(holderOf("c"), holderOf("b"));
    EXPECT_EQ(holderOf("d"), pseudonymOf(http::principalIdOf("alice").uuid));
    EXPECT_NE(holderOf("a"), first) << "the ID itself is nobody's business";
    EXPECT_EQ(textOf(acquire("a", bob).json(), "holder_id"), holderOf("a"));
}

TEST_F(SessionLockTest, SessionsOfOneAccountContendWithEachOtherAndWithTheAccount)
{
    const std::string first = open(alice);
    const std::string second = open(alice);
    const std::string lease = leaseOf("a", alice, in(first));
    EXPECT_EQ(textOf(acquire("a", alice, in(second)).json(), "status"), "held");
    EXPECT_EQ(textOf(acquire("a", alice).json(), "status"), "held");
    EXPECT_EQ(textOf(acquire("a", alice, in(first)).json(), "lease_id"), lease);
    leaseOf("b", alice);
    EXPECT_EQ(textOf(acquire("b", alice, in(first)).json(), "status"), "held");
}

TEST_F(SessionLockTest, TheAccountRenewsAndReleasesTheLocksOfItsSessions)
{
    const std::string lease = leaseOf("a", alice, in(open(alice)));
    EXPECT_EQ(renew("a", alice, lease).status(), 200);
    expectError(renew("a", alice, Uuid{}.toString()), 400, "lease_not_current", "mismatch");
    EXPECT_EQ(release("a", alice, lease).body(), "null");
    EXPECT_EQ(statusOf("a"), "free");
}

TEST_F(SessionLockTest, ForAStrangerTheLockOfASessionIsNotThere)
{
    const std::string lease = leaseOf("a", alice, in(open(alice)));
    expectError(renew("a", bob, lease), 404, "not_found");
    expectError(release("a", bob, lease), 404, "not_found");
    expectError(release("a", root, lease), 404, "not_found");
}

TEST_F(SessionLockTest, ClosingASessionEndsItsEphemeralLocksAndNoOthers)
{
    const std::string id = open(alice);
    const std::string lease = leaseOf("a", alice, in(id));
    leaseOf("b", alice, R"({"session_id":")" + id + "\"}");
    expectEmpty204(close(id, alice));
    EXPECT_EQ(statusOf("a"), "free");
    EXPECT_EQ(statusOf("b"), "held");
    const Call late = release("a", alice, lease);
    expectError(late, 404, "lease_not_current", "gone");
    EXPECT_EQ(textOf(objectOf(late.json(), "ended"), "cause"), "session_closed");
    EXPECT_EQ(_server.coordinator().eventsOf("a").back().type, event::Type::LockReleased);
}

TEST_F(SessionLockTest, WhatEndedWithItsExpiredSessionSaysSo)
{
    const std::string lease = leaseOf("a", alice, in(open(alice), R"(,"ttl_seconds":90)"));
    _server.advance(35s);
    EXPECT_EQ(statusOf("a"), "free");
    const Call late = renew("a", alice, lease);
    expectError(late, 404, "lease_not_current", "expired");
    const JsonValue::Object ended = objectOf(late.json(), "ended");
    EXPECT_EQ(textOf(ended, "cause"), "session_expired");
    EXPECT_EQ(textOf(ended, "at"), "2026-08-03T01:02:33Z");
    EXPECT_EQ(_server.coordinator().eventsOf("a").back().type, event::Type::LockExpired);
}

TEST_F(SessionLockTest, TheLockDelayStartsWhenTheSessionEnds)
{
    const std::string id = open(alice);
    leaseOf("a", alice, in(id, R"(,"lock_delay_seconds":7)"));
    close(id, alice);
    _server.advance(2s);
    const Call call = acquire("a", bob);
    EXPECT_EQ(call.status(), 409);
    EXPECT_EQ(numberOf(call.json(), "retry_after_ms"), 5'000);
    _server.advance(5s);
    leaseOf("a", bob);
}

TEST_F(SessionLockTest, WhoWaitsInASessionIsToldWhenItEnds)
{
    leaseOf("a", bob, R"({"ttl_seconds":300})");
    const std::string first = open(alice);
    const std::string second = open(alice);
    const Call closed = acquire("a", alice, in(first, R"(,"wait_seconds":100)"));
    const Call expired = acquire("a", alice, in(second, R"(,"wait_seconds":100)"));
    EXPECT_FALSE(closed.answered());
    close(first, alice);
    _server.advance(0s);
    expectError(closed, 404, "not_found");
    EXPECT_FALSE(expired.answered());
    _server.advance(30s);
    expectError(expired, 410, "session_expired");
}

TEST_F(SessionLockTest, WhoWaitsIsServedInTheInstantTheHoldersSessionEnds)
{
    leaseOf("a", alice, in(open(alice), R"(,"ttl_seconds":300)"));
    const Call waiting = acquire("a", bob, R"({"wait_seconds":100})");
    _server.advance(30s - 1ms);
    EXPECT_FALSE(waiting.answered());
    _server.advance(1ms);
    ASSERT_TRUE(waiting.answered());
    EXPECT_EQ(textOf(waiting.json(), "status"), "acquired");
    EXPECT_EQ(numberOf(waiting.json(), "waited_ms"), 30'000);
}

TEST_F(SessionLockTest, LocksOfSessionsCountForTheAccount)
{
    const std::string id = open(alice);
    for (int i = 0; i < 100; ++i)
        leaseOf("mine-" + std::to_string(i), alice, in(id));
    expectError(acquire("one-more", alice), 403, "lock_limit_exceeded");
    expectError(acquire("one-more", alice, in(open(alice))), 403, "lock_limit_exceeded");
    close(id, alice);
    leaseOf("one-more", alice);
}

} // namespace
} // namespace octostore::test
