// SPDX-License-Identifier: MIT
// Goal: what a receiver does is called by its name, in time.
// Method: the real sender and real sockets with short limits; names are looked up in the test.
#include "DeafPort.h"
#include "HttpSenderFixture.h"
#include "support/Loopback.h"
#include "support/NoThreads.h"

#include <gtest/gtest.h>

#include <ostream>
#include <set>
#include <thread>

#include <unistd.h>

namespace octostore::test
{
namespace
{

using namespace std::chrono_literals;
using webhooks::Attempt;
using webhooks::HttpSender;
using webhooks::Outgoing;

using HttpSenderTest = HttpSenderFixture;

struct Answer
{
    const char* what;
    ScriptedReply reply;
    int status = 0;
    const char* reason = "";
    std::optional<Milliseconds> retryAfter{};
};

ScriptedReply rawReply(std::string raw)
{
    ScriptedReply reply;
    reply.raw = std::move(raw);
    reply.close = true;
    return reply;
}

ScriptedReply withHeaders(int status, std::vector<std::string> headers)
{
    ScriptedReply reply = jsonReply("{}", status);
    reply.headers = std::move(headers);
    return reply;
}

TEST_F(HttpSenderTest, EveryAnswerIsCalledByItsName)
{
    const std::string date = "Date: Sun, 06 Nov 1994 08:49:37 GMT";
    const std::vector<Answer> answers = {
        {"ok", jsonReply("{}"), 200},
        {"any 2xx", jsonReply("", 299), 299},
        {"no content", rawReply("HTTP/1.1 204 No Content\r\n\r\n"), 204},
        {"bad request", jsonReply("{}", 400), 400, "http_4xx"},
        {"gone", jsonReply("{}", 410), 410, "http_4xx"},
        {"error", jsonReply("{}", 500), 500, "http_5xx"},
        {"throttled", withHeaders(429, {"Retry-After: 7"}), 429, "http_4xx", 7s},
        {"throttled until a date",
         withHeaders(503, {date, "Retry-After: Sun, 06 Nov 1994 08:50:37 "
                                 "GMT"}),
         503, "http_5xx", 60s},
        {"throttled until a date that has passed",
         withHeaders(429, {"Retry-After: Sun, 06 Nov 1994 08:49:37 GMT"}), 429, "http_4xx", 0s},
        {"throttled until nonsense", withHeaders(429, {"Retry-After: soon"}), 429, "http_4xx"},
        {"no status that there is", jsonReply("{}", 700), 700, "protocol"},
        {"no HTTP", rawReply("\x16\x03\x01 what is this?\r\n\r\n"), 0, "protocol"},
        {"no number", rawReply("HTTP/1.1 abc Fine\r\n\r\n"), 0, "protocol"},
        {"too many fields", withHeaders(200, std::vector<std::string>(200, "X-Much: 1")), 0,
         "protocol"},
        {"chunks that are none",
         rawReply("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nwhat?\r\n"), 200},
        {"less than it says", rawReply("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{}"), 200},
        {"nothing", rawReply("\r\n"), 0, "protocol"},
    };
    for (const Answer& expected : answers)
    {
        SCOPED_TRACE(expected.what);
        answer(expected.reply);
        const Attempt attempt = send(patient);
        EXPECT_EQ(attempt.status, expected.status);
        EXPECT_EQ(attempt.reason, expected.reason) << attempt.detail;
        EXPECT_EQ(attempt.retryAfter, expected.retryAfter);
    }
}

TEST_F(HttpSenderTest, ARedirectIsAFailureAndNotFollowed)
{
    ScriptedServer elsewhere([](const SeenRequest&) { return jsonReply("{}"); });
    for (const int status : {301, 302, 303, 307, 308})
    {
        answer(withHeaders(status, {"Location: " + elsewhere.url() + "/inside"}));
        const Attempt attempt = send(patient);
        EXPECT_EQ(attempt.status, status);
        EXPECT_EQ(attempt.reason, "http_3xx");
    }
    EXPECT_TRUE(elsewhere.requests().empty());
    EXPECT_EQ(server.requests().size(), 5U);
}

TEST_F(HttpSenderTest, WhoeverHangsOrIsTooSlowIsLeftInTime)
{
    ScriptedReply hangs;
    hangs.hang = true;
    ScriptedReply begins;
    begins.raw = "HTTP/1.1 200 OK\r\nContent-"; // and no more
    for (const ScriptedReply& reply : {hangs, begins})
    {
        answer(reply);
        const Attempt attempt = send(hasty);
        EXPECT_EQ(attempt.status, 0);
        EXPECT_EQ(attempt.reason, "timeout") << attempt.detail;
        EXPECT_GE(attempt.took, 250ms);
        EXPECT_LT(attempt.took, 20s);
    }
}

TEST_F(HttpSenderTest, AnAddressWhereNobodyAnswersLeavesTheNextOneItsTime)
{
    const DeafPort deaf(server.port());
    resolver.places["two.example"] = {{"127.0.0.2", "127.0.0.1"}};
    webhooks::HttpSenderOptions options = limits(60s);
    options.connectTimeout = 200ms;
    HttpSender sender(allowing({"127.0.0.0/8"}), resolver, options);
    Attempt attempt = sender.send(messageTo(url("two.example")));
    // A machine that stands still has not reached the second one either.
    for (int tries = 1; tries < 20 && attempt.status == 0; ++tries)
        attempt = sender.send(messageTo(url("two.example")));
    EXPECT_EQ(attempt.status, 200) << attempt.reason << " " << attempt.detail;
    EXPECT_GE(attempt.took, 150ms) << "the first one answered";
    EXPECT_EQ(
        hasty.send(messageTo("http://127.0.0.2:" + std::to_string(server.port()) + "/")).reason,
        "timeout");
}

TEST_F(HttpSenderTest, AByteNowAndThenDoesNotKeepAnAttemptAlive)
{
    std::uint16_t port = 0;
    const int listener = listenOnLoopback(port);
    std::thread dripping(
        [listener]
        {
            const int socket = ::accept(listener, nullptr, nullptr);
            bool there = sendAll(socket, "HTTP/1.1 200 OK\r\nX-Slow: ");
            for (int i = 0; there && i < 3'000; ++i)
            {
                std::this_thread::sleep_for(20ms); // what a slow receiver does
                there = sendAll(socket, "a");
            }
            ::close(socket);
        });
    const Attempt attempt =
        hasty.send(messageTo("http://127.0.0.1:" + std::to_string(port) + "/hook"));
    EXPECT_EQ(attempt.reason, "timeout") << attempt.detail;
    EXPECT_LT(attempt.took, 20s);
    dripping.join();
    ::close(listener);
}

TEST_F(HttpSenderTest, NobodyThereAndNoSuchNameAreToldApart)
{
    const SilentPort silent;
    const std::string nobody = "http://127.0.0.1:" + std::to_string(silent.number()) + "/";
    EXPECT_EQ(patient.send(messageTo(nobody)).reason, "connect");
    EXPECT_EQ(patient.send(messageTo(url("nowhere.example"))).reason, "dns");
}

TEST_F(HttpSenderTest, TheResolverOfTheSystemKnowsLocalhostAndSaysWhatItDoesNotKnow)
{
    webhooks::SystemResolver system(30s);
    HttpSender sender(allowing({"127.0.0.1", "::1"}), system, limits(30s));
    EXPECT_EQ(sender.send(messageTo(url("localhost"))).status, 200);
    const auto unknown = system.resolve("no name at all");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, ErrorCode::UpstreamUnavailable);
}

TEST_F(HttpSenderTest, WithoutAThreadALookUpFailsAndNothingElse)
{
    webhooks::SystemResolver system(30s);
    {
        const NoThreads without;
        const auto found = system.resolve("localhost");
        ASSERT_FALSE(found);
        EXPECT_EQ(found.error().code, ErrorCode::UpstreamUnavailable);
    }
    EXPECT_TRUE(system.resolve("localhost"));
}

TEST_F(HttpSenderTest, AConnectionIsUsedAgainUnlessTheReceiverEndsIt)
{
    for (int i = 0; i < 3; ++i)
        EXPECT_TRUE(send(patient).succeeded());
    ScriptedReply last = jsonReply("{}");
    last.close = true;
    answer(last);
    EXPECT_TRUE(send(patient).succeeded());
    answer(jsonReply("{}"));
    EXPECT_TRUE(send(patient).succeeded());
    std::vector<std::size_t> connections;
    for (const SeenRequest& request : server.requests())
        connections.push_back(request.connection);
    EXPECT_EQ(connections, (std::vector<std::size_t>{0, 0, 0, 0, 1}));
}

TEST_F(HttpSenderTest, OfALongAnswerSixteenKibibytesAreKept)
{
    answer(jsonReply(std::string(100'000, 'a')));
    EXPECT_EQ(send(patient).response.size(), HttpSender::responseMax);
    EXPECT_TRUE(send(patient).succeeded());
    EXPECT_EQ(server.requests().back().connection, 0U) << "it was read to its end";
    answer(jsonReply(std::string(3'000'000, 'a')));
    EXPECT_TRUE(send(patient).succeeded());
    answer(jsonReply("{}"));
    EXPECT_TRUE(send(patient).succeeded());
    EXPECT_EQ(server.requests().back().connection, 1U) << "too much to be read";
}

TEST_F(HttpSenderTest, StoppingEndsWhatHangsAtOnce)
{
    ScriptedReply hangs;
    hangs.hang = true;
    answer(hangs);
    Attempt attempt;
    std::thread sending([&] { attempt = send(patient); });
    EXPECT_TRUE(server.waitFor("POST", "/hook"));
    patient.stop();
    sending.join();
    EXPECT_EQ(attempt.reason, "stopped");
    EXPECT_LT(attempt.took, 20s);
}

TEST_F(HttpSenderTest, StoppingEndsAConnectionThatDoesNotComeAboutAndDialsNoOther)
{
    const DeafPort deaf(server.port());
    resolver.places["two.example"] = {{"127.0.0.2", "127.0.0.1"}};
    webhooks::HttpSenderOptions options = limits(120s);
    options.connectTimeout = 120s;
    HttpSender sender(allowing({"127.0.0.0/8"}), resolver, options);
    Attempt attempt;
    std::thread sending([&] { attempt = sender.send(messageTo(url("two.example"))); });
    std::this_thread::sleep_for(100ms); // at any moment it must be the same
    sender.stop();
    sending.join();
    EXPECT_EQ(attempt.reason, "stopped");
    EXPECT_LT(attempt.took, 60s);
    EXPECT_TRUE(server.requests().empty());
}

} // namespace
} // namespace octostore::test
