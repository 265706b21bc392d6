// SPDX-License-Identifier: MIT
#include "TransportFixture.h"

namespace octostore::test
{

class TransportLimitTest : public TransportFixture
{
protected:
    /// Sends `bytes` on a fresh connection; the answer must have `status`, and the connection
    /// must end behind it.
    void expectRefused(const std::string& bytes, int status)
    {
        HttpClient client = connect();
        client.send(bytes); // the answer may come, and the connection close, before all is sent
        const auto response = client.receive();
        ASSERT_TRUE(response.has_value());
        EXPECT_EQ(response->status, status);
        EXPECT_EQ(response->header("connection"), "close");
        EXPECT_TRUE(client.closedByServer());
    }
};
OCTOSTORE_ON_EVERY_TRANSPORT(TransportLimitTest);

TEST_P(TransportLimitTest, BodiesUpToTheLimitAreTaken)
{
    options.bodyMax = 1000;
    start();
    HttpClient client = connect();
    ASSERT_TRUE(client.post("/echo", std::string(1000, 'b')));
    EXPECT_EQ(client.receive().value_or(HttpResponse{}).status, 200);
    ASSERT_TRUE(client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                            "3e7\r\n" +
                            std::string(999, 'b') + "\r\n1\r\nb\r\n0\r\n\r\n"));
    EXPECT_EQ(client.receive().value_or(HttpResponse{}).status, 200);
}

