// SPDX-License-Identifier: MIT
// Goal: whatever a receiver answers leads to what is promised, at the time that is promised.
// Method: a dispatcher without threads steps when a fake clock moves; receivers are functions.
#include "DispatcherStage.h"
#include "Signature.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <set>

namespace octostore::test
{
namespace
{

using namespace std::chrono_literals;
using webhooks::Attempt;
using webhooks::Outgoing;
using webhooks::Webhook;

constexpr auto tick = 1ms;
constexpr auto month = std::chrono::hours(30 * 24);

Webhook patient(const std::string& name)
{
    Webhook webhook = DispatcherStage::webhook(name);
    webhook.maxAgeSeconds = std::chrono::seconds(month).count();
    return webhook;
}

/// When the next attempt is due, from now.
BootClock::duration untilNext(DispatcherStage& stage, const std::string& name)
{
    const auto summary = stage.dispatcher->summary(name);
    if (!summary || !summary->nextRetry)
        return BootClock::duration::max();
    return *summary->nextRetry - stage.clock.wallTime();
}

enum class Outcome
{
    Delivered,
    Retried,  ///< as the schedule says
    Later,    ///< when the receiver says
    Disabled, ///< kept until the owner makes it active again
};

struct Behaviour
{
    const char* name;
    Attempt attempt;
    Milliseconds took{0};
    Outcome outcome = Outcome::Retried;
    Milliseconds later{0};
};

void PrintTo(const Behaviour& behaviour, std::ostream* out)
{
    *out << behaviour.name;
}

const std::vector<Behaviour>& behaviours()
{
    static const std::vector<Behaviour> all = {
        {"Ok", answered(200), 0s, Outcome::Delivered},
        {"NoContent", answered(204), 0s, Outcome::Delivered},
        {"AnyTwoHundred", answered(299), 0s, Outcome::Delivered},
        {"Slow", answered(200), 14s, Outcome::Delivered},
        {"Fails", answered(500)},
        {"RefusesForNow", answered(404)},
        {"RefusesOurInput", answered(400)},
        {"Redirects", answered(302)},
        {"RedirectsForGood", answered(308)},
        {"Hangs", unanswered("timeout"), 15s},
        {"SendsGarbage", unanswered("protocol")},
        {"HasNoName", unanswered("dns")},
        {"IsNotThere", unanswered("connect")},
        {"HasABadCertificate", unanswered("tls")},
        {"IsInside", unanswered("egress_denied")},
        {"Gone", answered(410), 0s, Outcome::Disabled},
        {"Throttles", answered(429)},
        {"ThrottlesForAMinute", answered(429, 60s), 0s, Outcome::Later, 60s},
        {"ThrottlesForLessThanWeWait", answered(429, 1s)},
        {"ThrottlesForTwoDays", answered(429, 48h), 0s, Outcome::Later, 24h},
        {"IsDownForAMinute", answered(503, 60s), 0s, Outcome::Later, 60s},
        {"SaysWhenWithAnError", answered(500, 60s), 0s, Outcome::Later, 60s},
    };
    return all;
}

class BehaviourTest : public testing::TestWithParam<Behaviour>
{
protected:
    BehaviourTest()
    {
        stage.put(patient("hook"));
        stage.sender.setReceiver("hook",
                                 [this](const Outgoing&)
                                 {
                                     stage.clock.advance(GetParam().took);
                                     return GetParam().attempt;
                                 });
        stage.happen(1);
        stage.step();
        stage.sender.setReceiver("hook", {});
    }
    /// Nothing before `from`, one attempt by `to`.
    void expectAttempt(BootClock::duration from, BootClock::duration to)
    {
        const auto due = untilNext(stage, "hook");
        ASSERT_GE(due, from);
        ASSERT_LE(due, to);
        stage.pass(due - tick);
        EXPECT_EQ(stage.sender.count(), 1U) << "too early";
        stage.pass(tick);
        EXPECT_EQ(stage.sender.count(), 2U);
        EXPECT_EQ(stage.dispatcher->pending(), 0U);
    }

