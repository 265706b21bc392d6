// SPDX-License-Identifier: MIT
#include "RateFilter.h"

#include "framework/http/RouterFixture.h"

#include <octostore/base/Json.h>

namespace octostore::rate_limit
{

namespace
{

using namespace std::chrono_literals;
using http::Method;

constexpr std::uint32_t budget = 600;
constexpr std::uint32_t guesses = 5;

RateSettings settingsOf(std::uint32_t requests, std::uint32_t failures)
{
    RateSettings settings;
    settings.requestsPerMinute = requests;
    settings.failuresPerMinute = failures;
    return settings;
}

} // namespace

/// Behind the real router, because the order of its checks decides what is counted.
class RateFilterTest : public test::RouterFixture
{
protected:
    RateFilterTest()
    {
        add(Method::Post, "/elections");
        add(Method::Post, "/elections/{id}/campaign", http::Access::Public, http::Body::Json);
        for (http::Route& route : setup.routes)
            route.admission = true;
        add(Method::Post, "/elections/{id}/renew", http::Access::Public, http::Body::Json);
        add(Method::Post, "/elections/{id}/resign", http::Access::Public, http::Body::Json);
        add(Method::Get, "/elections/{id}");
        add(Method::Get, "/locks", http::Access::User);
        setup.authProviders = {&tokens};
        setup.adminKey = sha256("key");
        setup.filters = {&filter};
    }

    http::Response post(std::string target, std::string peer = "192.0.2.1", std::string body = "{}",
                        std::vector<http::Header> headers = {})
    {
        headers.push_back({"Content-Type", "application/json"});
        http::Request made =
            request(Method::Post, std::move(target), std::move(headers), std::move(body));
        made.peer = std::move(peer);
        return ask(std::move(made));
    }
    http::Response locks(std::vector<http::Header> headers, std::string peer = "192.0.2.1")
    {
        http::Request made = request(Method::Get, "/locks", std::move(headers));
        made.peer = std::move(peer);
        return ask(std::move(made));
    }
    http::Response guess(std::string peer = "192.0.2.1")
    {
        return locks({{"Authorization", "Bearer guess"}}, std::move(peer));
    }
    void useUp()
    {
        for (std::uint32_t i = 0; i < budget; ++i)
            ASSERT_EQ(post("/elections").status, 200) << i;
    }

