// SPDX-License-Identifier: MIT
// Goal: what people can do with a webhook does what it says.
// Method: the routes are asked in one process; time and the receiver obey the test.
#include "WebhookFixture.h"

#include <algorithm>
#include <future>
#include <utility>

namespace octostore::test
{
namespace
{

using namespace std::chrono_literals;
using event::Type;
using http::Method;

class WebhookRoutesTest : public WebhookFixture
{
protected:
    std::string pathOf(const std::string& id) { return "/webhooks/" + id; }
    JsonValue::Object statsOf(const std::string& id)
    {
        return *get(pathOf(id)).at("stats").asObject();
    }
    std::string since() const { return std::to_string(journal.newest().value()); }
    /// Three events of a month's patience that were tried until they were given up.
    std::string withDeadLetters()
    {
        const std::string id = create(R"(,"max_age_seconds":2592000,"events":["lock.acquired"])");
        answer(answered(500));
        for (const char* lock : {"a", "b", "c"})
            change(lock);
        passIn(110h, 1h);
        return id;
    }
};

TEST_F(WebhookRoutesTest, OneDeliveryIsMadeAgainUnderTheSameId)
{
    const std::string id = create();
    change("a");
    pass(1s);
    const auto rows = log(id);
    ASSERT_EQ(rows.size(), 2U);
    const std::string delivery = rows[0].substr(0, rows[0].find(':'));
    const std::string path = pathOf(id) + "/deliveries/" + delivery;
    EXPECT_EQ(textOf(post(path + "/redeliver", "{}", 202), "delivery_id"), delivery);
    pass(1s);
    const auto sent = sender.sent();
    ASSERT_EQ(sent.size(), 3U);
    EXPECT_EQ(sent[2].header("webhook-id"), sent[0].header("webhook-id"));
    EXPECT_EQ(sent[2].message.body, sent[0].message.body);
    const auto shown = get(path);
    EXPECT_EQ(shown.at("attempt_log").asArray()->size(), 2U);
    EXPECT_EQ(textOf(shown, "body"), sent[0].message.body);
    get(pathOf(id) + "/deliveries/dlv_999999", 404);
    get(pathOf(id) + "/deliveries/nothing", 404);
}

TEST_F(WebhookRoutesTest, WhileItIsUnderWayADeliveryIsShownSo)
{
    const std::string id = create(R"(,"events":["lock.acquired"])");
    const std::string path = pathOf(id) + "/deliveries";
    std::size_t known = 1;
    bool asked = false;
    sender.setReceiver("receiver.example",
                       [&](const webhooks::Outgoing& message)
                       {
                           const auto rows = log(id, "?state=delivering");
                           EXPECT_EQ(rows.size(), 1U);
                           EXPECT_EQ(log(id).size(), known);
                           EXPECT_EQ(log(id).back(), rows.at(0));
                           EXPECT_TRUE(log(id, "?state=pending").empty());
                           EXPECT_TRUE(log(id, "?state=retrying").empty());
                           const std::string one =
                               path + "/" + rows[0].substr(0, rows[0].find(':'));
                           EXPECT_EQ(textOf(get(one), "state"), "delivering");
                           if (known == 2 && !std::exchange(asked, true))
                               post(one + "/redeliver", "{}", 202);
                           return receive(message);
                       });
    answer(answered(500));
    change("a");
    pass(1s);
    EXPECT_EQ(log(id, "?state=retrying").size(), 1U);
    answer(answered(200));
    pass(6s);
    EXPECT_EQ(log(id, "?state=succeeded").size(), 1U);

    known = 2; // this receiver answers: the log knows nothing before it is delivered
    change("b");
    pass(1s);
    EXPECT_EQ(log(id, "?state=succeeded").size(), 2U);
    EXPECT_EQ(sender.count(), 4U) << "two attempts of the first, and the second twice";
}

TEST_F(WebhookRoutesTest, WhatWaitsForItsFirstAttemptIsPendingForOneThatAnswersToo)
{
    const std::string id = create(R"(,"events":["lock.acquired"],"rate_per_s":1)");
    change("a");
    pass(1s);
    ASSERT_EQ(log(id, "?state=succeeded").size(), 1U);
    for (const char* lock : {"b", "c", "d"})
        change(lock);
    pass(1s);
    const auto waiting = log(id, "?state=pending");
    ASSERT_EQ(waiting.size(), 2U);
    EXPECT_EQ(log(id).size(), 4U);
    const std::string one =
        pathOf(id) + "/deliveries/" + waiting[0].substr(0, waiting[0].find(':'));
    EXPECT_EQ(textOf(get(one), "state"), "pending");
    pass(1s);
    pass(1s);
    EXPECT_TRUE(log(id, "?state=pending").empty());
}

TEST_F(WebhookRoutesTest, PatternsOfRoomsAreOnlyForWebhooksOfAdministratorsWhoeverWritesThem)
{
    const std::string id = create();
    const std::string patterns = R"({"elections":["jobs-*"]})";
    ask(Method::Patch, pathOf(id), 400, patterns, root);
    const auto own = ask(Method::Post, "/webhooks", 201,
                         R"({"url":"https://receiver.example/","elections":["jobs-*"]})", root);
    ask(Method::Patch, pathOf(textOf(own, "id")), 200, patterns, root);
}

TEST_F(WebhookRoutesTest, AChangeWhoseAnswerComesAfterTheRemovalBringsNothingBack)
{
    const std::string id = create();
    const auto webhook = store.find(id);
    std::promise<void> open;
    store.saveCursor(id, encode(webhooks::Cursor()),
                     [gate = open.get_future().share()](bool) { gate.wait(); });
    store.disable(webhook, "for a test"); // is told behind that
    EXPECT_EQ(server.ask(Method::Delete, pathOf(id), alice).status, 204);
    open.set_value();
    std::promise<void> told;
    store.saveCursor(id, {}, [&told](bool) { told.set_value(); });
    told.get_future().wait();
    get(pathOf(id), 404);
    EXPECT_FALSE(dispatcher.summary(id));
}

TEST_F(WebhookRoutesTest, WhatIsGivenUpIsListedAndDeliveredAgainWhenSomebodyAsks)
{
    const std::string id = withDeadLetters();
    ASSERT_EQ(log(id, "?state=exhausted").size(), 3U);
    EXPECT_EQ(log(id, "?state=failed").size(), 3U);
    const auto told = eventsOf(id, Type::WebhookExhausted);
    ASSERT_GE(told.size(), 1U);
    EXPECT_EQ(told[0].find("delivery dlv_"), 0U) << told[0];

    answer(answered(200));
    pass(1h);
    EXPECT_TRUE(taken().empty());
    post(pathOf(id) + "/recover", R"({"since":"2026-08-01T00:00:00Z"})", 202);
    pass(1s);
    EXPECT_EQ(taken().size(), 3U);
    EXPECT_EQ(log(id, "?state=succeeded").size(), 3U);
    const auto none = post(pathOf(id) + "/recover", R"({"since":0})", 202);
    EXPECT_EQ(numberOf(none, "redelivered"), 0);
}

TEST_F(WebhookRoutesTest, RecoveringReachesBackAsFarAsAsked)
{
    const std::string id = withDeadLetters();
    const auto rows = log(id);
    const std::string second = rows[1].substr(0, rows[1].find(':')).substr(4);
    const auto body = "{\"since\":" + second + "}";
    EXPECT_EQ(numberOf(post(pathOf(id) + "/recover", body, 202), "redelivered"), 1);
    for (const char* bad :
         {R"({"since":-1})", R"({"since":"yesterday"})", R"({"since":"2026-02-31T00:00:00Z"})",
          R"({"since":"2026-08-01T00:00:00 or so Z"})", R"({"since":"2026-08-01T00:00:00+02:00"})"})
        post(pathOf(id) + "/recover", bad, 400);
    for (const char* never :
         {R"({"since":"2099-08-01T00:00:00.123456Z"})", R"({"since":"2099-08-01T00:00:00+00:00"})"})
        EXPECT_EQ(numberOf(post(pathOf(id) + "/recover", never, 202), "redelivered"), 0);
    post(pathOf(id) + "/recover", "{}", 422);
}

TEST_F(WebhookRoutesTest, APingIsOneAttemptThatCountsNowhere)
{
    const std::string id = create();
    answer(answered(500));
    const auto ping = post(pathOf(id) + "/ping", "{}", 200);
    EXPECT_FALSE(*ping.at("delivered").asBool());
    EXPECT_EQ(numberOf(ping, "status"), 500);
    EXPECT_EQ(textOf(ping, "reason"), "http_5xx");
    EXPECT_FALSE(textOf(*ping.at("request_headers").asObject(), "webhook-signature").empty());
    passIn(1h, 1min);
    EXPECT_EQ(sender.count(), 1U);
    EXPECT_TRUE(log(id).empty());
    EXPECT_EQ(numberOf(statsOf(id), "attempts_24h"), 0);
    EXPECT_TRUE(statsOf(id).at("failing_since").isNull());
    EXPECT_EQ(figures.failed.value(), 0U);
}

TEST_F(WebhookRoutesTest, WhileItIsPausedNothingIsSentAndThenEverythingIs)
{
    const std::string id = create();
    ask(Method::Patch, pathOf(id), 200, R"({"active":false})");
    change("a");
    passIn(1h, 1min);
    EXPECT_EQ(sender.count(), 0U);
    ask(Method::Patch, pathOf(id), 200, R"({"active":true})");
    pass(1s);
    EXPECT_EQ(taken().size(), 2U);
    EXPECT_EQ(eventsOf(id, Type::WebhookChanged).size(), 2U);
}

TEST_F(WebhookRoutesTest, ASecondRotationWithinTheGraceMustBeForced)
{
    const std::string id = create();
    const std::string rotate = pathOf(id) + "/rotate-secret";
    post(rotate, R"({"grace_seconds":60})", 200);
    post(rotate, "{}", 409);
    const auto forced = post(rotate, R"({"force":true,"secret":"my own"})", 200);
    EXPECT_EQ(textOf(forced, "secret"), "my own");
    change("a");
    pass(1s);
    const std::string signatures = sender.sent().at(0).header("webhook-signature");
    EXPECT_EQ(std::count(signatures.begin(), signatures.end(), ','), 3); // three are good
    const auto gone = post(rotate, R"({"force":true,"grace_seconds":0})", 200);
    EXPECT_TRUE(gone.at("previous_valid_until").isNull());
    change("b");
    pass(1s);
    const std::string alone = sender.sent().back().header("webhook-signature");
    EXPECT_EQ(std::count(alone.begin(), alone.end(), ','), 1);
    post(rotate, R"({"grace_seconds":604801})", 400);
    post(rotate, R"({"secret":"whsec_short"})", 400);
}

TEST_F(WebhookRoutesTest, OfTwoRotationsAtOnceOneIsRefusedAndTheOtherHolds)
{
    const std::string path = pathOf(create()) + "/rotate-secret";
    const InProcessServer::Question question{
        Method::Post, path, {{"Authorization", "Bearer " + std::string(alice)}}, "{}"};
    server.coordinator().holdCommits();
    const auto first = server.begin(question);
    const auto second = server.begin(question);
    server.coordinator().releaseCommits();
    const http::Response rotated = first();
    EXPECT_EQ(rotated.status, 200);
    EXPECT_EQ(second().status, 409);
    const webhooks::WebhookPtr stored = store.all().at(0);
    EXPECT_EQ(stored->secret, textOf(jsonOf(rotated), "secret"));
}

TEST_F(WebhookRoutesTest, WhoAsksForManyAtOnceGetsNoMoreThanAnAccountMayHave)
{
    for (int i = 0; i < 9; ++i)
        create();
    const InProcessServer::Question question{Method::Post,
                                             "/webhooks",
                                             {{"Authorization", "Bearer " + std::string(alice)}},
                                             R"({"url":"https://receiver.example/"})"};
    server.coordinator().holdCommits();
    const auto first = server.begin(question);
    const auto second = server.begin(question);
    EXPECT_EQ(second().status, 400);
    server.coordinator().releaseCommits();
    EXPECT_EQ(first().status, 201);
    ask(Method::Delete, pathOf(store.all().at(0)->id), 204);
    server.coordinator().failNextCommit(Error{ErrorCode::Unavailable, "the disk is full"});
    EXPECT_EQ(server.begin(question)().status, 503);
    EXPECT_EQ(server.begin(question)().status, 201) << "what was not made does not count";
}

TEST_F(WebhookRoutesTest, AChangeThatWasNotSeenIsNotUndoneWhenItIsDisabled)
{
    const std::string id = create();
    const webhooks::WebhookPtr before = store.find(id);
    post(pathOf(id) + "/rotate-secret", R"({"secret":"new"})", 200);
    store.disable(before, "as it was");
    until([&] { return !store.find(id)->active; });
    EXPECT_EQ(store.find(id)->secret, "new");
    ask(Method::Patch, pathOf(id), 200, R"({"active":true,"url":"https://another.example/"})");
    store.disable(before, "another said it");
    EXPECT_EQ(eventsOf(id, Type::WebhookDisabled), std::vector<std::string>{"as it was"});
}

TEST_F(WebhookRoutesTest, BeforeItIsDisabledItIsToldFourTimes)
{
    const std::string id = create(R"(,"max_age_seconds":2592000)");
    answer(unanswered("timeout"));
    for (int i = 0; i < 21; ++i)
    {
        change("lock-" + std::to_string(i));
        passIn(6h, 1h);
    }
    const auto told = eventsOf(id, Type::WebhookFailing);
    ASSERT_EQ(told.size(), 4U);
    for (std::size_t i = 0; i < told.size(); ++i)
        EXPECT_EQ(told[i].find(std::vector<std::string>{"50 %", "70 %", "90 %", "100 %"}[i]), 0U)
            << told[i];
    EXPECT_EQ(eventsOf(id, Type::WebhookDisabled),
              std::vector<std::string>{"120 hours of only failures"});
    until([&] { return !*get(pathOf(id)).at("active").asBool(); });
}

TEST_F(WebhookRoutesTest, ItsFiguresAreOfTheLastDay)
{
    const std::string id = create(R"(,"events":["lock.acquired"])");
    EXPECT_TRUE(statsOf(id).at("success_24h").isNull());
    EXPECT_TRUE(statsOf(id).at("p95_ms").isNull());
    webhooks::Attempt slow = answered(200);
    slow.took = 120ms;
    answer(slow);
    for (const char* lock : {"a", "b", "c"})
    {
        change(lock);
        pass(1s);
    }
    answer(answered(503));
    change("d");
    pass(1s);
    const auto stats = statsOf(id);
    EXPECT_EQ(numberOf(stats, "attempts_24h"), 4);
    EXPECT_EQ(numberOf(stats, "succeeded_24h"), 3);
    EXPECT_EQ(*stats.at("success_24h").asDouble(), 0.75);
    EXPECT_EQ(numberOf(stats, "p95_ms"), 120);
    EXPECT_EQ(numberOf(stats, "pending"), 1);
    EXPECT_FALSE(textOf(stats, "next_retry_at").empty());
    answer(answered(200));
    passIn(26h, 1h);
    EXPECT_EQ(numberOf(statsOf(id), "attempts_24h"), 0);
    EXPECT_EQ(numberOf(statsOf(id), "pending"), 0);
}

TEST_F(WebhookRoutesTest, DeliveriesComeInPagesAndByTypeAndState)
{
    const std::string id = create();
    for (const char* lock : {"a", "b", "c"})
        change(lock);
    pass(1s);
    const std::string list = pathOf(id) + "/deliveries";
    EXPECT_EQ(log(id, "?type=lock.released").size(), 3U);
    EXPECT_EQ(log(id, "?type=*.released").size(), 3U);
    for (const char* all : {"lock.*", "*.*", "*"})
        EXPECT_EQ(log(id, "?type=" + std::string(all)).size(), 6U) << all;
    EXPECT_TRUE(log(id, "?type=election.*").empty());
    std::size_t seen = 0;
    std::string after;
    for (int page = 0; page < 3; ++page)
    {
        const auto found = get(list + "?limit=2" + after);
        seen += found.at("items").asArray()->size();
        EXPECT_EQ(found.at("next").isNull(), page == 2);
        if (page < 2)
            after = "&after=" + textOf(found, "next");
    }
    EXPECT_EQ(seen, 6U);
    for (const char* wrong : {"state=lost", "type=lock.lost", "type=lock.rel*", "type=released",
                              "type=", "limit=0", "after=x"})
        get(list + "?" + wrong, 400);
}

TEST_F(WebhookRoutesTest, OthersSeeNothingAndAdministratorsEverything)
{
    const std::string id = create();
    for (const char* tail : {"", "/deliveries"})
    {
        ask(Method::Get, pathOf(id) + tail, 404, {}, bob);
        ask(Method::Get, pathOf(id) + tail, 200, {}, root);
    }
    EXPECT_TRUE(ask(Method::Get, "/webhooks", 200, {}, bob).at("items").asArray()->empty());
    EXPECT_EQ(ask(Method::Get, "/webhooks?all=true", 200, {}, root).at("items").asArray()->size(),
              1U);
    ask(Method::Delete, pathOf(id), 204);
    get(pathOf(id), 404);
    EXPECT_EQ(eventsOf(id, Type::WebhookRemoved).size(), 1U);
}

} // namespace
} // namespace octostore::test
