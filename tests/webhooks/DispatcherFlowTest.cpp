// SPDX-License-Identifier: MIT
// Goal: what is sent when, beside what, and in which order.
// Method: as DispatcherTest.cpp. A receiver that calls the dispatcher again from within its answer
// is one that takes its time: however deep the calls go, so many attempts are under way.
#include "DispatcherFlow.h"

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
using webhooks::Outgoing;
using webhooks::Webhook;

class DispatcherFlowTest : public DispatcherFlow
{
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