    DispatcherStage stage;
};

TEST_P(BehaviourTest, LeadsToWhatIsPromised)
{
    const Behaviour& behaviour = GetParam();
    ASSERT_EQ(stage.sender.count(), 1U);
    EXPECT_EQ(stage.figures.succeeded.value(), behaviour.attempt.succeeded() ? 1U : 0U);
    EXPECT_EQ(stage.figures.failed.value(), behaviour.attempt.succeeded() ? 0U : 1U);
    EXPECT_EQ(stage.figures.disabled.value(), behaviour.outcome == Outcome::Disabled ? 1U : 0U);
    switch (behaviour.outcome)
    {
    case Outcome::Delivered:
        EXPECT_EQ(stage.dispatcher->pending(), 0U);
        stage.pass(month);
        EXPECT_EQ(stage.sender.count(), 1U);
        break;
    case Outcome::Retried:
        expectAttempt(4s, 6s);
        break;
    case Outcome::Later:
        expectAttempt(behaviour.later, behaviour.later);
        break;
    case Outcome::Disabled:
        EXPECT_EQ(stage.records.reasonsOf(event::Type::WebhookDisabled).size(), 1U);
        stage.happen(1);
        stage.pass(24h);
        EXPECT_EQ(stage.sender.count(), 1U);
        stage.put(patient("hook"));
        stage.step();
        EXPECT_EQ(stage.sender.count(), 3U) << "what waited, and what happened meanwhile";
        break;
    }
}

INSTANTIATE_TEST_SUITE_P(Receivers, BehaviourTest, testing::ValuesIn(behaviours()),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(DispatcherTest, AReceiverThatAlwaysFailsIsTriedTenTimesOverTheWholeSchedule)
{
    double least = 2, most = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
    {
        SCOPED_TRACE("seed " + std::to_string(seed));
        DispatcherStage stage(seed);
        stage.put(patient("hook"));
        stage.sender.setReceiver("hook", [](const Outgoing&) { return answered(500); });
        stage.happen(1);
        stage.step();
        std::size_t attempts = 1;
        for (const Milliseconds planned : DispatcherStage::schedule())
        {
            ASSERT_EQ(stage.sender.count(), attempts);
            const auto due = untilNext(stage, "hook");
            const double factor = std::chrono::duration<double>(due) / planned;
            ASSERT_GE(factor, 0.7999);
            ASSERT_LE(factor, 1.2001);
            least = std::min(least, factor);
            most = std::max(most, factor);
            stage.pass(due - tick);
            ASSERT_EQ(stage.sender.count(), attempts) << "too early";
            stage.pass(tick);
            ++attempts;
        }
        EXPECT_EQ(stage.sender.count(), 10U);
        EXPECT_EQ(stage.figures.exhausted.value(), 1U);
        EXPECT_EQ(stage.records.reasonsOf(event::Type::WebhookExhausted).size(), 1U);
        EXPECT_EQ(stage.dispatcher->pending(), 0U);
        stage.pass(month);
        EXPECT_EQ(stage.sender.count(), 10U);
    }
    EXPECT_LT(least, 0.85) << "there is no jitter";
    EXPECT_GT(most, 1.15) << "there is no jitter";
}

TEST(DispatcherTest, EveryAttemptHasTheSameIdAndBodyAndItsOwnNumberTimeAndSignature)
{
    DispatcherStage stage;
    stage.put(patient("hook"));
    stage.sender.setReceiver("hook", [](const Outgoing&) { return answered(500); });
    stage.happen(1);
    for (const auto pause : {0min, 1min, 10min})
        stage.pass(pause);
    const auto sent = stage.sender.sent();
    ASSERT_EQ(sent.size(), 3U);
    std::set<std::string> traces;
    for (std::size_t i = 0; i < sent.size(); ++i)
    {
        EXPECT_EQ(sent[i].header("octostore-attempt"), std::to_string(i + 1));
        EXPECT_EQ(sent[i].header("webhook-id"), "evt_0a1b_1");
        EXPECT_EQ(sent[i].message.body, sent[0].message.body);
        const std::int64_t seconds =
            std::chrono::floor<std::chrono::seconds>(sent[i].at.time_since_epoch()).count();
        EXPECT_EQ(sent[i].header("webhook-timestamp"), std::to_string(seconds));
        EXPECT_EQ(sent[i].header("webhook-signature"),
                  webhooks::signatureHeader({signingSecret}, "evt_0a1b_1", seconds,
                                            sent[i].message.body));
        traces.insert(sent[i].header("traceparent"));
    }
    EXPECT_EQ(traces.size(), 3U) << "an attempt is a span of its own";
}

TEST(DispatcherTest, WhatIsTooOldIsNotSentAnyMoreAndCounted)
{
    DispatcherStage stage;
    Webhook webhook = DispatcherStage::webhook("hook");
    webhook.maxAgeSeconds = 60;
    stage.put(webhook);
    stage.sender.setReceiver("hook", [](const Outgoing&) { return answered(500); });
    stage.happen(1);
    stage.step();
    stage.pass(10s);
    EXPECT_EQ(stage.sender.count(), 2U);
    stage.pass(40s);
    EXPECT_EQ(stage.figures.expired.value(), 0U);
    stage.pass(11s);
    EXPECT_EQ(stage.figures.expired.value(), 1U);
    EXPECT_EQ(stage.dispatcher->pending(), 0U);

    stage.happen(1);
    stage.clock.advance(61s);
    stage.happen(1);
    stage.step();
    EXPECT_EQ(stage.figures.expired.value(), 2U) << "too old before it was read";
    EXPECT_EQ(stage.sender.count(), 3U);
}

TEST(DispatcherTest, WithoutALimitOfItsOwnAWebhookGetsWhatIsYoungerThanThreeDays)
{
    DispatcherStage stage;
    stage.put(DispatcherStage::webhook("hook"));
    stage.happen(1);
    stage.clock.advance(72h + 1s);
    stage.happen(1);
    stage.clock.advance(72h - 1s);
    stage.step();
    EXPECT_EQ(stage.figures.expired.value(), 1U);
    EXPECT_EQ(stage.sender.count(), 1U);
}

TEST(DispatcherTest, WithTheDefaultsEveryDeliveryThatIsNeverTakenEndsWithAnEvent)
{
    unsigned tooOld = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
    {
        SCOPED_TRACE("seed " + std::to_string(seed));
        DispatcherStage stage(seed);
        stage.put(DispatcherStage::webhook("hook"));
        stage.sender.setReceiver("hook", [](const Outgoing&) { return answered(500); });
        stage.happen(2);
        for (auto passed = 0h; passed < 100h; ++passed)
            stage.pass(1h);
        EXPECT_EQ(stage.figures.expired.value() + stage.figures.exhausted.value(), 2U);
        const auto told = stage.records.reasonsOf(event::Type::WebhookExhausted);
        ASSERT_GE(told.size(), 1U);
        tooOld += told[0].find(": too old after ") != std::string::npos ? 1 : 0;
    }
    EXPECT_GT(tooOld, 0U) << "the schedule is longer than three days";
}

TEST(DispatcherTest, WhoIsToldThatAWebhookIsDisabledMayAskTheDispatcher)
{
    DispatcherStage stage;
    stage.put(patient("hook"));
    stage.sender.setReceiver("hook", [](const Outgoing&) { return answered(410); });
    std::size_t active = 1;
    // It would wait for itself if the dispatcher told it with its mutex held.
    stage.records.whenDisabling = [&] { active = stage.dispatcher->census().active; };
    stage.happen(1);
    stage.step();
    EXPECT_EQ(active, 0U);
}

TEST(DispatcherTest, OnlyFailuresForFiveDaysDisableAfterFourWarnings)
{
    DispatcherStage stage;
    stage.put(patient("hook"));
    stage.sender.setReceiver("hook", [](const Outgoing&) { return answered(500); });
    for (auto hour = 0h; hour < 120h; ++hour)
    {
        stage.happen(1);
        stage.pass(1h);
    }
    const auto warnings = stage.records.reasonsOf(event::Type::WebhookFailing);
    ASSERT_EQ(warnings.size(), 3U);
    for (std::size_t i = 0; i < warnings.size(); ++i)
        EXPECT_TRUE(warnings[i].starts_with(std::vector{"50 %", "70 %", "90 %"}[i])) << warnings[i];
    EXPECT_EQ(stage.figures.disabled.value(), 0U);
    stage.happen(1);
    stage.pass(1h);
    stage.pass(1h);
    EXPECT_EQ(stage.records.reasonsOf(event::Type::WebhookFailing).size(), 4U);
    EXPECT_EQ(stage.figures.disabled.value(), 1U);
    EXPECT_EQ(stage.records.reasonsOf(event::Type::WebhookDisabled),
              std::vector<std::string>{"120 hours of only failures"});
    const std::size_t before = stage.sender.count();
    stage.pass(24h);
    EXPECT_EQ(stage.sender.count(), before);
}

TEST(DispatcherTest, OneSuccessStartsTheFiveDaysAnew)
{
    DispatcherStage stage;
    stage.put(patient("hook"));
    int requests = 0;
    stage.sender.setReceiver("hook", [&requests](const Outgoing&)
                             { return answered(++requests % 50 == 0 ? 200 : 500); });
    for (auto hour = 0h; hour < 300h; ++hour)
    {
        stage.happen(1);
        stage.pass(1h);
    }
    EXPECT_EQ(stage.figures.disabled.value(), 0U);
    EXPECT_GT(requests, 300);
}

TEST(DispatcherTest, AReceiverThatAsksForTimeGetsNothingElseMeanwhile)
{
    DispatcherStage stage;
    stage.put(patient("hook"));
    stage.happen(1);
    stage.step();
    stage.sender.setReceiver("hook", [](const Outgoing&) { return answered(429, 60s); });
    stage.happen(3);
    stage.step();
    ASSERT_EQ(stage.sender.count(), 2U);
    stage.sender.setReceiver("hook", {});
    stage.pass(60s - tick);
    EXPECT_EQ(stage.sender.count(), 2U);
    stage.pass(tick);
    EXPECT_EQ(stage.sender.count(), 5U);
}

TEST(DispatcherTest, AnAttemptThatWasBrokenOffIsNotCounted)
{
    DispatcherStage stage;
    stage.put(patient("hook"));
    int requests = 0;
    stage.sender.setReceiver("hook", [&requests](const Outgoing&)
                             { return ++requests == 1 ? unanswered("stopped") : answered(200); });
    stage.happen(1);
    stage.step();
    const auto sent = stage.sender.sent();
    ASSERT_EQ(sent.size(), 2U);
    EXPECT_EQ(sent[1].header("octostore-attempt"), "1");
    EXPECT_EQ(stage.figures.failed.value(), 0U);
}

} // namespace
} // namespace octostore::test
