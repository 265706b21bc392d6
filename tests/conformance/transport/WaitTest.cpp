// SPDX-License-Identifier: MIT
// Goal: an exchange that is answered later. Method: `/wait` gives it to the test.
#include "TransportFixture.h"

namespace octostore::test
{

class TransportWaitTest : public TransportFixture
{
protected:
    std::shared_ptr<Served> wait(HttpClient& client)
    {
        const std::size_t before = dispatcher.count();
        client.get("/wait");
        return dispatcher.await(before + 1);
    }
};
OCTOSTORE_ON_EVERY_TRANSPORT(TransportWaitTest);

TEST_P(TransportWaitTest, ALateAnswerIsDelivered)
{
    start();
    HttpClient client = connect();
    const auto served = wait(client);
    ASSERT_NE(served, nullptr);
    dispatcher.answer(*served, "late");
    EXPECT_EQ(client.receive().value_or(HttpResponse{}).body, "late");
    EXPECT_TRUE(dispatcher.until([&] { return served->delivered == true; }));
    EXPECT_FALSE(dispatcher.holds([&] { return served->abandoned; }));
}

TEST_P(TransportWaitTest, AnAnswerAtOnceIsDeliveredToo)
{
    start();
    HttpClient client = connect();
    ASSERT_TRUE(client.get("/echo"));
    EXPECT_TRUE(client.receive().has_value());
    const auto served = dispatcher.await(1);
    ASSERT_NE(served, nullptr);
    EXPECT_TRUE(dispatcher.until([&] { return served->delivered == true; }));
}

TEST_P(TransportWaitTest, TasksRunInOrderOnTheThreadOfTheExchange)
{
    start();
    HttpClient client = connect();
    const auto served = wait(client);
    ASSERT_NE(served, nullptr);
    std::string order;
    std::thread::id thread;
    dispatcher.onThreadOf(*served, [&] { order += "a"; });
    dispatcher.onThreadOf(
        *served,
        [&]
        {
            thread = std::this_thread::get_id();
            served->exchange->executor()->post({[&] { order += "c"; }, [&] { order += "d"; }});
            order += "b"; // never within post()
        });
    dispatcher.onThreadOf(*served, [&] { order += "e"; });
    EXPECT_EQ(order, "abcde");
    EXPECT_EQ(thread, served->thread);
    EXPECT_NE(thread, std::this_thread::get_id());
}

TEST_P(TransportWaitTest, TheLoadSaysHowManyThreadsAreAtWork)
{
    start();
    HttpClient client = connect();
    const auto served = wait(client);
    ASSERT_NE(served, nullptr);
    http::TransportLoad load;
    dispatcher.onThreadOf(*served, [&] { load = transport->load(); });
    EXPECT_GE(load.busyThreads, 1U) << "the one that runs this";
    dispatcher.answer(*served, "done");
    EXPECT_TRUE(client.receive().has_value());
    client.close();
    EXPECT_TRUE(dispatcher.until([&] { return transport->load().busyThreads == 0; }));
    EXPECT_GE(transport->load().idleThreads, 1U);
    EXPECT_EQ(transport->load().queued, 0U);
}

TEST_P(TransportWaitTest, AClientThatClosesAbandonsItsExchange)
{
    start();
    HttpClient client = connect();
    const auto served = wait(client);
    ASSERT_NE(served, nullptr);
    client.close();
    EXPECT_TRUE(dispatcher.until([&] { return served->abandoned; }));
}

TEST_P(TransportWaitTest, AClientThatResetsAbandonsItsExchange)
{
    start();
    HttpClient client = connect();
    const auto served = wait(client);
    ASSERT_NE(served, nullptr);
    client.reset();
    EXPECT_TRUE(dispatcher.until([&] { return served->abandoned; }));
}

TEST_P(TransportWaitTest, AHalfClosedClientCountsAsGone)
{
    start();
    HttpClient client = connect();
    const auto served = wait(client);
    ASSERT_NE(served, nullptr);
    client.finishSending();
    EXPECT_TRUE(dispatcher.until([&] { return served->abandoned; }));
    EXPECT_TRUE(client.closedByServer());
}

TEST_P(TransportWaitTest, AClientThatLeavesBehindPipelinedBytesIsNoticed)
{
    start();
    HttpClient client = connect();
    const auto served = wait(client);
    ASSERT_NE(served, nullptr);
    ASSERT_TRUE(client.get("/echo"));
    // More than a transport keeps in memory for later, less than the kernel does.
    ASSERT_TRUE(client.post("/echo", std::string(40'000, 'b')));
    client.finishSending();
    EXPECT_TRUE(dispatcher.until([&] { return served->abandoned; }));
    EXPECT_EQ(dispatcher.count(), 1U);
}

TEST_P(TransportWaitTest, AnAnswerThatComesTooLateIsToldSo)
{
    start();
    HttpClient client = connect();
    const auto served = wait(client);
    ASSERT_NE(served, nullptr);
    client.close();
    ASSERT_TRUE(dispatcher.until([&] { return served->abandoned; }));
    dispatcher.answer(*served, "too late");
    EXPECT_TRUE(dispatcher.until([&] { return served->delivered.has_value(); }));
    EXPECT_TRUE(dispatcher.holds([&] { return served->delivered == false; }));
}

TEST_P(TransportWaitTest, APipelinedRequestIsNotLostWhileOneWaits)
{
    start();
    HttpClient client = connect();
    ASSERT_TRUE(client.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n"
                            "GET /echo?2 HTTP/1.1\r\nHost: a\r\n\r\n"));
    const auto served = dispatcher.await(1);
    ASSERT_NE(served, nullptr);
    ASSERT_TRUE(client.send("GET /echo?3 HTTP/1.1\r\nHost: a\r\n\r\n"));
    EXPECT_TRUE(client.silentFor(Milliseconds{50}));
    EXPECT_EQ(dispatcher.count(), 1U);
    dispatcher.answer(*served, "first");
    EXPECT_EQ(client.receive().value_or(HttpResponse{}).body, "first");
    EXPECT_EQ(client.receive().value_or(HttpResponse{}).body, "GET /echo?2 ");
    EXPECT_EQ(client.receive().value_or(HttpResponse{}).body, "GET /echo?3 ");
}

TEST_P(TransportWaitTest, ALargePipelinedRequestIsNotLostWhileOneWaits)
{
    start();
    HttpClient client = connect();
    const auto served = wait(client);
    ASSERT_NE(served, nullptr);
    std::string bytes;
    for (int i = 0; i < 8; ++i)
        bytes += "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n" +
                 std::string(60'000, 'b');
    std::thread sender([&] { client.send(bytes); });
    dispatcher.answer(*served, "first");
    EXPECT_EQ(client.receive().value_or(HttpResponse{}).body, "first");
    for (int i = 0; i < 8; ++i)
        EXPECT_EQ(client.receive().value_or(HttpResponse{}).body.size(), 60'011U);
    sender.join();
}

TEST_P(TransportWaitTest, AForgottenExchangeIsAnsweredWith500)
{
    start();
    HttpClient client = connect();
    ASSERT_TRUE(client.get("/forget"));
    EXPECT_EQ(client.receive().value_or(HttpResponse{}).status, 500);
    ASSERT_TRUE(client.get("/echo"));
    EXPECT_EQ(client.receive().value_or(HttpResponse{}).status, 200);
}

} // namespace octostore::test
