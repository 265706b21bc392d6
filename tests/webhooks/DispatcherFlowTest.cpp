// SPDX-License-Identifier: MIT
// Goal: what is sent when, beside what, and in which order; and what a restart changes.
// Method: as DispatcherTest.cpp. A receiver that calls the dispatcher again from within its answer
// is one that takes its time: however deep the calls go, so many attempts are under way.
#include "DispatcherStage.h"
#include "support/NoThreads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <thread>
#include <utility>

namespace octostore::test
{
namespace
{

using namespace std::chrono_literals;
using webhooks::Attempt;
using webhooks::DeliveryKey;
using webhooks::Outgoing;
using webhooks::Webhook;

Webhook hookOf(const std::string& name, const std::string& locks = "**")
{
    Webhook webhook = DispatcherStage::webhook(name);
    webhook.lockPattern = locks;
    return webhook;
}

std::vector<std::string> idsTo(const DispatcherStage& stage, const std::string& host)
{
    std::vector<std::string> ids;
    for (const FakeSender::Sent& sent : stage.sender.sent())
        if (sent.message.url.host == host)
            ids.push_back(sent.header("webhook-id"));
    return ids;
}

std::vector<std::string> idsUpTo(std::uint64_t last)
{
    std::vector<std::string> ids;
    for (std::uint64_t i = 1; i <= last; ++i)
        ids.push_back("evt_0a1b_" + std::to_string(i));
    return ids;
}

/// Fails for the locks that begin with `bad`.
Attempt unlessBad(const Outgoing& message)
{
    return answered(message.body.find("\"bad") == std::string::npos ? 200 : 500);
}

/// Takes its time: while it answers, the dispatcher does what else it can.
class SlowReceiver
{
public:
    SlowReceiver(DispatcherStage& stage, Attempt attempt)
        : _stage(stage), _attempt(std::move(attempt))
    {
    }
    Attempt operator()(const Outgoing&)
    {
        most = std::max(most, ++now);
        _stage.dispatcher->step();
        --now;
        return _attempt;
    }
    unsigned now = 0;
    unsigned most = 0;

private:
    DispatcherStage& _stage;
    const Attempt _attempt;
};

class DispatcherFlowTest : public testing::Test
{
protected:
    /// It has answered once, with one event.
    void prove(Webhook webhook, const std::string& lock = "first")
    {
        stage.put(std::move(webhook));
        stage.happen(std::vector{lock});
        stage.step();
    }
    void answer(const std::string& host, SlowReceiver& receiver)
    {
        stage.sender.setReceiver(host, [&receiver](const Outgoing& message)
                                 { return receiver(message); });
    }

    /// The receiver `hook` refuses the locks that begin with `bad`.
    void refuseBad()
    {
        prove(hookOf("hook"));
        stage.sender.setReceiver("hook", &unlessBad);
    }

