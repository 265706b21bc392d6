// SPDX-License-Identifier: MIT
#include "TransportFixture.h"

namespace octostore::test
{

class TransportRequestTest : public TransportFixture
{
};
OCTOSTORE_ON_EVERY_TRANSPORT(TransportRequestTest);

TEST_P(TransportRequestTest, OneConnectionServesRequestAfterRequest)
{
    start();
    HttpClient client = connect();
    for (const char* body : {"one", "", "three"})
    {
        ASSERT_TRUE(client.post("/echo?q=1", body));
        const auto response = client.receive();
        ASSERT_TRUE(response.has_value());
        EXPECT_EQ(response->status, 200);
        EXPECT_EQ(response->body, std::string("POST /echo?q=1 ") + body);
        EXPECT_EQ(response->header("connection"), "");
        EXPECT_EQ(response->headers.count("server"), 0U);
        EXPECT_EQ(response->header("date").size(), 29U);
    }
    EXPECT_EQ(transport->connections(), 1U);
}

TEST_P(TransportRequestTest, PipelinedRequestsAreAnsweredInOrder)
{
    start();
    HttpClient client = connect();
    std::string bytes;
    for (int i = 0; i < 20; ++i)
    {
        const std::string body(static_cast<std::size_t>(i) * 100, 'b');
        bytes += "POST /echo?" + std::to_string(i) +
                 " HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(body.size()) +
                 "\r\n\r\n" + body;
    }
    ASSERT_TRUE(client.send(bytes));
    for (int i = 0; i < 20; ++i)
    {
        const auto response = client.receive();
        ASSERT_TRUE(response.has_value()) << i;
        EXPECT_EQ(response->body, "POST /echo?" + std::to_string(i) + " " +
                                      std::string(static_cast<std::size_t>(i) * 100, 'b'));
    }
}

TEST_P(TransportRequestTest, RequestsMayArriveInAnyPieces)
{
    start();
    const std::string bytes = "POST /echo?1 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
                              "POST /echo?2 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n"
                              "\r\n4;x=\"y\"\r\nwxyz\r\n02\r\n12\r\n0\r\nTrailer: t\r\n\r\n"
                              "GET /echo?3 HTTP/1.1\r\nHost: a\r\n\r\n";
    for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, std::size_t{7}, bytes.size()})
    {
        SCOPED_TRACE(piece);
        HttpClient client = connect();
        for (std::size_t at = 0; at < bytes.size(); at += piece)
            ASSERT_TRUE(client.send(bytes.substr(at, piece)));
        EXPECT_EQ(client.receive().value_or(HttpResponse{}).body, "POST /echo?1 abc");
        EXPECT_EQ(client.receive().value_or(HttpResponse{}).body, "POST /echo?2 wxyz12");
        EXPECT_EQ(client.receive().value_or(HttpResponse{}).body, "GET /echo?3 ");
    }
}

