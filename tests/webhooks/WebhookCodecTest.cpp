// SPDX-License-Identifier: MIT
#include "WebhookCodec.h"

#include "WebhookFields.h"
#include "support/FakeRandom.h"

#include <gtest/gtest.h>

#include <chrono>

namespace octostore::webhooks
{
namespace
{

using namespace std::chrono_literals;

/// As clients see it, with its secrets.
std::string shown(const Webhook& webhook)
{
    JsonWriter json;
    json.beginObject();
    writeFields(json, webhook, webhook.secret);
    return json.endObject().take();
}

/// Takes `body` into a webhook that is being made; the error's message, or what it became.
std::string made(const std::string& body, const Webhook& before = {}, bool fresh = true)
{
    Webhook webhook = before;
    const auto policy = EgressPolicy::make({});
    const auto read = readFields(*readJson(body), *policy, fresh, webhook);
    if (!read)
        return read.error().message;
    return std::string(formatName(webhook.format)) + " " +
           (webhook.ratePerSecond ? std::to_string(*webhook.ratePerSecond) : "unlimited");
}

TEST(WebhookCodecTest, WhatIsStoredIsReadAgain)
{
    test::FakeRandom random;
    const SecretBox box(random.bytes<32>());
    Webhook webhook;
    webhook.id = "a-webhook";
    webhook.owner = {random.uuid()};
    webhook.ownerName = "alice";
    webhook.admin = true;
    webhook.url = *TargetUrl::parse("https://a.example:8443/hook?a=b");
    webhook.secret = "the secret";
    webhook.oldSecrets = {{"an older one", WallTime(1'700'000'000s), {}}};
    webhook.events = {"lock.*", "election.leader_elected"};
    webhook.lockPattern = "jobs/**";
    webhook.elections = {"room-1"};
    webhook.description = "what it is for";
    webhook.ordered = true;
    webhook.active = false;
    webhook.disabledReason = "the receiver answered 410";
    webhook.maxAgeSeconds = 60;
    webhook.ratePerSecond = 7;
    webhook.createdAt = WallTime(1'600'000'000s);
    for (const Format format : {Format::Octostore, Format::Legacy, Format::CloudEvents})
    {
        webhook.format = format;
        const auto again = decode(encode(webhook, box, random), box);
        ASSERT_TRUE(again) << again.error().message;
        EXPECT_EQ(shown(*again), shown(webhook));
        EXPECT_EQ(again->admin, webhook.admin);
        ASSERT_EQ(again->oldSecrets.size(), 1U);
        EXPECT_EQ(again->oldSecrets[0].secret, "an older one");
        EXPECT_EQ(again->oldSecrets[0].until, webhook.oldSecrets[0].until);
    }
    Webhook bare;
    bare.id = "b";
    bare.url = webhook.url;
    const auto again = decode(encode(bare, box, random), box);
    ASSERT_TRUE(again);
    EXPECT_EQ(shown(*again), shown(bare));
}

TEST(WebhookCodecTest, WhatIsSealedWithAnotherKeyIsKeptUntilThatKeyIsBack)
{
    test::FakeRandom random;
    const SecretBox box(random.bytes<32>()), other(random.bytes<32>());
    const WallTime until(1'700'000'000s);
    Webhook webhook;
    webhook.id = "a";
    webhook.url = *TargetUrl::parse("https://a.example/");
    webhook.secret = "new";
    webhook.oldSecrets = {{"old", until, {}}};
    const auto away = decode(encode(webhook, box, random), other);
    ASSERT_TRUE(away);
    EXPECT_TRUE(away->secretsAt(until - 1s).empty()) << "they sign nothing";
    // Without its key the webhook is disabled, and stored again.
    for (const SecretBox& without : {other, SecretBox()})
    {
        const auto back = decode(encode(*away, without, random), box);
        ASSERT_TRUE(back);
        EXPECT_EQ(back->secretsAt(until - 1s), (std::vector<std::string>{"new", "old"}));
        EXPECT_EQ(back->secretsAt(until), std::vector<std::string>{"new"});
    }
}

TEST(WebhookFieldsTest, SinceIsASequenceOrATimeThatTheClockCanHave)
{
    const auto read = [](const std::string& since)
    { return readSince(*readJson(R"({"since":)" + since + "}")); };
    EXPECT_EQ(std::get<Sequence>(*read("7")), Sequence(7));
    const WallTime time(1'785'718'923s);
    for (const char* text : {"2026-08-03T01:02:03Z", "2026-08-03T01:02:03.9+00:00"})
        EXPECT_EQ(std::get<WallTime>(*read('"' + std::string(text) + '"')), time) << text;
    for (const char* text :
         {"9999-12-31T23:59:59Z", "2262-01-01T00:00:00Z", "0001-01-01T00:00:00Z",
          "-999-01-01T00:00:00Z", "2026-02-31T00:00:00Z", "2026-08-03T01:02:03", "2026-08-03"})
        EXPECT_FALSE(read('"' + std::string(text) + '"')) << text;
    EXPECT_FALSE(read("-1"));
}

TEST(WebhookCodecTest, ACursorIsReadAgain)
{
    Cursor cursor;
    cursor.low = Sequence(41);
    cursor.tried = {{{Sequence(7), 1}, 3, WallTime(1'700'000'000'123ms), false},
                    {{Sequence(9), 0}, 0, WallTime(1'700'000'000s), true},
                    {{Sequence(11), 0}, 2, WallTime(1'700'000'000s), true}};
    cursor.failingSince = WallTime(1'600'000'000s);
    cursor.alerted = 70;
    const auto again = decodeCursor(encode(cursor));
    ASSERT_TRUE(again);
    EXPECT_EQ(encode(*again), encode(cursor));
    EXPECT_EQ(again->tried.at(0).due, cursor.tried[0].due);
    EXPECT_FALSE(again->tried.at(0).asked);
    EXPECT_TRUE(again->tried.at(1).asked);
    EXPECT_TRUE(again->tried.at(2).asked);
    EXPECT_EQ(again->tried.at(2).attempts, 2U);
}

TEST(WebhookFieldsTest, FormatAndRateAreTakenOrRefused)
{
    const std::string url = R"({"url":"https://a.example/")";
    EXPECT_EQ(made(url + "}"), "legacy unlimited");
    EXPECT_EQ(made(url + R"(,"events":["lock.*"]})"), "octostore unlimited");
    EXPECT_EQ(made(url + R"(,"rate_per_s":5})"), "octostore 5");
    EXPECT_EQ(made(url + R"(,"rate_per_s":null})"), "legacy unlimited");
    EXPECT_EQ(made(url + R"(,"format":"cloudevents","rate_per_s":1000})"), "cloudevents 1000");
    for (const char* rate : {"0", "1001"})
        EXPECT_EQ(made(url + ",\"rate_per_s\":" + rate + "}"), "rate_per_s: 1 to 1000");
    for (const char* rate : {"\"5\"", "1.5", "-1", "true"})
        EXPECT_NE(made(url + ",\"rate_per_s\":" + rate + "}").find("rate_per_s"),
                  std::string::npos);
    EXPECT_EQ(made(url + R"(,"format":"xml"})"), "format: octostore, legacy or cloudevents");
}

TEST(WebhookFieldsTest, AChangeKeepsWhatItDoesNotMentionAndNullTakesAway)
{
    Webhook before;
    before.format = Format::CloudEvents;
    before.ratePerSecond = 5;
    EXPECT_EQ(made("{}", before, false), "cloudevents 5");
    EXPECT_EQ(made(R"({"rate_per_s":9})", before, false), "cloudevents 9");
    EXPECT_EQ(made(R"({"rate_per_s":null,"format":"octostore"})", before, false),
              "octostore unlimited");
}

} // namespace
} // namespace octostore::webhooks
