// SPDX-License-Identifier: MIT
#include "TransportFixture.h"

namespace octostore::test
{

class TransportStopTest : public TransportFixture
{
protected:
    // Far apart: a busy machine must not make the one look like the other.
    static constexpr std::chrono::seconds patience{200};
    static constexpr std::chrono::seconds atOnce{30};

    static std::chrono::steady_clock::duration timeOf(const std::function<void()>& action)
    {
        const auto began = std::chrono::steady_clock::now();
        action();
        return std::chrono::steady_clock::now() - began;
    }
};
OCTOSTORE_ON_EVERY_TRANSPORT(TransportStopTest);

TEST_P(TransportStopTest, DrainClosesWhoIsIdleAndAnswersWhoWaits)
{
    start();
    HttpClient fresh = connect();
    HttpClient idle = connect();
    ASSERT_TRUE(idle.get("/echo"));
    EXPECT_TRUE(idle.receive().has_value());
    HttpClient waiting = connect();
    ASSERT_TRUE(waiting.get("/wait"));
    const auto served = dispatcher.await(2);
    ASSERT_NE(served, nullptr);
    ASSERT_TRUE(dispatcher.until([&] { return transport->connections() == 3; }));

    transport->drain();
    EXPECT_TRUE(idle.closedByServer());
    EXPECT_TRUE(fresh.closedByServer());
    EXPECT_FALSE(connect().connected());

    dispatcher.answer(*served, "goodbye");
    const auto response = waiting.receive();
    ASSERT_TRUE(response.has_value());
    EXPECT_EQ(response->body, "goodbye");
    EXPECT_EQ(response->header("connection"), "close");
    EXPECT_TRUE(waiting.closedByServer());
    EXPECT_TRUE(dispatcher.holds([&] { return served->delivered == true; }));
}

TEST_P(TransportStopTest, ARequestThatHasBegunIsServedWhileDraining)
{
    start();
    HttpClient client = connect();
    ASSERT_TRUE(client.get("/echo"));
    EXPECT_TRUE(client.receive().has_value());
    // The first request shows that the connection is served, the second is begun with it.
    ASSERT_TRUE(client.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\nGET /echo HTT"));
    const auto served = dispatcher.await(2);
    ASSERT_NE(served, nullptr);
    transport->drain();
    dispatcher.answer(*served, "goodbye");
    EXPECT_EQ(client.receive().value_or(HttpResponse{}).header("connection"), "close");
}

TEST_P(TransportStopTest, StopWaitsForAnswersThatCome)
{
    start();
    HttpClient client = connect();
    ASSERT_TRUE(client.get("/wait"));
    const auto served = dispatcher.await(1);
    ASSERT_NE(served, nullptr);
    std::thread stopper([&] { transport->stop(patience); });
    dispatcher.answer(*served, "goodbye");
    EXPECT_EQ(client.receive().value_or(HttpResponse{}).body, "goodbye");
    const auto took = timeOf([&] { stopper.join(); });
    EXPECT_LT(took, atOnce);
    EXPECT_TRUE(dispatcher.holds([&] { return served->delivered == true; }));
    EXPECT_EQ(transport->connections(), 0U);
}

TEST_P(TransportStopTest, StopCutsWhatIsNotAnsweredInTime)
{
    start();
    HttpClient waiting = connect();
    ASSERT_TRUE(waiting.get("/wait"));
    const auto served = dispatcher.await(1);
    HttpClient half = connect();
    ASSERT_TRUE(half.send("GET /ec"));
    ASSERT_NE(served, nullptr);
    const auto took = timeOf([&] { transport->stop(Milliseconds{100}); });
    EXPECT_LT(took, atOnce);
    EXPECT_TRUE(dispatcher.holds([&] { return served->abandoned; }));
    EXPECT_FALSE(waiting.receive().has_value());
    EXPECT_EQ(transport->connections(), 0U);

    bool ran = false;
    served->exchange->executor()->post({[&] { ran = true; }});
    EXPECT_FALSE(ran);
}

TEST_P(TransportStopTest, StopEndsStreamsAndSlowReaders)
{
    options.streamBufferMax = 16'000'000;
    start();
    HttpClient watching = connect();
    ASSERT_TRUE(watching.get("/stream"));
    const auto stream = dispatcher.await(1);
    HttpClient slow = connect();
    slow.shrinkReceiveBuffer();
    ASSERT_TRUE(slow.get("/large?32000000"));
    const auto large = dispatcher.await(2);
    ASSERT_NE(stream, nullptr);
    ASSERT_NE(large, nullptr);
    const auto took = timeOf([&] { transport->stop(Milliseconds{100}); });
    EXPECT_LT(took, atOnce);
    EXPECT_TRUE(stream->closed);
    EXPECT_EQ(stream->delivered, false);
    EXPECT_EQ(large->delivered, false);
}

TEST_P(TransportStopTest, AStreamThatIsClosedWhileDrainingEndsCleanly)
{
    start();
    HttpClient watching = connect();
    ASSERT_TRUE(watching.get("/stream"));
    const auto served = dispatcher.await(1);
    ASSERT_NE(served, nullptr);
    ASSERT_TRUE(dispatcher.until([&] { return served->stream != nullptr; }));
    transport->drain();
    served->stream->write(chunk(": bye\n\n"));
    served->stream->close();
    EXPECT_EQ(watching.receive().value_or(HttpResponse{}).body, ": bye\n\n");
    EXPECT_TRUE(watching.closedByServer());
    EXPECT_LT(timeOf([&] { transport->stop(patience); }), atOnce);
    EXPECT_TRUE(dispatcher.holds([&] { return served->delivered == true; }));
}

TEST_P(TransportStopTest, StopWithoutStartAndTwiceDoNothing)
{
    transport->stop(Milliseconds{0});
    EXPECT_EQ(transport->connections(), 0U);
    start();
    transport->stop(Milliseconds{0});
    transport->stop(Milliseconds{0});
}

} // namespace octostore::test
