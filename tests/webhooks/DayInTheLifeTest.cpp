// SPDX-License-Identifier: MIT
// Goal: whatever a receiver goes through in its life, in the end it has everything, in order.
// Method: one webhook lives through days of fake time; its receiver verifies every signature.
#include "Signature.h"
#include "WebhookFixture.h"

#include <algorithm>
#include <functional>
#include <set>

namespace octostore::test
{
namespace
{

using namespace std::chrono_literals;
using event::Type;
using http::Method;

class DayInTheLifeTest : public WebhookFixture
{
protected:
    DayInTheLifeTest()
    {
        sender.setReceiver("receiver.example",
                           [this](const webhooks::Outgoing& message)
                           {
                               if (isSigned(message))
                                   return receive(message);
                               ++refused;
                               return answered(401);
                           });
    }
    /// As a receiver of Standard Webhooks does it: one of the signatures must be good.
    bool isSigned(const webhooks::Outgoing& message)
    {
        const FakeSender::Sent sent{{}, message};
        signatures = sent.header("webhook-signature");
        const std::string own =
            webhooks::signatureHeader({secret}, sent.header("webhook-id"),
                                      std::stoll(sent.header("webhook-timestamp")), message.body);
        return signatures.find(own) != std::string::npos;
    }
    bool signedTwice() const { return std::count(signatures.begin(), signatures.end(), ',') == 2; }
    /// Two events, which are to arrive.
    void change()
    {
        WebhookFixture::change("lock-" + std::to_string(expected));
        expected += 2;
    }
    /// In order, each once.
    void expectAllTaken() const
    {
        const auto all = taken();
        EXPECT_EQ(all.size(), expected);
        EXPECT_TRUE(std::adjacent_find(all.begin(), all.end(), std::greater_equal<>()) ==
                    all.end());
    }
    JsonValue::Object shown() { return get(path); }
    bool isActive() { return *shown().at("active").asBool(); }
    void setActive(bool active)
    {
        ask(Method::Patch, path, 200, std::string("{\"active\":") + (active ? "true}" : "false}"));
    }

    void isBorn();
    void isAwayForTwoHours();
    void comesBack();
    void changesItsSecret();
    void leavesForFourDays();
    void isRecovered();

    std::string id;
    std::string path;
    std::string secret; ///< what the receiver verifies with
    std::string signatures;
    std::size_t expected = 0;
    int refused = 0;
    std::int64_t lastBefore = 0; ///< sequence of the last that arrived before it left
};

void DayInTheLifeTest::isBorn()
{
    const auto made = post("/webhooks",
                           R"({"url":"https://receiver.example/","events":["lock.*"],)"
                           R"("format":"octostore","ordered":true})",
                           201);
    id = textOf(made, "id");
    secret = textOf(made, "secret");
    path = "/webhooks/" + id;
    EXPECT_EQ(eventsOf(id, Type::WebhookCreated).size(), 1U);

    const auto ping = post(path + "/ping", "{}", 200);
    EXPECT_TRUE(*ping.at("delivered").asBool());
    EXPECT_EQ(textOf(*readJson(textOf(ping, "body")), "type"), "webhook.ping");
    change();
    pass(1s);
    expectAllTaken();
}

void DayInTheLifeTest::isAwayForTwoHours()
{
    answer(unanswered("connect"));
    const std::size_t before = taken().size();
    for (int i = 0; i < 12; ++i)
    {
        change();
        passIn(10min, 1min);
    }
    EXPECT_EQ(taken().size(), before);
    EXPECT_EQ(log(id, "?state=retrying").size(), 1U); // the others wait behind it
    EXPECT_EQ(log(id, "?state=pending").size(), 23U);
    const auto now = shown();
    const auto& stats = *now.at("stats").asObject();
    EXPECT_EQ(numberOf(stats, "pending"), 24);
    EXPECT_FALSE(textOf(stats, "next_retry_at").empty());
    EXPECT_FALSE(textOf(stats, "failing_since").empty());
}

void DayInTheLifeTest::comesBack()
{
    answer(answered(204));
    passIn(90min, 1min);
    expectAllTaken();
    EXPECT_TRUE(log(id, "?state=failed").empty());
    EXPECT_TRUE(shown().at("stats").asObject()->at("failing_since").isNull());
}

void DayInTheLifeTest::changesItsSecret()
{
    const auto rotated = post(path + "/rotate-secret", R"({"grace_seconds":3600})", 200);
    const std::string fresh = textOf(rotated, "secret");
    EXPECT_NE(fresh, secret);
    EXPECT_EQ(eventsOf(id, Type::WebhookChanged).size(), 1U);
    for (int minute = 0; minute < 59; ++minute)
    {
        if (minute == 30)
            secret = fresh; // somebody puts the new one in place
        change();
        pass(1min);
        EXPECT_TRUE(signedTwice());
    }
    pass(2min);
    change();
    pass(1s);
    EXPECT_FALSE(signedTwice());
    EXPECT_EQ(refused, 0);
    expectAllTaken();
}

void DayInTheLifeTest::leavesForFourDays()
{
    lastBefore = taken().back();
    answer(answered(410));
    change();
    pass(1s);
    until([this] { return !isActive(); });
    EXPECT_EQ(eventsOf(id, Type::WebhookDisabled),
              std::vector<std::string>{"the receiver answered 410"});
    EXPECT_EQ(textOf(shown(), "disabled_reason"), "the receiver answered 410");
    const std::size_t sent = sender.count();
    for (int day = 0; day < 4; ++day)
    {
        change();
        passIn(24h, 1h);
    }
    EXPECT_EQ(sender.count(), sent);
}

void DayInTheLifeTest::isRecovered()
{
    answer(answered(200));
    setActive(true);
    EXPECT_TRUE(shown().at("disabled_reason").isNull());
    pass(1s);
    // Three days are the most that is delivered by itself; the newest two came.
    const std::size_t old = log(id, "?state=expired").size();
    EXPECT_EQ(old + taken().size(), expected);
    EXPECT_GE(old, 4U);
    const auto recovered =
        post(path + "/recover", "{\"since\":" + std::to_string(lastBefore) + "}", 202);
    EXPECT_EQ(static_cast<std::size_t>(numberOf(recovered, "redelivered")), old);
    const std::size_t before = taken().size();
    pass(1s);
    const auto all = taken();
    EXPECT_EQ(all.size(), expected);
    EXPECT_TRUE(std::is_sorted(all.begin() + static_cast<std::ptrdiff_t>(before), all.end()));
    EXPECT_EQ(std::set<std::int64_t>(all.begin(), all.end()).size(), expected);
    EXPECT_EQ(log(id, "?state=succeeded&limit=1000").size(), expected);
    EXPECT_EQ(refused, 0);
}

TEST_F(DayInTheLifeTest, AReceiverThatWasAwayChangedItsSecretAndLeftHasEverythingInTheEnd)
{
    isBorn();
    isAwayForTwoHours();
    comesBack();
    changesItsSecret();
    leavesForFourDays();
    isRecovered();
}

} // namespace
} // namespace octostore::test
