// SPDX-License-Identifier: MIT
// Goal: what waits keeps nothing else back, is not lost by a restart, and is told when it is lost.
// Method: as DispatcherTest.cpp, with receivers that refuse some deliveries and take others.
#include "DispatcherFlow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

namespace octostore::test
{
namespace
{

using namespace std::chrono_literals;
using webhooks::DeliveryKey;
using webhooks::Outgoing;
using webhooks::Webhook;

class DispatcherBacklogTest : public DispatcherFlow
{
};

TEST_F(DispatcherBacklogTest, HoweverManyAreRefusedTheOthersGoOn)
{
    refuseBad();
    for (int i = 0; i < 1'000; ++i)
    {
        stage.happen(1, "bad/");
        stage.happen(3, "good/");
    }
    stage.step();
    EXPECT_EQ(stage.figures.succeeded.value(), 3'001U);
    EXPECT_EQ(stage.dispatcher->pending(), 1'000U);
    EXPECT_FALSE(stage.dispatcher->summary("hook")->more);
    stage.happen(1, "good/");
    stage.step();
    EXPECT_EQ(stage.figures.succeeded.value(), 3'002U);
}

TEST_F(DispatcherBacklogTest, TooManyThatAreRefusedEndTheOldestAndAnEventSaysSo)
{
    refuseBad();
    constexpr std::size_t beyond = 3;
    for (std::size_t i = 0; i < webhooks::Backlog::triedMax + beyond; ++i)
    {
        stage.happen(1, "bad/");
        stage.happen(1, "good/");
    }
    stage.step();
    EXPECT_EQ(stage.dispatcher->pending(), webhooks::Backlog::triedMax);
    EXPECT_EQ(stage.figures.exhausted.value(), beyond);
    const auto told = stage.records.reasonsOf(event::Type::WebhookExhausted);
    ASSERT_EQ(told.size(), 1U) << "once an hour";
    EXPECT_TRUE(told[0].starts_with("delivery dlv_2: more than 2048")) << told[0];
}

TEST_F(DispatcherBacklogTest, TheProbeOfAnOpenBreakerIsOneThatWasNotTriedYet)
{
    stage.put(hookOf("hook"));
    stage.sender.setReceiver("hook", &unlessBad);
    stage.happen(10, "bad/");
    stage.step();
    ASSERT_TRUE(stage.dispatcher->summary("hook")->breakerOpen);
    stage.happen(1, "good/");
    stage.pass(30s);
    EXPECT_EQ(idsTo(stage, "hook").at(10), "evt_0a1b_11");
    EXPECT_EQ(stage.figures.succeeded.value(), 1U);
}

TEST_F(DispatcherBacklogTest, WhatIsAskedForInThousandsKeepsNothingNewBack)
{
    prove(hookOf("hook"));
    constexpr std::uint64_t old = 2'000;
    stage.happen(old);
    stage.step();
    stage.sender.setReceiver("hook", [](const Outgoing&) { return answered(429, 60s); });
    for (std::uint64_t i = 1; i <= old; ++i)
        stage.dispatcher->redeliver("hook", DeliveryKey{Sequence(i)});
    stage.step();
    EXPECT_EQ(stage.dispatcher->pending(), webhooks::Backlog::pendingMax);
    stage.happen(1);
    stage.sender.setReceiver("hook", {});
    stage.pass(61s);
    const auto ids = idsTo(stage, "hook");
    EXPECT_EQ(ids.at(old + 2), "evt_0a1b_" + std::to_string(old + 2)) << "the new one first";
    EXPECT_EQ(ids.size(), 2 * old + 3) << "and one was sent twice";
    EXPECT_EQ(stage.dispatcher->pending(), 0U);
}

TEST_F(DispatcherBacklogTest, WhatIsKnownIsBoundedAndTheJournalKeepsTheRest)
{
    Webhook webhook = hookOf("hook");
    webhook.ordered = true;
    stage.put(webhook);
    stage.sender.setReceiver("hook", [](const Outgoing&) { return answered(500); });
    stage.happen(2'000);
    stage.step();
    EXPECT_EQ(stage.dispatcher->pending(), webhooks::Backlog::pendingMax);
    EXPECT_TRUE(stage.dispatcher->summary("hook")->more);
    stage.sender.setReceiver("hook", {});
    stage.pass(6s);
    EXPECT_EQ(stage.dispatcher->pending(), 0U);
    auto ids = idsTo(stage, "hook");
    ids.erase(ids.begin());
    EXPECT_EQ(ids, idsUpTo(2'000));
}

TEST_F(DispatcherBacklogTest, ADeliveryThatIsNeverTakenIsNotTriedWheneverAnotherOneIs)
{
    Webhook webhook = hookOf("hook");
    webhook.maxAgeSeconds = std::chrono::seconds(std::chrono::hours(30 * 24)).count();
    stage.put(webhook);
    stage.sender.setReceiver("hook", &unlessBad);
    stage.happen(std::vector<std::string>{"bad"});
    std::size_t others = 0;
    for (auto minute = 0min; minute < 60min; ++minute)
    {
        stage.happen(1);
        ++others;
        stage.pass(1min);
    }
    // At once, after 5 s, 5 min and 30 min; and once more when the receiver seemed to be back.
    EXPECT_LE(stage.sender.count() - others, 5U);
    EXPECT_GE(stage.sender.count() - others, 4U);
    EXPECT_EQ(stage.figures.exhausted.value(), 0U);
}

TEST_F(DispatcherBacklogTest, WhatTheJournalHasForgottenIsReported)
{
    stage.put(hookOf("hook"));
    stage.happen(10);
    stage.journal.trim(Sequence(5));
    stage.step();
    EXPECT_EQ(stage.sender.count(), 5U);
    EXPECT_EQ(stage.records.reasonsOf(event::Type::WebhookGap),
              std::vector<std::string>{"sequences 1 to 5"});
}

TEST_F(DispatcherBacklogTest, WhatIsForgottenWhileItIsReadIsReportedToo)
{
    stage.put(hookOf("hook"));
    stage.happen(10);
    stage.journal.trimAtRead(Sequence(5));
    stage.step();
    EXPECT_EQ(stage.sender.count(), 5U);
    EXPECT_EQ(stage.records.reasonsOf(event::Type::WebhookGap),
              std::vector<std::string>{"sequences 1 to 5"});
}

TEST_F(DispatcherBacklogTest, ARestartKeepsAttemptsAndTimesAndSendsNothingTwiceThatWasSaved)
{
    stage.put(hookOf("hook"));
    stage.sender.setReceiver("hook", &unlessBad);
    stage.happen(std::vector<std::string>{"bad", "good-1", "good-2"});
    stage.step();
    stage.pass(6s);
    stage.pass(2s);
    ASSERT_EQ(stage.sender.count(), 4U);
    const auto due = stage.dispatcher->summary("hook")->nextRetry;
    ASSERT_TRUE(due);

    stage.restart();
    stage.put(hookOf("hook"), stage.records.cursor("hook"));
    stage.step();
    EXPECT_EQ(stage.sender.count(), 4U);
    const auto left = *due - stage.clock.wallTime();
    stage.pass(left - 2ms); // the store keeps whole milliseconds
    EXPECT_EQ(stage.sender.count(), 4U);
    stage.pass(2ms);
    const auto sent = stage.sender.sent();
    ASSERT_EQ(sent.size(), 5U);
    EXPECT_EQ(sent.back().header("octostore-attempt"), "3");
    EXPECT_EQ(sent.back().header("webhook-id"), "evt_0a1b_1");
}

TEST_F(DispatcherBacklogTest, AfterACrashBeforeItWasSavedADeliveryComesAgainWithTheSameId)
{
    stage.put(hookOf("hook"));
    stage.happen(3);
    stage.dispatcher->step();
    stage.restart();
    stage.put(hookOf("hook"));
    stage.step();
    auto ids = idsTo(stage, "hook");
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    EXPECT_EQ(stage.sender.count(), 6U);
    EXPECT_EQ(ids, idsUpTo(3));
}

TEST_F(DispatcherBacklogTest, WhatAPersonAsksForIsSentAgainAsItWas)
{
    prove(hookOf("hook"));
    stage.dispatcher->redeliver("hook", DeliveryKey{Sequence(1)});
    stage.step();
    const auto sent = stage.sender.sent();
    ASSERT_EQ(sent.size(), 2U);
    EXPECT_EQ(sent[1].header("webhook-id"), sent[0].header("webhook-id"));
    EXPECT_EQ(sent[1].message.body, sent[0].message.body);
    EXPECT_EQ(stage.dispatcher->pending(), 0U);
}

TEST_F(DispatcherBacklogTest, WhatAPersonAsksForOutlivesAFailureAndARestartHoweverOldItIs)
{
    prove(hookOf("hook"));
    stage.clock.advance(100h);
    stage.sender.setReceiver("hook", [](const Outgoing&) { return answered(500); });
    stage.dispatcher->redeliver("hook", DeliveryKey{Sequence(1)});
    stage.step();
    stage.pass(2s);
    ASSERT_EQ(stage.sender.count(), 2U);
    stage.restart();
    stage.sender.setReceiver("hook", {});
    stage.put(hookOf("hook"), stage.records.cursor("hook"));
    stage.step();
    EXPECT_EQ(stage.figures.expired.value(), 0U);
    stage.pass(6s);
    EXPECT_EQ(stage.sender.count(), 3U);
    EXPECT_EQ(stage.figures.succeeded.value(), 2U);
}

} // namespace
} // namespace octostore::test