TEST_P(TransportLimitTest, LongerBodiesAreRefusedWithoutBeingRead)
{
    options.bodyMax = 1000;
    start();
    const std::string head = "POST /echo HTTP/1.1\r\nHost: a\r\n";
    expectRefused(head + "Content-Length: 1001\r\n\r\n", 413);
    expectRefused(head + "Content-Length: 1001\r\nExpect: 100-continue\r\n\r\n", 413);
    expectRefused(head + "Content-Length: 100000\r\n\r\n" + std::string(100'000, 'b'), 413);
    expectRefused(head + "Transfer-Encoding: chunked\r\n\r\n3e9\r\n", 413);
    expectRefused(head + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n", 413);
    expectRefused(head + "Transfer-Encoding: chunked\r\n\r\n3e8\r\n" + std::string(1000, 'b') +
                      "\r\n1\r\n",
                  413);
}

TEST_P(TransportLimitTest, HeadsHaveALimit)
{
    options.headMax = 1000;
    options.headersMax = 10;
    options.targetMax = 300;
    start();
    const std::string line = "GET /echo HTTP/1.1\r\nHost: a\r\n";
    expectRefused(line + "X: " + std::string(1000, 'x') + "\r\n\r\n", 431);
    expectRefused(line + "X: " + std::string(1000, 'x'), 431);
    std::string fields;
    for (int i = 0; i < 10; ++i)
        fields += "X: y\r\n";
    expectRefused(line + fields + "\r\n", 431);
    expectRefused("GET /" + std::string(300, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n", 414);
    expectRefused("GET /" + std::string(600, 'a'), 414);
}

TEST_P(TransportLimitTest, HeadsUpToTheLimitAreTaken)
{
    options.headersMax = 10;
    options.targetMax = 300;
    start();
    HttpClient client = connect();
    std::string fields;
    for (int i = 0; i < 9; ++i)
        fields += "X: y\r\n";
    ASSERT_TRUE(client.get("/echo?" + std::string(294, 'a'), fields));
    EXPECT_EQ(client.receive().value_or(HttpResponse{}).status, 200);
    ASSERT_TRUE(client.get("/echo", "X: " + std::string(15'000, 'x') + "\r\n"));
    EXPECT_EQ(client.receive().value_or(HttpResponse{}).status, 200);
}

TEST_P(TransportLimitTest, ARequestThatDoesNotArriveWholeInTimeIsRefused)
{
    options.requestTimeout = Milliseconds{100};
    start();
    expectRefused("G", 408);
    expectRefused("GET /echo HTTP/1.1\r\nHost: a\r\n", 408);
    expectRefused("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabc", 408);
    expectRefused("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc",
                  408);
}

TEST_P(TransportLimitTest, BytesInDropsDoNotExtendTheTime)
{
    options.requestTimeout = Milliseconds{300};
    start();
    HttpClient client = connect();
    ASSERT_TRUE(client.send("GET /echo HTTP/1.1\r\nHost: a\r\nX: "));
    const auto began = std::chrono::steady_clock::now();
    const auto passed = [began] { return std::chrono::steady_clock::now() - began; };
    while (client.silentFor(Milliseconds{20}) && passed() < client.patience)
        client.send("x");
    EXPECT_LT(passed(), client.patience);
    EXPECT_EQ(client.receive().value_or(HttpResponse{}).status, 408);
}

TEST_P(TransportLimitTest, AnIdleConnectionIsClosedSilently)
{
    options.keepAliveTimeout = Milliseconds{100};
    start();
    HttpClient fresh = connect();
    EXPECT_TRUE(fresh.closedByServer());
    // A busy machine may need longer than that to ask.
    bool answered = false;
    for (int tries = 0; tries < 100 && !answered; ++tries)
    {
        HttpClient used = connect();
        answered = used.get("/echo") && used.receive().has_value() && used.closedByServer();
    }
    EXPECT_TRUE(answered);
    EXPECT_TRUE(dispatcher.until([&] { return transport->connections() == 0; }));
}

TEST_P(TransportLimitTest, AWaitingConnectionIsNotIdle)
{
    options.keepAliveTimeout = Milliseconds{400};
    options.requestTimeout = Milliseconds{400};
    start();
    const auto client = askInTime("/wait");
    ASSERT_NE(client, nullptr);
    const auto served = dispatcher.await(dispatcher.count());
    EXPECT_TRUE(client->silentFor(Milliseconds{1200}));
    dispatcher.answer(*served, "at last");
    EXPECT_EQ(client->receive().value_or(HttpResponse{}).body, "at last");
}

TEST_P(TransportLimitTest, AClientThatDoesNotReadItsAnswerIsCut)
{
    options.writeTimeout = Milliseconds{200};
    start();
    HttpClient client = connect();
    client.shrinkReceiveBuffer();
    ASSERT_TRUE(client.get("/large?32000000"));
    const auto served = dispatcher.await(1);
    ASSERT_NE(served, nullptr);
    EXPECT_TRUE(dispatcher.until([&] { return served->delivered.has_value(); }));
    EXPECT_TRUE(dispatcher.holds([&] { return served->delivered == false; }));
    EXPECT_TRUE(dispatcher.until([&] { return transport->connections() == 0; }));
}

TEST_P(TransportLimitTest, ConnectionsAboveTheLimitAreToldSo)
{
    options.connectionsMax = 2;
    start();
    HttpClient first = connect();
    HttpClient second = connect();
    for (HttpClient* client : {&first, &second})
    {
        ASSERT_TRUE(client->get("/echo"));
        EXPECT_EQ(client->receive().value_or(HttpResponse{}).status, 200);
    }
    {
        HttpClient third = connect();
        const auto response = third.receive();
        ASSERT_TRUE(response.has_value());
        EXPECT_EQ(response->status, 503);
        EXPECT_EQ(response->header("retry-after"), "1");
        EXPECT_EQ(response->header("x-request-id").substr(0, 4), "req_");
        EXPECT_NE(response->body.find("overloaded"), std::string::npos);
        EXPECT_TRUE(third.closedByServer());
    }
    first.close();
    EXPECT_TRUE(dispatcher.until([&] { return transport->connections() == 1; }));
    HttpClient fourth = connect();
    ASSERT_TRUE(fourth.get("/echo"));
    EXPECT_EQ(fourth.receive().value_or(HttpResponse{}).status, 200);
}

} // namespace octostore::test