    DispatcherStage stage;
};

TEST_F(DispatcherFlowTest, AReceiverThatAnswersGetsFourAtATime)
{
    prove(hookOf("hook"));
    SlowReceiver receiver(stage, answered(200));
    answer("hook", receiver);
    stage.happen(20);
    stage.step();
    EXPECT_EQ(receiver.most, 4U);
    EXPECT_EQ(stage.sender.count(), 21U);
}

TEST_F(DispatcherFlowTest, AReceiverThatHasNotAnsweredYetGetsOneAtATime)
{
    SlowReceiver receiver(stage, unanswered("timeout"));
    answer("hook", receiver);
    stage.put(hookOf("hook"));
    stage.happen(5);
    stage.step();
    EXPECT_EQ(receiver.most, 1U);
    EXPECT_EQ(stage.sender.count(), 5U);
}

TEST_F(DispatcherFlowTest, TwoDeliveriesOfOneLockAreNeverUnderWayAtATime)
{
    prove(hookOf("hook"));
    SlowReceiver receiver(stage, answered(200));
    answer("hook", receiver);
    stage.happen(std::vector<std::string>(10, "one"));
    stage.step();
    EXPECT_EQ(receiver.most, 1U);
    EXPECT_EQ(idsTo(stage, "hook"), idsUpTo(11));
}

TEST_F(DispatcherFlowTest, InOrderNothingPassesWhatFails)
{
    Webhook webhook = hookOf("hook");
    webhook.ordered = true;
    prove(webhook);
    SlowReceiver receiver(stage, answered(500));
    answer("hook", receiver);
    stage.happen(5);
    stage.step();
    EXPECT_EQ(receiver.most, 1U);
    EXPECT_EQ(stage.sender.count(), 2U) << "the others wait behind the second";
    stage.sender.setReceiver("hook", {});
    stage.pass(6s);
    auto ids = idsTo(stage, "hook");
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    EXPECT_EQ(ids, idsUpTo(6));
}

TEST_F(DispatcherFlowTest, WithoutOrderOthersPassWhatFails)
{
    prove(hookOf("hook"));
    stage.sender.setReceiver("hook", &unlessBad);
    stage.happen(std::vector<std::string>{"bad", "good-1", "good-2"});
    stage.step();
    EXPECT_EQ(stage.sender.count(), 4U);
    EXPECT_EQ(stage.dispatcher->pending(), 1U);
}

TEST_F(DispatcherFlowTest, HoweverManyAreRefusedTheOthersGoOn)
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

TEST_F(DispatcherFlowTest, TooManyThatAreRefusedEndTheOldestAndAnEventSaysSo)
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
    const auto told = stage.office.reasonsOf(event::Type::WebhookExhausted);
    ASSERT_EQ(told.size(), 1U) << "once an hour";
    EXPECT_TRUE(told[0].starts_with("delivery dlv_2: more than 2048")) << told[0];
}

TEST_F(DispatcherFlowTest, TheProbeOfAnOpenBreakerIsOneThatWasNotTriedYet)
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

TEST_F(DispatcherFlowTest, WhatIsAskedForInThousandsKeepsNothingNewBack)
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

TEST_F(DispatcherFlowTest, WithoutThreadsTheServerGoesOnAndDeliversWhenThereAreSome)
{
    const auto webhook = std::make_shared<const Webhook>(hookOf("hook"));
    std::atomic<bool> pinged = false;
    stage.dispatcher->start();
    {
        const NoThreads without;
        stage.put(*webhook);
        stage.happen(1);
        EXPECT_TRUE(stage.dispatcher->ping(webhook, [&pinged](const Attempt&, const Outgoing&)
                                           { pinged = true; }));
        stage.dispatcher->wake();
        for (const auto end = std::chrono::steady_clock::now() + 60s;
             stage.dispatcher->pending() == 0 && std::chrono::steady_clock::now() < end;)
            std::this_thread::sleep_for(1ms);
        EXPECT_EQ(stage.sender.count(), 0U);
    }
    stage.dispatcher->wake();
    for (const auto end = std::chrono::steady_clock::now() + 60s;
         (!pinged || stage.figures.succeeded.value() == 0) &&
         std::chrono::steady_clock::now() < end;)
        std::this_thread::sleep_for(1ms);
    EXPECT_TRUE(pinged);
    EXPECT_EQ(stage.figures.succeeded.value(), 1U);
    stage.dispatcher->stop();
}

TEST_F(DispatcherFlowTest, TheBreakerOpensAfterTenFailuresAndLetsOneThroughEveryHalfMinute)
{
    stage.put(hookOf("hook"));
    SlowReceiver receiver(stage, answered(500));
    answer("hook", receiver);
    stage.happen(30);
    stage.step();
    EXPECT_EQ(stage.sender.count(), 10U);
    EXPECT_TRUE(stage.dispatcher->summary("hook")->breakerOpen);
    stage.pass(30s - 1ms);
    EXPECT_EQ(stage.sender.count(), 10U);
    stage.pass(1ms);
    EXPECT_EQ(stage.sender.count(), 11U) << "one to try";
    stage.pass(29s);
    EXPECT_EQ(stage.sender.count(), 11U);
    stage.sender.setReceiver("hook", {});
    stage.pass(1s);
    EXPECT_EQ(stage.sender.count(), 11U + 30U) << "it is back: nothing waits any longer";
    EXPECT_FALSE(stage.dispatcher->summary("hook")->breakerOpen);
}

TEST_F(DispatcherFlowTest, FiftyReceiversThatHangDoNotKeepAGoodOneWaiting)
{
    prove(hookOf("good", "good/**"), "good/first");
    SlowReceiver hanging(stage, unanswered("timeout"));
    unsigned meanwhile = 0;
    stage.sender.setReceiver("good",
                             [&](const Outgoing&)
                             {
                                 meanwhile += hanging.now > 0 ? 1 : 0;
                                 return answered(200);
                             });
    bool given = false;
    for (int i = 0; i < 50; ++i)
    {
        const std::string host = "hang" + std::to_string(i);
        stage.put(hookOf(host, "bad/**"));
        stage.sender.setReceiver(host,
                                 [&](const Outgoing& message)
                                 {
                                     // All that may hang do: now the good one has work.
                                     if (hanging.now == 23 && !std::exchange(given, true))
                                         stage.happen(20, "good/");
                                     return hanging(message);
                                 });
    }
    stage.happen(std::vector<std::string>{"bad/first"});
    stage.step();
    EXPECT_EQ(hanging.most, 24U) << "three quarters of 32";
    EXPECT_EQ(meanwhile, 20U);

    hanging.most = 0;
    stage.pass(6s);
    EXPECT_EQ(hanging.most, 12U) << "now that they have failed, three eighths";
}

TEST_F(DispatcherFlowTest, ThirtyTwoAreUnderWayAtATimeInAll)
{
    Mutex mutex;
    std::condition_variable changed;
    bool open = true;
    unsigned now = 0, most = 0;
    constexpr std::size_t hooks = 10, events = 10;
    for (std::size_t i = 0; i < hooks; ++i)
    {
        const std::string host = "hook" + std::to_string(i);
        stage.sender.setReceiver(host,
                                 [&](const Outgoing&)
                                 {
                                     MutexLock lock(mutex);
                                     most = std::max(most, ++now);
                                     changed.notify_all();
                                     while (!open)
                                         lock.wait(changed);
                                     --now;
                                     return answered(200);
                                 });
        stage.put(hookOf(host));
    }
    const auto waitFor = [&](const std::function<bool()>& condition)
    {
        const auto end = std::chrono::steady_clock::now() + 60s;
        MutexLock lock(mutex);
        while (!condition() && std::chrono::steady_clock::now() < end)
            lock.waitFor(changed, 5ms);
        return condition();
    };
    stage.happen(1);
    stage.step();
    {
        MutexLock lock(mutex);
        open = false;
    }
    stage.dispatcher->start();
    stage.happen(events);
    stage.dispatcher->wake();
    EXPECT_TRUE(waitFor([&] { return now == 32; }));
    {
        MutexLock lock(mutex);
        open = true;
        changed.notify_all();
    }
    EXPECT_TRUE(waitFor([&] { return stage.figures.succeeded.value() == hooks * (events + 1); }));
    EXPECT_EQ(most, 32U);
    stage.dispatcher->stop();
}

TEST_F(DispatcherFlowTest, ARateIsKept)
{
    Webhook webhook = hookOf("hook");
    webhook.ratePerSecond = 2;
    stage.put(webhook);
    stage.happen(5);
    for (std::size_t sent = 1; sent <= 5; ++sent)
    {
        stage.step();
        EXPECT_EQ(stage.sender.count(), sent);
        stage.pass(499ms);
        EXPECT_EQ(stage.sender.count(), sent);
        stage.clock.advance(1ms);
    }
}

TEST_F(DispatcherFlowTest, WhatIsKnownIsBoundedAndTheJournalKeepsTheRest)
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

TEST_F(DispatcherFlowTest, ADeliveryThatIsNeverTakenIsNotTriedWheneverAnotherOneIs)
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

TEST_F(DispatcherFlowTest, WhatTheJournalHasForgottenIsReported)
{
    stage.put(hookOf("hook"));
    stage.happen(10);
    stage.journal.trim(Sequence(5));
    stage.step();
    EXPECT_EQ(stage.sender.count(), 5U);
    EXPECT_EQ(stage.office.reasonsOf(event::Type::WebhookGap),
              std::vector<std::string>{"sequences 1 to 5"});
}

TEST_F(DispatcherFlowTest, WhatIsForgottenWhileItIsReadIsReportedToo)
{
    stage.put(hookOf("hook"));
    stage.happen(10);
    stage.journal.trimAtRead(Sequence(5));
    stage.step();
    EXPECT_EQ(stage.sender.count(), 5U);
    EXPECT_EQ(stage.office.reasonsOf(event::Type::WebhookGap),
              std::vector<std::string>{"sequences 1 to 5"});
}

TEST_F(DispatcherFlowTest, ARestartKeepsAttemptsAndTimesAndSendsNothingTwiceThatWasSaved)
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
    stage.put(hookOf("hook"), stage.office.cursor("hook"));
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

TEST_F(DispatcherFlowTest, AfterACrashBeforeItWasSavedADeliveryComesAgainWithTheSameId)
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

TEST_F(DispatcherFlowTest, WhatAPersonAsksForIsSentAgainAsItWas)
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

TEST_F(DispatcherFlowTest, WhatAPersonAsksForOutlivesAFailureAndARestartHoweverOldItIs)
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
    stage.put(hookOf("hook"), stage.office.cursor("hook"));
    stage.step();
    EXPECT_EQ(stage.figures.expired.value(), 0U);
    stage.pass(6s);
    EXPECT_EQ(stage.sender.count(), 3U);
    EXPECT_EQ(stage.figures.succeeded.value(), 2U);
}

