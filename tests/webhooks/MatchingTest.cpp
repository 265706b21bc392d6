// SPDX-License-Identifier: MIT
#include "Matching.h"

#include <octostore/http/Identity.h>

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

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

/// What a glob means, without a thought of what it costs.
bool means(std::string_view pattern, std::string_view name)
{
    if (pattern.empty())
        return name.empty();
    if (pattern.front() != '*')
        return !name.empty() && name.front() == pattern.front() &&
               means(pattern.substr(1), name.substr(1));
    const bool across = pattern.starts_with("**");
    const bool takesOne = !name.empty() && (across || name.front() != '/');
    return means(pattern.substr(across ? 2 : 1), name) ||
           (takesOne && means(pattern, name.substr(1)));
}

/// All texts of these letters up to a length.
std::vector<std::string> textsOf(std::string_view letters, std::size_t lengthMax)
{
    std::vector<std::string> texts{""};
    for (std::size_t i = 0; i < texts.size(); ++i)
        if (texts[i].size() < lengthMax)
            for (const char letter : letters)
                texts.push_back(texts[i] + letter);
    return texts;
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

TEST(MatchingTest, EveryShortPatternMatchesWhatItMeans)
{
    const std::vector<std::string> names = textsOf("a/", 5);
    for (const std::string& pattern : textsOf("a/*", 5))
        for (const std::string& name : names)
            ASSERT_EQ(matchesGlob(pattern, name), means(pattern, name)) << pattern << ' ' << name;
}

TEST(MatchingTest, APatternMadeToBeSlowIsNot)
{
    std::string stars;
    for (int i = 0; i < 16; ++i)
        stars += "*a";
    const std::string name(64, 'a');
    // Trying every way to divide the name among the stars would not end within a year.
    EXPECT_FALSE(matchesGlob(stars + 'b', name));
    EXPECT_TRUE(matchesGlob(stars, name));
    EXPECT_FALSE(matchesGlob(std::string(512, '*') + 'b', std::string(512, 'a')));
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
