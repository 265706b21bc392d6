// SPDX-License-Identifier: MIT
#include "support/Loopback.h"
#include "support/ScriptedServer.h"

#include <octostore/client/Failure.h>
#include <octostore/client/HttpClient.h>

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <thread>
#include <vector>

namespace octostore::client
{

using namespace std::chrono_literals;
using test::jsonReply;
using test::ScriptedReply;
using test::ScriptedServer;
using test::SeenRequest;

class HttpClientTest : public testing::Test
{
protected:
    void makeClient(const std::string& url)
    {
        auto client = HttpClient::create(*ServerUrl::parse(url), {});
        ASSERT_TRUE(client) << client.error().message;
        _client = *std::move(client);
    }
    void answerWith(const ScriptedReply& reply)
    {
        _server.setHandler([reply](const SeenRequest&) { return reply; });
        makeClient(_server.url());
    }
    HttpOutcome send(const HttpRequest& request, Milliseconds timeout = 60s)
    {
        Cancellation cancellation;
        return _client->send(request, timeout, cancellation);
    }
    HttpOutcome get() { return send({"GET", "/x", "", "", ""}); }
    static std::string codeOf(const HttpOutcome& outcome) { return readFailure(outcome).code; }
    static std::string bodyOf(const HttpOutcome& outcome)
    {
        const auto* answer = std::get_if<HttpAnswer>(&outcome);
        return answer != nullptr ? answer->body : std::get<TransportFailure>(outcome).message;
    }

    ScriptedServer _server{[](const SeenRequest&) { return jsonReply("{}"); }};
    std::unique_ptr<HttpClient> _client;
};

TEST_F(HttpClientTest, ARequestHasItsMethodPathTokenAndBody)
{
    makeClient(_server.url() + "/base");
    const HttpOutcome outcome = send({"POST", "/locks/a/acquire", "{\"a\":1}", "secret", ""});
    EXPECT_EQ(bodyOf(outcome), "{}");
    const SeenRequest seen = _server.requests().at(0);
    EXPECT_EQ(seen.method, "POST");
    EXPECT_EQ(seen.path, "/base/locks/a/acquire");
    EXPECT_EQ(seen.body, "{\"a\":1}");
    EXPECT_EQ(seen.headers.at("authorization"), "Bearer secret");
    EXPECT_EQ(seen.headers.at("content-type"), "application/json");
    EXPECT_EQ(seen.headers.at("host"), "127.0.0.1:" + std::to_string(_server.port()));
}

TEST_F(HttpClientTest, ARequestWithoutBodyOrTokenSaysNeither)
{
    makeClient(_server.url());
    send({"POST", "/elections", "", "", ""});
    const SeenRequest seen = _server.requests().at(0);
    EXPECT_EQ(seen.headers.count("authorization"), 0U);
    EXPECT_EQ(seen.headers.count("content-type"), 0U);
    EXPECT_EQ(seen.headers.at("content-length"), "0");
}

TEST_F(HttpClientTest, AConnectionIsUsedAgain)
{
    makeClient(_server.url());
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(bodyOf(get()), "{}");
    EXPECT_EQ(_server.requests().at(2).connection, 0U);
}

TEST_F(HttpClientTest, AConnectionThatTheServerClosedIsReplacedWithoutAFailure)
{
    ScriptedReply reply = jsonReply("{}");
    reply.close = true; // without saying so
    answerWith(reply);
    for (int i = 0; i < 20; ++i)
        ASSERT_EQ(bodyOf(get()), "{}") << i;
}

TEST_F(HttpClientTest, AConnectionIsFreshAfterAFailure)
{
    _server.setHandler(
        [](const SeenRequest& request)
        {
            ScriptedReply reply = jsonReply("{}");
            reply.hang = request.path == "/hang";
            return reply;
        });
    makeClient(_server.url());
    EXPECT_EQ(bodyOf(get()), "{}");
    EXPECT_EQ(codeOf(send({"GET", "/hang", "", "", ""}, 200ms)), "timeout");
    EXPECT_EQ(bodyOf(get()), "{}");
    ASSERT_TRUE(_server.waitFor("GET", "/hang"));
    // What hangs may be seen last.
    std::map<std::string, std::vector<std::size_t>> connections;
    for (const SeenRequest& seen : _server.requests())
        connections[seen.path].push_back(seen.connection);
    EXPECT_EQ(connections["/x"], (std::vector<std::size_t>{0, 1}));
    EXPECT_EQ(connections["/hang"], std::vector<std::size_t>{0});
}

TEST_F(HttpClientTest, ARedirectIsNotFollowed)
{
    ScriptedReply reply = jsonReply("{}", 307);
    reply.headers.push_back("Location: /elsewhere");
    answerWith(reply);
    EXPECT_EQ(codeOf(get()), "redirected");
    EXPECT_EQ(_server.requests().size(), 1U);
}

TEST_F(HttpClientTest, OneMebibyteIsReadAndNotAByteMore)
{
    answerWith(jsonReply(std::string(HttpClient::answerMax, 'x')));
    EXPECT_EQ(bodyOf(get()).size(), HttpClient::answerMax);
    answerWith(jsonReply(std::string(HttpClient::answerMax + 1, 'x')));
    EXPECT_EQ(codeOf(get()), "answer_too_large");
    ScriptedReply chunked;
    chunked.raw = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n100001\r\n" +
                  std::string(HttpClient::answerMax + 1, 'x') + "\r\n0\r\n\r\n";
    answerWith(chunked);
    EXPECT_EQ(codeOf(get()), "answer_too_large");
}

TEST_F(HttpClientTest, AnAnswerThatIsCutOffIsNoAnswer)
{
    ScriptedReply reply;
    reply.raw = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}";
    reply.close = true;
    answerWith(reply);
    EXPECT_EQ(codeOf(get()), "connection_broken");
    reply.raw = "HTTP/1.1 200 OK\r\nContent-Le";
    answerWith(reply);
    EXPECT_EQ(codeOf(get()), "connection_broken");
}

