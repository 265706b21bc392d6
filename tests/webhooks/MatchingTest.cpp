// SPDX-License-Identifier: MIT
#include "Matching.h"

#include <octostore/http/Identity.h>

#include <gtest/gtest.h>

namespace octostore::webhooks
{
namespace
{

using event::Type;

Webhook webhookOf(Format format, const std::string& owner = "alice")
{
    Webhook webhook;
    webhook.owner = http::principalIdOf(owner);
    webhook.events = {"*"};
    webhook.format = format;
    return webhook;
}

event::Event handOver(const std::string& from, const std::string& to)
{
    event::Event event;
    event.what.type = Type::LockHandedOver;
    event.what.facts = {Type::LockReleased, Type::LockAcquired};
    event.what.name = "jobs/a";
    event.what.previous = event::Holding{from, Term(1), {}};
    event.what.current = event::Holding{to, Term(2), {}};
    return event;
}

TEST(MatchingTest, AStarStaysWithinAComponentAndTwoDoNot)
{
    EXPECT_TRUE(matchesGlob("jobs/*", "jobs/a"));
    EXPECT_FALSE(matchesGlob("jobs/*", "jobs/a/b"));
    EXPECT_TRUE(matchesGlob("jobs/**", "jobs/a/b"));
    EXPECT_TRUE(matchesGlob("*/a*", "jobs/abc"));
    EXPECT_FALSE(matchesGlob("jobs", "jobs/a"));
    EXPECT_TRUE(matchesPrefix("jobs/*", "jobs/a/b"));
}

TEST(MatchingTest, ReferenceWordsAndPartsMatchTypes)
{
    EXPECT_TRUE(matchesType("released", Type::LockForceReleased));
    EXPECT_TRUE(matchesType("lock.*", Type::LockExpired));
    EXPECT_FALSE(matchesType("lock.*", Type::LeaderElected));
    EXPECT_TRUE(isEventPattern("renewed"));
    EXPECT_FALSE(isEventPattern("Acquired"));
    EXPECT_FALSE(isEventPattern("lock.nothing"));
}

TEST(MatchingTest, AUserSeesOnlyTheOwnSideOfAHandOver)
{
    const event::Event event = handOver("alice", "bob");
    EXPECT_EQ(deliveriesOf(webhookOf(Format::Legacy), event), std::vector<std::uint8_t>{0});
    EXPECT_EQ(deliveriesOf(webhookOf(Format::Legacy, "bob"), event), std::vector<std::uint8_t>{1});
    EXPECT_TRUE(deliveriesOf(webhookOf(Format::Octostore, "carol"), event).empty());
    EXPECT_EQ(deliveriesOf(webhookOf(Format::Octostore), event), std::vector<std::uint8_t>{0});
    Webhook admin = webhookOf(Format::Legacy, "root");
    admin.admin = true;
    EXPECT_EQ(deliveriesOf(admin, event), (std::vector<std::uint8_t>{0, 1}));
}

TEST(MatchingTest, RoomsAreSeenWhenNamed)
{
    event::Event event;
    event.what.type = Type::LeaderElected;
    event.what.facts = {Type::LeaderElected};
    event.what.kind = event::ResourceKind::Election;
    event.what.name = "room-0001";
    Webhook webhook = webhookOf(Format::Octostore);
    EXPECT_TRUE(deliveriesOf(webhook, event).empty());
    webhook.elections = {"room-0001"};
    EXPECT_FALSE(deliveriesOf(webhook, event).empty());
    webhook.elections = {"room-*"};
    EXPECT_TRUE(deliveriesOf(webhook, event).empty()) << "patterns are for administrators";
}

} // namespace
} // namespace octostore::webhooks
