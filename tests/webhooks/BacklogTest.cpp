// SPDX-License-Identifier: MIT
// Goal: what is to be delivered next, and what a restart has to know, at every moment.
// Method: rules are asked directly; a walk drawn by lot checks what always holds.
#include "Backlog.h"

#include "EndpointHealth.h"
#include "support/FakeRandom.h"

#include <gtest/gtest.h>

#include <chrono>
#include <set>

namespace octostore::webhooks
{
namespace
{

using namespace std::chrono_literals;

BootTime at(std::chrono::seconds seconds)
{
    return BootTime(seconds);
}

event::EventPtr eventOf(std::uint64_t sequence, const std::string& name)
{
    event::Event event;
    event.sequence = Sequence(sequence);
    event.what.name = name;
    event.what.time = WallTime(std::chrono::seconds(sequence));
    return std::make_shared<const event::Event>(event);
}

DeliveryKey keyOf(std::uint64_t sequence)
{
    return {Sequence(sequence), 0};
}

Backlog backlogOf(std::uint64_t count, bool ordered, const std::string& name = {})
{
    Backlog backlog(Sequence(0), ordered);
    for (std::uint64_t i = 1; i <= count; ++i)
    {
        backlog.add(keyOf(i), {eventOf(i, name.empty() ? std::to_string(i) : name), 0, at(0s)});
        backlog.scannedTo(Sequence(i));
    }
    return backlog;
}

TEST(BacklogTest, InOrderModeNothingPassesWhatWaits)
{
    Backlog backlog = backlogOf(3, true);
    ASSERT_EQ(backlog.next(at(1s)), keyOf(1));
    backlog.begin(keyOf(1));
    EXPECT_FALSE(backlog.next(at(1s)));
    backlog.retry(keyOf(1), at(10s));
    EXPECT_FALSE(backlog.next(at(9s)));
    EXPECT_EQ(backlog.next(at(10s)), keyOf(1));
    backlog.begin(keyOf(1));
    backlog.finish(keyOf(1));
    EXPECT_EQ(backlog.next(at(10s)), keyOf(2));
}

TEST(BacklogTest, FourAreInFlightAndNeverTwoOfOneResource)
{
    Backlog backlog = backlogOf(6, false);
    for (std::uint64_t i = 1; i <= 4; ++i)
    {
        ASSERT_EQ(backlog.next(at(1s)), keyOf(i));
        backlog.begin(keyOf(i));
    }
    EXPECT_FALSE(backlog.next(at(1s)));

    Backlog same = backlogOf(2, false, "one");
    same.begin(keyOf(1));
    EXPECT_FALSE(same.next(at(1s)));
    same.retry(keyOf(1), at(10s));
    EXPECT_EQ(same.next(at(1s)), keyOf(2));
}

TEST(BacklogTest, TheLowWaterNeverPassesWhatWasNotTried)
{
    test::FakeRandom random(7);
    RecordProperty("seed", std::to_string(random.seed()));
    Backlog backlog(Sequence(0), false);
    std::set<std::uint64_t> untried, unfinished;
    std::uint64_t last = 0;
    for (int step = 0; step < 20'000; ++step)
    {
        if (random.number(1) == 0 && !backlog.full())
        {
            ++last;
            backlog.add(keyOf(last), {eventOf(last, std::to_string(last % 5)), 0, at(0s)});
            backlog.scannedTo(Sequence(last));
            untried.insert(last);
            unfinished.insert(last);
        }
        else if (const auto key = backlog.next(at(1s)))
        {
            backlog.begin(*key);
            untried.erase(key->sequence.value());
            if (random.number(2) == 0)
                backlog.retry(*key, at(0s));
            else
            {
                backlog.finish(*key);
                unfinished.erase(key->sequence.value());
            }
        }
        ASSERT_EQ(backlog.size(), unfinished.size());
        const auto least = [last](const std::set<std::uint64_t>& all)
        { return all.empty() ? last : *all.begin() - 1; };
        ASSERT_EQ(backlog.lowWater().value(), least(untried));
        ASSERT_EQ(backlog.needed().value(), least(unfinished));
    }
}

TEST(BacklogTest, WhatIsTooOldIsFoundUnlessAPersonAskedForIt)
{
    Backlog backlog = backlogOf(3, false);
    backlog.add(keyOf(9), {eventOf(0, "asked"), 0, at(0s), false, true});
    const auto old = backlog.older(WallTime(3s));
    ASSERT_EQ(old.size(), 2U);
    EXPECT_EQ(old.back().first, keyOf(2));
}

TEST(RetryRulesTest, DelaysFollowTheScheduleWithATwentyPercentJitter)
{
    const RetryRules rules{{5s, 300s}};
    EXPECT_EQ(rules.delay(1, {}, 0.5), Milliseconds(5s));
    EXPECT_EQ(rules.delay(1, {}, 0), Milliseconds(4s));
    EXPECT_EQ(rules.delay(2, {}, 1), Milliseconds(360s));
    EXPECT_FALSE(rules.delay(3, {}, 0.5));
}

TEST(RetryRulesTest, AReceiverMayAskForMoreTimeUpToADayAndNeverForLess)
{
    const RetryRules rules{{5s}};
    EXPECT_EQ(rules.delay(1, Milliseconds(60s), 0.5), Milliseconds(60s));
    EXPECT_EQ(rules.delay(1, Milliseconds(1s), 0.5), Milliseconds(5s));
    EXPECT_EQ(rules.delay(1, Milliseconds(48h), 0.5), Milliseconds(24h));
    EXPECT_EQ(RetryRules{{24h}}.delay(1, {}, 1), Milliseconds(24h));
}

TEST(EndpointHealthTest, TheBreakerOpensAfterTenFailuresAndIsTriedAgainAfterHalfAMinute)
{
    EndpointHealth health;
    for (int i = 0; i < 10; ++i)
    {
        EXPECT_EQ(health.allowed(at(1s), 0), 1U);
        health.failure({at(1s), WallTime(1s)});
    }
    EXPECT_EQ(health.allowed(at(30s), 0), 0U);
    EXPECT_EQ(health.allowed(at(31s), 0), 1U);
    EXPECT_EQ(health.allowed(at(31s), 1), 0U);
    health.failure({at(31s), WallTime(31s)});
    EXPECT_EQ(health.allowed(at(60s), 0), 0U);
    EXPECT_TRUE(health.success(at(61s)).recovered);
    EXPECT_EQ(health.allowed(at(61s), 0), 4U);
}

TEST(EndpointHealthTest, OnlyFailuresFor120HoursDisableWithFourAlertsOnTheWay)
{
    EndpointHealth health;
    std::vector<unsigned> alerts;
    bool disabled = false;
    for (auto hour = 0h; hour <= 120h && !disabled; ++hour)
    {
        const auto verdict = health.failure({BootTime(hour), WallTime(hour)});
        if (verdict.alert != 0)
            alerts.push_back(verdict.alert);
        disabled = verdict.disable;
        EXPECT_EQ(disabled, hour == 120h) << hour.count();
    }
    EXPECT_EQ(alerts, (std::vector<unsigned>{50, 70, 90, 100}));
    health.success(BootTime(121h));
    EXPECT_FALSE(health.failingSince());
}

} // namespace
} // namespace octostore::webhooks
