// SPDX-License-Identifier: MIT
#include "FakeChannel.h"

#include <octostore/http/Exchange.h>
#include <octostore/http/Route.h>

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

namespace octostore::http
{

class ExchangeTest : public testing::Test
{
protected:
    ExchangePtr make() { return std::make_shared<Exchange>(Request{}, RequestId{}, channel); }

    std::shared_ptr<test::FakeChannel> channel = std::make_shared<test::FakeChannel>();
    std::vector<bool> deliveries;
    int left = 0;
};

TEST_F(ExchangeTest, OnlyTheFirstAnswerCounts)
{
    const ExchangePtr exchange = make();
    exchange->respond(jsonResponse("{}"));
    exchange->respond(jsonResponse("[]"));
    exchange->respond(Error{ErrorCode::Internal, {}});
    EXPECT_TRUE(exchange->answered());
    ASSERT_EQ(channel->sent.size(), 1U);
    EXPECT_EQ(channel->sent[0].body, "{}");
}

TEST_F(ExchangeTest, TheFinisherCompletesTheAnswer)
{
    const ExchangePtr exchange = make();
    exchange->setFinisher([](Exchange&, Response& response) { response.headers.add("x", "y"); });
    exchange->respond(jsonResponse("{}"));
    EXPECT_EQ(*channel->sent[0].headers.find("x"), "y");
}

TEST_F(ExchangeTest, DeliveryIsReportedOnceNowOrLater)
{
    const ExchangePtr exchange = make();
    exchange->onDelivered([this](bool whole) { deliveries.push_back(whole); });
    exchange->respond(jsonResponse("{}"));
    EXPECT_TRUE(deliveries.empty());
    exchange->delivered(true);
    exchange->delivered(false);
    EXPECT_EQ(deliveries, std::vector<bool>{true});
    exchange->onDelivered([this](bool whole) { deliveries.push_back(whole); });
    EXPECT_EQ(deliveries, (std::vector<bool>{true, true}));
}

TEST_F(ExchangeTest, AnAnswerToAClientThatLeftIsNotDelivered)
{
    const ExchangePtr exchange = make();
    exchange->onAbandoned([this] { ++left; });
    exchange->onDelivered([this](bool whole) { deliveries.push_back(whole); });
    exchange->abandoned();
    exchange->abandoned();
    EXPECT_EQ(left, 1);
    exchange->respond(jsonResponse("{}"));
    EXPECT_TRUE(channel->sent.empty());
    EXPECT_EQ(deliveries, std::vector<bool>{false});
}

TEST_F(ExchangeTest, TheFinisherSeesOnceThatTheClientLeft)
{
    const ExchangePtr exchange = make();
    std::vector<int> seen;
    exchange->setFinisher([&seen](Exchange&, Response& response)
                          { seen.push_back(response.status); });
    exchange->abandoned();
    EXPECT_EQ(seen, std::vector<int>{clientLeft});
    exchange->respond(jsonResponse("{}"));
    EXPECT_EQ(seen.size(), 1U);
    EXPECT_TRUE(channel->sent.empty());
}

TEST_F(ExchangeTest, WhoAsksAfterTheClientLeftIsToldAtOnce)
{
    const ExchangePtr exchange = make();
    exchange->abandoned();
    exchange->onAbandoned([this] { ++left; });
    EXPECT_EQ(left, 1);
    exchange->respond(jsonResponse("{}"));
}

TEST_F(ExchangeTest, AnAnsweredExchangeCannotBeAbandoned)
{
    const ExchangePtr exchange = make();
    exchange->onAbandoned([this] { ++left; });
    exchange->respond(jsonResponse("{}"));
    exchange->abandoned();
    EXPECT_EQ(left, 0);
}

TEST_F(ExchangeTest, CallbacksThatHoldTheExchangeAreLetGoOf)
{
    ExchangePtr exchange = make();
    const std::weak_ptr<Exchange> watched = exchange;
    exchange->onAbandoned([exchange] {});
    exchange->onDelivered([exchange](bool) {});
    exchange->setFinisher([exchange](Exchange&, Response&) {});
    exchange->respond(jsonResponse("{}"));
    exchange->delivered(true);
    exchange.reset();
    EXPECT_TRUE(watched.expired());
}

TEST_F(ExchangeTest, AForgottenExchangeIsAnsweredWith500)
{
    make().reset();
    EXPECT_TRUE(channel->sent.empty());
    channel->manual->run();
    ASSERT_EQ(channel->sent.size(), 1U);
    EXPECT_EQ(channel->sent[0].status, 500);
}

TEST_F(ExchangeTest, AStreamForAClientThatLeftIsClosed)
{
    const ExchangePtr exchange = make();
    exchange->abandoned();
    const auto stream = exchange->respondWithStream(Response{});
    EXPECT_FALSE(stream->write(std::make_shared<const std::string>("x")));
    stream->onClosed([this] { ++left; });
    channel->manual->run();
    EXPECT_EQ(left, 1);
    EXPECT_TRUE(channel->sent.empty());
}

TEST_F(ExchangeTest, AStreamIsOpenedByTheChannel)
{
    const ExchangePtr exchange = make();
    const auto stream = exchange->respondWithStream(Response{});
    EXPECT_EQ(stream, channel->stream);
    EXPECT_TRUE(exchange->answered());
    EXPECT_FALSE(
        exchange->respondWithStream(Response{})->write(std::make_shared<const std::string>("x")));
}

} // namespace octostore::http
