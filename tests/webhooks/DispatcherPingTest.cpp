// SPDX-License-Identifier: MIT
// Goal: a ping is answered for, and many of them keep no delivery waiting.
// Method: a dispatcher without threads steps when a fake clock moves; receivers are functions.
#include "DispatcherStage.h"
#include "support/FakeRandom.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace octostore::test
{
namespace
{

using namespace std::chrono_literals;
using webhooks::Attempt;
using webhooks::Outgoing;
using webhooks::Webhook;

webhooks::WebhookPtr someones(std::uint64_t number)
{
    Webhook webhook = DispatcherStage::webhook("hook");
    FakeRandom random(number);
    webhook.owner = {random.uuid()};
    return std::make_shared<const Webhook>(std::move(webhook));
}

TEST(DispatcherPingTest, APingIsOneAttemptThatCountsForNothing)
{
    DispatcherStage stage;
    const auto webhook = std::make_shared<const Webhook>(DispatcherStage::webhook("hook"));
    stage.dispatcher->put(webhook, {});
    stage.sender.setReceiver("hook", [](const Outgoing&) { return answered(410); });
    std::vector<int> statuses;
    stage.dispatcher->ping(webhook, [&](const Attempt& attempt, const Outgoing&)
                           { statuses.push_back(attempt.status); });
    stage.step();
    stage.pass(24h);
    EXPECT_EQ(statuses, std::vector<int>{410});
    EXPECT_EQ(stage.figures.failed.value() + stage.figures.disabled.value(), 0U);
    EXPECT_FALSE(stage.dispatcher->summary("hook")->failingSince);
    EXPECT_EQ(stage.sender.sent().at(0).header("octostore-attempt"), "");
}

TEST(DispatcherPingTest, TwoPingsOfOneAccountAreUnderWayAtATime)
{
    DispatcherStage stage;
    unsigned answers = 0;
    const auto done = [&answers](const Attempt&, const Outgoing&) { ++answers; };
    EXPECT_TRUE(stage.dispatcher->ping(someones(1), done));
    EXPECT_TRUE(stage.dispatcher->ping(someones(1), done));
    EXPECT_FALSE(stage.dispatcher->ping(someones(1), done));
    EXPECT_TRUE(stage.dispatcher->ping(someones(2), done));
    stage.step();
    EXPECT_EQ(answers, 3U);
    EXPECT_TRUE(stage.dispatcher->ping(someones(1), done));
}

TEST(DispatcherPingTest, PingsTakeAnEighthOfTheWorkersAndWaitInALineThatEnds)
{
    DispatcherStage stage;
    unsigned underWay = 0, most = 0, answers = 0;
    stage.sender.setReceiver("hook",
                             [&](const Outgoing&)
                             {
                                 most = std::max(most, ++underWay);
                                 stage.dispatcher->step(); // meanwhile
                                 --underWay;
                                 return unanswered("timeout");
                             });
    const auto done = [&answers](const Attempt&, const Outgoing&) { ++answers; };
    for (std::uint64_t i = 1; i <= 64; ++i)
        EXPECT_TRUE(stage.dispatcher->ping(someones(i), done));
    EXPECT_FALSE(stage.dispatcher->ping(someones(65), done));
    stage.step();
    EXPECT_EQ(most, 4U);
    EXPECT_EQ(answers, 64U);
    EXPECT_TRUE(stage.dispatcher->ping(someones(65), done));
}

} // namespace
} // namespace octostore::test