TEST_P(TransportRequestTest, TrailersAreNoHeaders)
{
    start();
    HttpClient client = connect();
    ASSERT_TRUE(client.send("POST /wait HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                            "0\r\nX-Admin-Key: k\r\n\r\n"));
    const auto served = dispatcher.await(1);
    ASSERT_NE(served, nullptr);
    EXPECT_EQ(served->exchange->request().headers.find("x-admin-key"), nullptr);
}

TEST_P(TransportRequestTest, HeaderValuesArriveAsTheyWereSent)
{
    start();
    HttpClient client = connect();
    ASSERT_TRUE(client.get("/wait",
                           "X-Word: =?utf-8?Q?a=0D=0Ab?=\r\nX-Twice: 1\r\nx-twice:  2\t\r\n"
                           "X-Bytes: \xc3\xa9\r\nX-Empty:\r\n"));
    const auto served = dispatcher.await(1);
    ASSERT_NE(served, nullptr);
    const http::Headers& headers = served->exchange->request().headers;
    EXPECT_EQ(*headers.find("x-word"), "=?utf-8?Q?a=0D=0Ab?=");
    EXPECT_EQ(headers.count("X-Twice"), 2U);
    EXPECT_EQ(headers.all()[3].value, "2");
    EXPECT_EQ(*headers.find("x-bytes"), "\xc3\xa9");
    EXPECT_EQ(*headers.find("x-empty"), "");
}

TEST_P(TransportRequestTest, HeadHasTheLengthButNotTheBody)
{
    start();
    HttpClient client = connect();
    ASSERT_TRUE(client.send("HEAD /echo HTTP/1.1\r\nHost: a\r\n\r\n"));
    const auto response = client.receive(true);
    ASSERT_TRUE(response.has_value());
    EXPECT_EQ(response->header("content-length"), std::to_string(sizeof "HEAD /echo " - 1));
    ASSERT_TRUE(client.get("/echo"));
    EXPECT_EQ(client.receive().value_or(HttpResponse{}).body, "GET /echo ");
}

TEST_P(TransportRequestTest, AnAnswerWithoutContentIsFollowedByTheNext)
{
    start();
    HttpClient client = connect();
    ASSERT_TRUE(client.get("/empty"));
    const auto response = client.receive();
    ASSERT_TRUE(response.has_value());
    EXPECT_EQ(response->status, 204);
    EXPECT_EQ(response->headers.count("content-length"), 0U);
    ASSERT_TRUE(client.get("/echo"));
    EXPECT_EQ(client.receive().value_or(HttpResponse{}).body, "GET /echo ");
}

TEST_P(TransportRequestTest, WhoExpectsAContinueGetsOne)
{
    start();
    HttpClient client = connect();
    ASSERT_TRUE(client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n"
                            "Expect: 100-continue\r\n\r\n"));
    EXPECT_EQ(client.receive().value_or(HttpResponse{}).status, 100);
    ASSERT_TRUE(client.send("body"));
    EXPECT_EQ(client.receive().value_or(HttpResponse{}).body, "POST /echo body");
}

TEST_P(TransportRequestTest, WhoSendsTheBodyAnywayNeedsNoContinue)
{
    start();
    HttpClient client = connect();
    ASSERT_TRUE(client.post("/echo", "body", "Expect: 100-continue\r\n"));
    const auto response = client.receive();
    ASSERT_TRUE(response.has_value());
    EXPECT_EQ(response->status, 200);
}

TEST_P(TransportRequestTest, Http10ClosesUnlessAskedToStay)
{
    start();
    HttpClient once = connect();
    ASSERT_TRUE(once.send("GET /echo HTTP/1.0\r\n\r\n"));
    EXPECT_EQ(once.receive().value_or(HttpResponse{}).header("connection"), "close");
    EXPECT_TRUE(once.closedByServer());

    HttpClient stays = connect();
    for (int i = 0; i < 2; ++i)
    {
        ASSERT_TRUE(stays.send("GET /echo HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n"));
        EXPECT_EQ(stays.receive().value_or(HttpResponse{}).header("connection"), "keep-alive");
    }
}

TEST_P(TransportRequestTest, EitherSideMayCloseAfterAnAnswer)
{
    start();
    HttpClient client = connect();
    ASSERT_TRUE(client.get("/echo", "Connection: close\r\n"));
    EXPECT_EQ(client.receive().value_or(HttpResponse{}).header("connection"), "close");
    EXPECT_TRUE(client.closedByServer());

    HttpClient server = connect();
    ASSERT_TRUE(server.get("/close"));
    EXPECT_EQ(server.receive().value_or(HttpResponse{}).header("connection"), "close");
    EXPECT_TRUE(server.closedByServer());
}

TEST_P(TransportRequestTest, AHalfClosedClientStillGetsWhatIsAnsweredAtOnce)
{
    start();
    HttpClient client = connect();
    ASSERT_TRUE(client.send("GET /echo?1 HTTP/1.1\r\nHost: a\r\n\r\n"
                            "GET /echo?2 HTTP/1.1\r\nHost: a\r\n\r\n"));
    client.finishSending();
    EXPECT_EQ(client.receive().value_or(HttpResponse{}).body, "GET /echo?1 ");
    EXPECT_EQ(client.receive().value_or(HttpResponse{}).body, "GET /echo?2 ");
    EXPECT_TRUE(client.closedByServer());
}

TEST_P(TransportRequestTest, EmptyLinesBeforeARequestAreIgnored)
{
    start();
    HttpClient client = connect();
    ASSERT_TRUE(client.send("\r\nGET /echo HTTP/1.1\r\nHost: a\r\n\r\n"));
    EXPECT_EQ(client.receive().value_or(HttpResponse{}).body, "GET /echo ");
}

TEST_P(TransportRequestTest, LargeAnswersArriveWhole)
{
    start();
    HttpClient client = connect();
    ASSERT_TRUE(client.get("/large?8000000"));
    EXPECT_EQ(client.receive().value_or(HttpResponse{}).body.size(), 8'000'000U);
    ASSERT_TRUE(client.get("/echo"));
    EXPECT_EQ(client.receive().value_or(HttpResponse{}).body, "GET /echo ");
}

TEST_P(TransportRequestTest, ThePeerIsKnownByItsAddress)
{
    start();
    HttpClient client = connect();
    ASSERT_TRUE(client.get("/peer"));
    EXPECT_EQ(client.receive().value_or(HttpResponse{}).body, "127.0.0.1");
}

TEST_P(TransportRequestTest, ManyConnectionsAreServedAtOnce)
{
    start();
    constexpr std::size_t count = 100;
    std::vector<HttpClient> clients;
    for (std::size_t i = 0; i < count; ++i)
    {
        clients.push_back(connect());
        ASSERT_TRUE(clients.back().get("/wait"));
    }
    ASSERT_NE(dispatcher.await(count), nullptr);
    EXPECT_EQ(transport->connections(), count);
    for (std::size_t i = 0; i < count; ++i)
        dispatcher.answer(*dispatcher.await(i + 1), "late");
    for (HttpClient& client : clients)
        EXPECT_EQ(client.receive().value_or(HttpResponse{}).body, "late");
}

} // namespace octostore::test
