// SPDX-License-Identifier: MIT
#include "Payload.h"

#include "RetryAfter.h"

#include <octostore/base/Json.h>
#include <octostore/event/EventJson.h>

#include <gtest/gtest.h>

#include <chrono>
#include <limits>

namespace octostore::webhooks
{
namespace
{

using namespace std::chrono_literals;

constexpr WallTime sentAt(1'700'000'000s);

Webhook webhookIn(Format format)
{
    Webhook webhook;
    webhook.id = "a-webhook";
    webhook.url = *TargetUrl::parse("https://a.example/hook");
    webhook.format = format;
    return webhook;
}

event::Event eventOf(std::uint64_t sequence)
{
    event::Event event;
    event.sequence = Sequence(sequence);
    event.what.facts = {event.what.type};
    event.what.name = "a/lock";
    event.what.time = sentAt - 5s;
    event.what.request = {*Uuid::parse("0123456789abcdef0123456789abcdef")};
    return event;
}

std::string headerOf(const Outgoing& message, const std::string& name)
{
    for (const auto& [known, value] : message.headers)
        if (known == name)
            return value;
    return "none";
}

Outgoing messageOf(const event::Event& event, Format format, unsigned attempt = 1)
{
    return deliveryOf(webhookIn(format), event, {event.sequence}, "0a1b",
                      {attempt, sentAt, sentAt + 1h});
}

TEST(PayloadTest, ItIsTheEnvelopeOfStandardWebhooksAroundTheEvent)
{
    const auto event = eventOf(42);
    const Outgoing message = messageOf(event, Format::Octostore, 3);
    EXPECT_EQ(message.body,
              R"({"id":"evt_0a1b_42","type":"lock.acquired","timestamp":"2023-11-14T22:13:15Z",)"
              R"("data":)" +
                  event::toJson(event) + "}");
    EXPECT_EQ(headerOf(message, "Content-Type"), "application/json");
    EXPECT_EQ(headerOf(message, "User-Agent"), "OctoStore-Webhook/1.0");
    EXPECT_EQ(headerOf(message, "webhook-id"), "evt_0a1b_42");
    EXPECT_EQ(headerOf(message, "webhook-timestamp"), "1700000000");
    EXPECT_EQ(headerOf(message, "octostore-delivery-id"), "dlv_42");
    EXPECT_EQ(headerOf(message, "octostore-attempt"), "3");
}

TEST(PayloadTest, ACloudEventHasItsAttributesAndASequenceThatSortsAsText)
{
    const auto event = eventOf(42);
    const Outgoing message = messageOf(event, Format::CloudEvents);
    EXPECT_EQ(message.body,
              R"({"specversion":"1.0","id":"evt_0a1b_42","source":"urn:octostore:0a1b",)"
              R"("type":"lock.acquired","subject":"lock:a/lock","time":"2023-11-14T22:13:15Z",)"
              R"("datacontenttype":"application/json","sequence":"00000000000000000042",)"
              R"("expirytime":"2023-11-14T23:13:20Z","data":)" +
                  event::toJson(event) + "}");
    EXPECT_EQ(headerOf(message, "Content-Type"), "application/cloudevents+json");
    EXPECT_EQ(headerOf(message, "webhook-id"), "evt_0a1b_42");

    const auto last = eventOf(std::numeric_limits<std::uint64_t>::max());
    EXPECT_NE(
        messageOf(last, Format::CloudEvents).body.find(R"("sequence":"18446744073709551615")"),
        std::string::npos);
    const Outgoing ping = pingOf(webhookIn(Format::CloudEvents), "ping_1", "0a1b", sentAt);
    EXPECT_EQ(ping.body, R"({"specversion":"1.0","id":"ping_1","source":"urn:octostore:0a1b",)"
                         R"("type":"webhook.ping","time":"2023-11-14T22:13:20Z",)"
                         R"("datacontenttype":"application/json","data":{"webhook":"a-webhook"}})");
}

TEST(PayloadTest, ACloudEventThatIsAskedForWhenItIsTooOldDoesNotSaySo)
{
    const auto event = eventOf(42);
    const Outgoing late = deliveryOf(webhookIn(Format::CloudEvents), event, {event.sequence},
                                     "0a1b", {1, sentAt, sentAt - 1s});
    EXPECT_EQ(late.body.find("expirytime"), std::string::npos) << late.body;
}

TEST(PayloadTest, WhatTheLegacyFormatHasNoWordForComesInTheEnvelope)
{
    auto event = eventOf(42);
    event.what.type = event::Type::LeaderElected;
    event.what.facts = {event.what.type};
    event.what.kind = event::ResourceKind::Election;
    const Outgoing message = messageOf(event, Format::Legacy);
    EXPECT_EQ(headerOf(message, "webhook-id"), "evt_0a1b_42");
    EXPECT_EQ(message.body, messageOf(event, Format::Octostore).body);
}

TEST(PayloadTest, TheTraceIsTheRequestAndEveryAttemptASpan)
{
    const std::string first = headerOf(messageOf(eventOf(42), Format::Octostore), "traceparent");
    EXPECT_TRUE(first.starts_with("00-0123456789abcdef0123456789abcdef-")) << first;
    EXPECT_TRUE(first.ends_with("-01")) << first;
    EXPECT_EQ(first.size(), 55U);
    EXPECT_EQ(first, headerOf(messageOf(eventOf(42), Format::Octostore), "traceparent"));
    EXPECT_NE(first, headerOf(messageOf(eventOf(42), Format::Octostore, 2), "traceparent"));
    auto byItself = eventOf(42);
    byItself.what.request = {};
    EXPECT_EQ(headerOf(messageOf(byItself, Format::Octostore), "traceparent"), "none");
}

TEST(PayloadTest, TheLargestEventStaysBelowTwentyKilobytes)
{
    auto event = eventOf(std::numeric_limits<std::uint64_t>::max());
    event.what.type = event::Type::LeaderChanged;
    event.what.facts = {event::Type::LeaderExpired, event::Type::LeaderElected};
    event.what.kind = event::ResourceKind::Election;
    // The longest there may be, of what takes most room in JSON.
    event.what.name = std::string(256, '\x01');
    event.what.reason = std::string(256, '\x01');
    event.what.actor.name = std::string(256, '\x01');
    event::Holding holding;
    holding.holder = std::string(256, '\x01');
    holding.term = Term(std::numeric_limits<std::uint64_t>::max());
    holding.expiresAt = sentAt;
    holding.metadata = std::string(4096, '\x01');
    event.what.previous = event.what.current = holding;
    for (const Format format : {Format::Octostore, Format::CloudEvents})
        EXPECT_LT(messageOf(event, format).body.size(), 20'000U);
}

TEST(RetryAfterTest, ItIsSecondsOrADateComparedWithTheReceiversOwnClock)
{
    const std::string base = "Sun, 06 Nov 1994 08:49:37 GMT";
    struct Case
    {
        std::string value, date;
        std::optional<Milliseconds> wait;
    };
    const std::vector<Case> cases = {
        {"0", "", 0s},
        {"120", base, 120s},
        {"4294967295", "", Milliseconds(4'294'967'295'000)},
        {"Sun, 06 Nov 1994 08:49:38 GMT", base, 1s},
        {"Mon, 07 Nov 1994 08:49:37 GMT", base, 24h},
        {base, base, 0s},
        {"Sun, 06 Nov 1994 08:49:00 GMT", base, 0s},
        {"Tue, 14 Nov 2023 22:14:20 GMT", "", 60s},
        {"Tue, 14 Nov 2023 22:14:20 GMT", "yesterday", 60s},
        {"-1", "", {}},
        {"1.5", "", {}},
        {"4294967296", "", {}},
        {"soon", "", {}},
        {"Sun, 06 Foo 1994 08:49:37 GMT", "", {}},
        {"Sun, 06 Nov 1994 08:49:37 GMT+1", "", {}},
        {"Sunday, 06-Nov-94 08:49:37 GMT", "", {}},
    };
    for (const Case& one : cases)
        EXPECT_EQ(parseRetryAfter(one.value, one.date, sentAt), one.wait) << one.value;
}

TEST(RetryAfterTest, ADateThatNoClockReachesIsALongWait)
{
    const std::string never = "Fri, 31 Dec 9999 23:59:59 GMT";
    const std::string early = "Mon, 01 Jan 1678 00:00:00 GMT";
    const auto century = 100 * 365 * 24h;
    EXPECT_GT(parseRetryAfter(never, "", sentAt), Milliseconds(century));
    EXPECT_GT(parseRetryAfter(never, early, sentAt), Milliseconds(5 * century));
    EXPECT_EQ(parseRetryAfter(never, never, sentAt), 0s);
    EXPECT_EQ(parseRetryAfter(early, never, sentAt), 0s);
    EXPECT_EQ(parseRetryAfter("Mon, 01 Jan 0001 00:00:00 GMT", "", sentAt), std::nullopt);
    EXPECT_EQ(parseRetryAfter("Tue, 31 Feb 2023 00:00:00 GMT", "", sentAt), std::nullopt);
}

} // namespace
} // namespace octostore::webhooks
