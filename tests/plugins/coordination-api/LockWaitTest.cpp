// SPDX-License-Identifier: MIT
// Goal: waiting, leaving and lost answers, as clients see them.
// Method: calls stay open while others act and the clock is moved.
#include "ApiTest.h"

namespace octostore::test
{
namespace
{

using namespace std::chrono_literals;

class LockWaitTest : public ApiTest
{
};

TEST_F(LockWaitTest, AWaiterIsServedWhenTheHolderReleases)
{
    const std::string lease = leaseOf("a", alice);
    const Call waiting = acquire("a", bob, R"({"wait_seconds":30})");
    EXPECT_FALSE(waiting.answered());
    _server.advance(2500ms);
    release("a", alice, lease);
    ASSERT_TRUE(waiting.answered());
    EXPECT_EQ(textOf(waiting.json(), "status"), "acquired");
    EXPECT_EQ(numberOf(waiting.json(), "waited_ms"), 2500);
    EXPECT_EQ(numberOf(waiting.json(), "authority_ms"), 60'000);
    EXPECT_GT(numberOf(waiting.json(), "fencing_token"), 1);
}

TEST_F(LockWaitTest, AWaitThatRanOutIsAnsweredHeldWithThePlaceInTheQueue)
{
    leaseOf("a", alice);
    const Call first = acquire("a", bob, R"({"wait_seconds":5})");
    const Call second = acquire("a", root, R"({"wait_seconds":5})");
    _server.advance(5s);
    ASSERT_TRUE(first.answered());
    ASSERT_TRUE(second.answered());
    EXPECT_EQ(textOf(first.json(), "status"), "held");
    EXPECT_EQ(numberOf(first.json(), "queue_position"), 0);
    EXPECT_EQ(numberOf(second.json(), "queue_position"), 1);
    EXPECT_EQ(numberOf(first.json(), "retry_after_ms"), 55'000);
}

TEST_F(LockWaitTest, NobodyIsToldAPlaceWhoDidNotWait)
{
    leaseOf("a", alice);
    EXPECT_EQ(acquire("a", bob).json().count("queue_position"), 0U);
    EXPECT_EQ(acquire("a", bob, R"({"wait_seconds":0})").json().count("queue_position"), 0U);
}

TEST_F(LockWaitTest, AWaiterIsServedAtTheEndOfTheLockDelay)
{
    release("a", alice, leaseOf("a", alice, R"({"lock_delay_seconds":3})"));
    const Call waiting = acquire("a", bob, R"({"wait_seconds":30})");
    _server.advance(3s - 1ms);
    EXPECT_FALSE(waiting.answered());
    _server.advance(1ms);
    ASSERT_TRUE(waiting.answered());
    EXPECT_EQ(textOf(waiting.json(), "status"), "acquired");
}

TEST_F(LockWaitTest, AWaiterWhoLeftIsNotGrantedTo)
{
    const std::string lease = leaseOf("a", alice);
    Call waiting = acquire("a", bob, R"({"wait_seconds":30})");
    waiting.leave();
    release("a", alice, lease);
    EXPECT_EQ(textOf(_server.get("/locks/a", bob).json(), "status"), "free");
}

TEST_F(LockWaitTest, AGrantIsGivenBackWhenItsClientLeftBeforeTheCommit)
{
    _server.coordinator().holdCommits();
    Call call = acquire("a", alice);
    call.leave();
    _server.coordinator().releaseCommits();
    _server.advance(0s);
    EXPECT_EQ(textOf(_server.get("/locks/a", bob).json(), "status"), "free");
}

TEST_F(LockWaitTest, AGrantIsGivenBackWithoutDelayWhenItsAnswerWasLost)
{
    _server.loseAnswers();
    acquire("a", alice, R"({"lock_delay_seconds":30})");
    const std::vector<event::Draft> events = _server.coordinator().eventsOf("a");
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[1].type, event::Type::LockReleased);
    EXPECT_EQ(events[1].cause, event::Cause::Undelivered);
    EXPECT_EQ(_server.get("/locks/a", bob).json().count("available_at"), 0U);
}

TEST_F(LockWaitTest, ALostAnswerToARepeatedAcquireEndsNothing)
{
    const std::string lease = leaseOf("a", alice);
    _server.loseAnswers();
    acquire("a", alice, R"({"ttl_seconds":120})");
    renew("a", alice, lease);
    EXPECT_EQ(_server.coordinator().eventsOf("a").size(), 1U);
    EXPECT_EQ(textOf(_server.get("/locks/a", bob).json(), "status"), "held");
}

TEST_F(LockWaitTest, AServerThatStopsSendsWaitersAway)
{
    leaseOf("a", alice);
    const Call waiting = acquire("a", bob, R"({"wait_seconds":30})");
    _server.coordinator().drain();
    _server.advance(0s);
    expectError(waiting, 503, "internal_error", "draining");
}

TEST_F(LockWaitTest, EventsNameTheAccountThatActed)
{
    release("a", alice, leaseOf("a", alice));
    leaseOf("a", root);
    const std::vector<event::Draft> events = _server.coordinator().eventsOf("a");
    ASSERT_EQ(events.size(), 3U);
    EXPECT_EQ(events[0].actor, (event::Actor{event::ActorKind::User, "alice"}));
    EXPECT_EQ(events[1].actor, (event::Actor{event::ActorKind::User, "alice"}));
    EXPECT_EQ(events[2].actor, (event::Actor{event::ActorKind::Admin, "root"}));
}

} // namespace
} // namespace octostore::test