    RateFilter filter{clock, settingsOf(budget, guesses)};
};

TEST_F(RateFilterTest, AThousandClientsBehindOneAddressSucceedOnceTheyObey)
{
    std::vector<std::chrono::seconds> waits;
    for (int i = 0; i < 1000; ++i)
    {
        clock.advance(7ms);
        const http::Response response = post("/elections/room-" + std::to_string(i) + "/campaign");
        if (response.status == 429)
            waits.emplace_back(std::stoi(headerOf(response, "retry-after")));
        else
            EXPECT_EQ(response.status, 200);
    }
    ASSERT_EQ(waits.size(), 1000U - budget);
    // The last one to be refused waits least; all the others have waited longer by then.
    clock.advance(waits.back());
    for (std::size_t i = 0; i < waits.size(); ++i)
        EXPECT_EQ(post("/elections/room/campaign").status, 200) << i;
}

TEST_F(RateFilterTest, ARefusalSaysTwiceHowLongToWait)
{
    useUp();
    clock.advance(10'500ms);
    const http::Response response = post("/elections");
    EXPECT_EQ(response.status, 429);
    EXPECT_EQ(response.error, ErrorCode::RateLimited);
    EXPECT_TRUE(served.empty());
    EXPECT_EQ(headerOf(response, "retry-after"), "49");
    EXPECT_EQ(headerOf(response, "ratelimit-limit"), "600");
    EXPECT_EQ(headerOf(response, "ratelimit-remaining"), "0");
    EXPECT_EQ(headerOf(response, "ratelimit-reset"), "49");
    const auto json = readJson(response.body);
    ASSERT_TRUE(json);
    EXPECT_EQ(*json->find("code")->second.asString(), "rate_limited");
    EXPECT_EQ(*json->find("retry_after_ms")->second.asInteger(), 49'000);
}

TEST_F(RateFilterTest, StatusRenewAndResignAreNeverTouched)
{
    useUp();
    ASSERT_EQ(post("/elections").status, 429);
    for (std::uint32_t i = 0; i < 2 * budget; ++i)
    {
        ASSERT_EQ(post("/elections/room/renew").status, 200);
        ASSERT_EQ(post("/elections/room/resign").status, 200);
        http::Request status = request(Method::Get, "/elections/room");
        status.peer = "192.0.2.1";
        const http::Response response = ask(std::move(status));
        ASSERT_EQ(response.status, 200);
        ASSERT_EQ(headerOf(response, "ratelimit-limit"), "(none)");
    }
}

TEST_F(RateFilterTest, AnswersSayWhatIsLeftOfTheSharedBudget)
{
    EXPECT_EQ(headerOf(post("/elections"), "ratelimit-remaining"), "599");
    clock.advance(1500ms);
    const http::Response response = post("/elections/room/campaign");
    EXPECT_EQ(headerOf(response, "ratelimit-limit"), "600");
    EXPECT_EQ(headerOf(response, "ratelimit-remaining"), "598");
    EXPECT_EQ(headerOf(response, "ratelimit-reset"), "59");
}

TEST_F(RateFilterTest, ARefusedBodyGivesItsShareBack)
{
    const http::Response malformed = post("/elections/room/campaign", "192.0.2.1", "{");
    EXPECT_EQ(malformed.status, 400);
    EXPECT_EQ(headerOf(malformed, "ratelimit-remaining"), "600");
    EXPECT_EQ(post("/elections/room/campaign", "192.0.2.1", "[]").status, 422);

    http::Request untyped = request(Method::Post, "/elections/room/campaign", {}, "{}");
    untyped.peer = "192.0.2.1";
    EXPECT_EQ(ask(std::move(untyped)).status, 415);
    http::Request large = request(Method::Post, "/elections");
    large.peer = "192.0.2.1";
    large.fault = Error{ErrorCode::PayloadTooLarge, "Too large."};
    EXPECT_EQ(ask(std::move(large)).status, 413);

    EXPECT_EQ(headerOf(post("/elections"), "ratelimit-remaining"), "599");
}

TEST_F(RateFilterTest, AWellFormedCampaignUsesItsShareAlsoWhenItsValuesAreRefused)
{
    http::Route refusing;
    refusing.method = Method::Post;
    refusing.pattern = "/refusing";
    refusing.admission = true;
    refusing.handler = [](const http::ExchangePtr& given) {
        given->respond(Error{ErrorCode::InvalidTtl, "Too long."});
    };
    setup.routes.push_back(refusing);
    EXPECT_EQ(headerOf(post("/refusing"), "ratelimit-remaining"), "599");
    EXPECT_EQ(headerOf(post("/elections"), "ratelimit-remaining"), "598");
}

TEST_F(RateFilterTest, ClientsAreToldApartByAddressAndIpv6Network)
{
    useUp();
    EXPECT_EQ(post("/elections", "::ffff:192.0.2.1").status, 429);
    EXPECT_EQ(post("/elections", "192.0.2.2").status, 200);
    EXPECT_EQ(headerOf(post("/elections", "2001:db8::1"), "ratelimit-remaining"), "599");
    EXPECT_EQ(headerOf(post("/elections", "2001:db8::2"), "ratelimit-remaining"), "598");
    EXPECT_EQ(headerOf(post("/elections", "2001:db8:0:1::2"), "ratelimit-remaining"), "599");
}

TEST_F(RateFilterTest, OnlyATrustedProxyMaySpeakForOthers)
{
    useUp();
    const std::vector<http::Header> forged{{"X-Forwarded-For", "203.0.113.9"}};
    EXPECT_EQ(post("/elections", "192.0.2.1", "{}", forged).status, 429);
    EXPECT_EQ(post("/elections", "127.0.0.1", "{}", {{"X-Forwarded-For", "192.0.2.1"}}).status,
              429);
    EXPECT_EQ(post("/elections", "127.0.0.1", "{}", forged).status, 200);
}

TEST_F(RateFilterTest, ManyWrongCredentialsAreRefusedFasterButGoodOnesAreNot)
{
    for (std::uint32_t i = 0; i < guesses; ++i)
        EXPECT_EQ(guess().status, 401);
    const http::Response refused = guess();
    EXPECT_EQ(refused.status, 429);
    EXPECT_EQ(headerOf(refused, "retry-after"), "60");
    EXPECT_EQ(headerOf(refused, "ratelimit-limit"), "(none)");
    const auto json = readJson(refused.body);
    ASSERT_TRUE(json);
    EXPECT_EQ(*json->at("code").asString(), "rate_limited");
    EXPECT_EQ(*json->at("reason").asString(), "wrong_credentials");

    EXPECT_EQ(locks({{"Authorization", "Bearer alice-token"}}).status, 200);
    EXPECT_EQ(locks({{"X-Admin-Key", "key"}}).status, 200);
    EXPECT_EQ(locks({}).status, 401);
    EXPECT_EQ(guess("192.0.2.2").status, 401);
    EXPECT_EQ(post("/elections").status, 200);

    clock.advance(60s);
    EXPECT_EQ(guess().status, 401);
}

TEST_F(RateFilterTest, WrongAdminKeysAreGuessesToo)
{
    for (std::uint32_t i = 0; i < guesses; ++i)
        EXPECT_EQ(locks({{"X-Admin-Key", "guess"}}).status, 401);
    EXPECT_EQ(locks({{"X-Admin-Key", "guess"}}).status, 429);
    EXPECT_EQ(locks({{"X-OctoStore-Admin-Key", "guess"}}).status, 429);
    EXPECT_EQ(locks({{"X-Admin-Key", "guess"}, {"Authorization", "Bearer alice-token"}}).status,
              200);
}

TEST_F(RateFilterTest, NewSettingsCountAtOnce)
{
    EXPECT_EQ(post("/elections").status, 200);
    EXPECT_EQ(post("/elections").status, 200);
    filter.replace(settingsOf(2, 0));
    EXPECT_EQ(post("/elections").status, 429);
    for (std::uint32_t i = 0; i < 3 * guesses; ++i)
        EXPECT_EQ(guess().status, 401);
}

} // namespace octostore::rate_limit