TEST_F(HttpClientTest, WhatIsNoHttpIsNoAnswer)
{
    ScriptedReply reply;
    reply.raw = "SSH-2.0-OpenSSH_9.2\r\n";
    reply.close = true;
    answerWith(reply);
    EXPECT_EQ(codeOf(get()), "connection_broken");
}

TEST_F(HttpClientTest, EndlessHeadersAreRefused)
{
    ScriptedReply reply;
    reply.raw = "HTTP/1.1 200 OK\r\n";
    for (int i = 0; i < 5000; ++i)
        reply.raw += "X-" + std::to_string(i) + ": y\r\n";
    reply.raw += "Content-Length: 2\r\n\r\n{}";
    answerWith(reply);
    EXPECT_EQ(codeOf(get()), "connection_broken");
}

TEST_F(HttpClientTest, NobodyListeningIsUnreachable)
{
    const test::SilentPort nobody;
    makeClient("http://127.0.0.1:" + std::to_string(nobody.number()));
    EXPECT_EQ(codeOf(get()), "unreachable");
}

TEST_F(HttpClientTest, CancellingEndsACallAtOnce)
{
    ScriptedReply reply;
    reply.hang = true;
    answerWith(reply);
    Cancellation cancellation;
    std::thread other(
        [&]
        {
            ASSERT_TRUE(_server.waitFor("GET", "/x"));
            cancellation.cancel();
        });
    const auto started = std::chrono::steady_clock::now();
    const HttpOutcome outcome = _client->send({"GET", "/x", "", "", ""}, 60s, cancellation);
    other.join();
    EXPECT_EQ(codeOf(outcome), "cancelled");
    EXPECT_LT(std::chrono::steady_clock::now() - started, 30s);
    // What was cancelled stays so.
    EXPECT_EQ(codeOf(_client->send({"GET", "/x", "", "", ""}, 60s, cancellation)), "cancelled");
}

TEST_F(HttpClientTest, AStreamIsHandedOverAsItComes)
{
    ScriptedReply reply;
    reply.raw = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n"
                "Transfer-Encoding: chunked\r\n\r\n9\r\ndata: 1\n\n\r\n9\r\ndata: 2\n\n\r\n";
    answerWith(reply);
    std::string seen;
    Cancellation cancellation;
    const auto sink = [&](std::string_view bytes)
    {
        seen += bytes;
        return seen.find("2\n\n") == std::string::npos;
    };
    const HttpOutcome outcome =
        _client->stream({"GET", "/w", "", "", "17"}, 60s, 60s, sink, cancellation);
    ASSERT_TRUE(std::holds_alternative<HttpAnswer>(outcome));
    EXPECT_EQ(seen, "data: 1\n\ndata: 2\n\n");
    EXPECT_EQ(_server.requests().at(0).headers.at("last-event-id"), "17");
}

TEST_F(HttpClientTest, AStreamThatFallsSilentEnds)
{
    ScriptedReply reply;
    reply.raw = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                "Transfer-Encoding: chunked\r\n\r\n2\r\n:\n\r\n";
    answerWith(reply);
    Cancellation cancellation;
    const auto sink = [](std::string_view) { return true; };
    EXPECT_EQ(codeOf(_client->stream({"GET", "/w", "", "", ""}, 60s, 200ms, sink, cancellation)),
              "timeout");
}

TEST_F(HttpClientTest, AnAnswerThatIsNoStreamIsReadAsUsual)
{
    answerWith(test::errorReply(429, "rate_limited", "\"retry_after_ms\":30000"));
    Cancellation cancellation;
    const auto sink = [](std::string_view) { return true; };
    const HttpOutcome outcome =
        _client->stream({"GET", "/w", "", "", ""}, 60s, 60s, sink, cancellation);
    EXPECT_EQ(readFailure(outcome).retryAfter, 30s);
}

TEST_F(HttpClientTest, ACaBundleThatCannotBeReadIsAnError)
{
    HttpClientOptions options;
    options.caBundle = "/nonexistent/roots.pem";
    const auto client = HttpClient::create(*ServerUrl::parse("https://a.example"), options);
    ASSERT_FALSE(client);
    EXPECT_EQ(client.error().code, ErrorCode::Configuration);
}

} // namespace octostore::client