TEST_F(DispatcherFlowTest, AChangeThatComesLateNeitherBringsBackWhatWasRemovedNorWhatItWas)
{
    const auto webhook = std::make_shared<const Webhook>(hookOf("hook"));
    auto paused = std::make_shared<Webhook>(*webhook);
    paused->active = false;
    stage.dispatcher->put(webhook, {}, Revision(1));
    stage.dispatcher->change(webhook, Revision(3));
    stage.dispatcher->change(paused, Revision(2));
    stage.happen(1);
    stage.step();
    EXPECT_EQ(stage.sender.count(), 1U);
    stage.dispatcher->remove("hook");
    stage.dispatcher->change(webhook, Revision(4));
    stage.happen(1);
    stage.step();
    EXPECT_EQ(stage.sender.count(), 1U);
    EXPECT_FALSE(stage.dispatcher->summary("hook"));
}

TEST_F(DispatcherFlowTest, ARemovedWebhookGetsNothingMore)
{
    stage.put(hookOf("hook"));
    stage.sender.setReceiver("hook", [](const Outgoing&) { return answered(500); });
    stage.happen(3);
    stage.step();
    stage.dispatcher->remove("hook");
    stage.happen(3);
    stage.pass(1h);
    EXPECT_EQ(stage.sender.count(), 3U);
    EXPECT_FALSE(stage.dispatcher->summary("hook"));
}

} // namespace
} // namespace octostore::test
