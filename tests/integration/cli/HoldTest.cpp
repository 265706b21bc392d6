// SPDX-License-Identifier: MIT
// Goal: every exit code and every event of a hold, one each.
// Method: a server that answers what the test says; the real program in a process of its own.
#include "CliTest.h"
#include "Scripted.h"
#include "support/JsonSchema.h"

#include <csignal>

namespace octostore::test
{

using namespace std::chrono_literals;

class HoldTest : public CliTest
{
protected:
    /// `ttl`: in seconds; so long that a machine that stands still loses nothing, unless the test
    /// waits for a renewal (at 0.45 of it) or for the end of the authority (at 0.8).
    ClientProcess::Words election(const ClientProcess::Words& more = {},
                                  const std::string& ttl = "300",
                                  const std::string& shutdown = "60s") const
    {
        ClientProcess::Words words{"election",           "hold",  scriptedRoom, "--candidate",
                                   scriptedCandidate,    "--ttl", ttl,          "--json",
                                   "--shutdown-timeout", shutdown};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    ClientProcess::Words lock(const ClientProcess::Words& more = {}) const
    {
        ClientProcess::Words words{"lock", "hold",   "jobs/import",        "--ttl",
                                   "300",  "--json", "--shutdown-timeout", "60s"};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    ClientProcess::Variables variables() const
    {
        return {{"OCTOSTORE_URL", _server.url()}, {"OCTOSTORE_TOKEN", "secret"}};
    }
    /// `reply` for paths that end so, else what a good server says.
    void answer(const std::string& end, const ScriptedReply& reply)
    {
        _server.setHandler([end, reply](const SeenRequest& request)
                           { return endsWith(request.path, end) ? reply : goodReply(request); });
    }
    /// Every line fits the schema, counts from 1 and has no secret in it.
    static void checkLines(const ClientProcess& client)
    {
        const JsonSchema schema(read(OCTOSTORE_TEST_SCHEMA));
        int sequence = 0;
        for (const std::string& line : client.lines())
        {
            EXPECT_EQ(schema.check(line), "") << line;
            EXPECT_EQ(member(line, "sequence"), std::to_string(++sequence));
            EXPECT_EQ(line.find(scriptedToken), std::string::npos);
            EXPECT_EQ(line.find("secret"), std::string::npos);
        }
        EXPECT_EQ(client.errors().find(scriptedToken), std::string::npos);
    }
    /// The last event, after the end.
    static std::string lastEvent(const ClientProcess& client)
    {
        return client.lines().empty() ? "" : member(client.lines().back(), "event");
    }
    static std::string lastReason(const ClientProcess& client)
    {
        return client.lines().empty() ? "" : member(client.lines().back(), "reason_code");
    }

    ScriptedServer _server{goodReply};
};

TEST_F(HoldTest, ASignalReleasesAndIsTheExitCode)
{
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
    {
        ClientProcess client(election(), variables());
        const auto won = client.waitForLine("\"leader\"");
        ASSERT_TRUE(won) << client.errors();
        EXPECT_EQ(member(*won, "term"), "7");
        client.signal(number);
        EXPECT_EQ(client.wait(), 128 + number);
        EXPECT_EQ(lastEvent(client), "released");
        EXPECT_EQ(lastReason(client), "signal");
        checkLines(client);
    }
}

TEST_F(HoldTest, ALockIsHeldByASessionOfItsOwn)
{
    ClientProcess client(lock(), variables());
    const auto won = client.waitForLine("\"acquired\"");
    ASSERT_TRUE(won) << client.errors();
    EXPECT_EQ(member(*won, "term"), "9");
    client.signal(SIGTERM);
    EXPECT_EQ(client.wait(), 143);
    EXPECT_EQ(lastEvent(client), "released");
    EXPECT_EQ(_server.count("POST", "/sessions"), 1U);
    EXPECT_EQ(_server.count("POST", "/locks/jobs%2Fimport/release"), 1U);
    EXPECT_EQ(_server.count("DELETE", std::string("/sessions/") + scriptedSession), 1U);
    checkLines(client);
}

TEST_F(HoldTest, EveryCampaignHasTheSameKey)
{
    int campaigns = 0;
    _server.setHandler(
        [&](const SeenRequest& request)
        {
            if (endsWith(request.path, "/campaign") && ++campaigns == 1)
                return followerReply();
            return goodReply(request);
        });
    ClientProcess client(election(), variables());
    ASSERT_TRUE(client.waitForLine("\"leader\""));
    client.signal(SIGTERM);
    client.wait();
    const auto requests = _server.requests();
    const std::string key = member(requests.at(0).body, "candidate_key");
    EXPECT_GE(key.size(), 16U);
    EXPECT_EQ(member(requests.at(1).body, "candidate_key"), key);
    EXPECT_EQ(member(requests.at(0).body, "wait_seconds"), "");
    EXPECT_EQ(member(requests.at(1).body, "wait_seconds"), "50");
}

TEST_F(HoldTest, ARenewalIsAnEventWithTheNewDeadline)
{
    const auto deadlineIn = [](const std::string& line)
    {
        return std::stoll(member(line, "authority_observed_continuous_ms")) +
               std::stoll(member(line, "authority_remaining_ms"));
    };
    ClientProcess client(election({}, "12"), variables());
    const auto won = client.waitForLine("\"leader\"");
    const auto renewed = client.waitForLine("\"renewed\"");
    ASSERT_TRUE(won && renewed);
    EXPECT_GT(deadlineIn(*renewed), deadlineIn(*won));
    EXPECT_LE(std::stoi(member(*renewed, "authority_remaining_ms")), 9600);
    checkLines(client);
}

TEST_F(HoldTest, AClosedOutputReleasesAndExits0)
{
    ClientProcess client(election(), variables());
    ASSERT_TRUE(client.waitForLine("\"leader\""));
    client.closeOutput();
    EXPECT_EQ(client.wait(), 0);
    EXPECT_EQ(_server.count("POST", std::string("/elections/") + scriptedRoom + "/resign"), 1U);
}

TEST_F(HoldTest, WaitingInVainEndsWith11)
{
    answer("/campaign", followerReply());
    ClientProcess client(election({"--acquire-timeout", "8s"}), variables());
    EXPECT_EQ(client.wait(), 11);
    ASSERT_FALSE(client.lines().empty());
    EXPECT_EQ(member(client.lines().front(), "event"), "waiting");
    EXPECT_EQ(member(client.lines().front(), "reason_code"), "follower");
    EXPECT_EQ(lastReason(client), "acquire_timeout");
    checkLines(client);
}

TEST_F(HoldTest, AnAcquireTimeoutOf0IsOneAttempt)
{
    answer("/campaign", followerReply());
    ClientProcess client(election({"--acquire-timeout", "0"}), variables());
    EXPECT_EQ(client.wait(), 11);
    EXPECT_EQ(_server.count("POST", std::string("/elections/") + scriptedRoom + "/campaign"), 1U);
}

TEST_F(HoldTest, AHoldThatWaitsCanBeStopped)
{
    answer("/campaign", followerReply(60'000));
    ClientProcess client(election(), variables());
    ASSERT_TRUE(client.waitForLine("waiting"));
    client.signal(SIGTERM);
    EXPECT_EQ(client.wait(), 143);
    checkLines(client);
}

TEST_F(HoldTest, ProofOfLossEndsWith20AtOnce)
{
    answer("/renew", errorReply(404, "lease_not_current", "\"reason\":\"gone\""));
    ClientProcess client(election({}, "12"), variables());
    EXPECT_EQ(client.wait(), 20);
    EXPECT_EQ(lastEvent(client), "lost");
    EXPECT_EQ(lastReason(client), "lease_not_current");
    checkLines(client);
}

TEST_F(HoldTest, ARenewalOfAnotherTermIsLoss)
{
    answer("/renew", leaderReply(8));
    ClientProcess client(election({}, "12"), variables());
    EXPECT_EQ(client.wait(), 20);
    EXPECT_EQ(lastEvent(client), "lost");
}

TEST_F(HoldTest, RenewalsThatFailTillTheDeadlineEndWith20)
{
    answer("/renew", errorReply(503, "internal_error", "\"retry_after_ms\":1000"));
    ClientProcess client(election({}, "16"), variables());
    const auto won = client.waitForLine("\"leader\"");
    ASSERT_TRUE(won);
    EXPECT_EQ(client.wait(), 20);
    EXPECT_EQ(lastEvent(client), "uncertain");
    // 0.8 of the TTL after it was sent, not after the answer, and not a TTL later.
    const auto at = std::stoll(member(*won, "authority_observed_continuous_ms"));
    EXPECT_LE(std::stoll(member(*won, "authority_remaining_ms")), 12'800);
    EXPECT_GT(at, 0);
    EXPECT_GE(_server.count("POST", std::string("/elections/") + scriptedRoom + "/renew"), 2U);
    checkLines(client);
}

TEST_F(HoldTest, AReleaseThatIsNotConfirmedEndsWith20)
{
    answer("/resign", errorReply(503, "internal_error"));
    ClientProcess client(election({}, "5", "2s"), variables());
    ASSERT_TRUE(client.waitForLine("\"leader\""));
    client.signal(SIGTERM);
    EXPECT_EQ(client.wait(), 20);
    EXPECT_EQ(lastEvent(client), "uncertain");
    checkLines(client);
}

TEST_F(HoldTest, ARepeatedReleaseThatNamesOurTermIsConfirmed)
{
    answer("/resign",
           errorReply(404, "lease_not_current", "\"reason\":\"gone\",\"ended\":{\"term\":7}"));
    ClientProcess client(election(), variables());
    ASSERT_TRUE(client.waitForLine("\"leader\""));
    client.signal(SIGTERM);
    EXPECT_EQ(client.wait(), 143);
    EXPECT_EQ(lastEvent(client), "released");
}

TEST_F(HoldTest, WhatCannotGetBetterEndsWith64)
{
    answer("/acquire", errorReply(401, "authentication_failed"));
    ClientProcess client(lock(), variables());
    EXPECT_EQ(client.wait(), 64);
    EXPECT_EQ(lastEvent(client), "error");
    EXPECT_EQ(lastReason(client), "authentication_failed");
    checkLines(client);
}

TEST_F(HoldTest, WhatMayGetBetterIsTriedAgain)
{
    int campaigns = 0;
    _server.setHandler(
        [&](const SeenRequest& request)
        {
            if (endsWith(request.path, "/campaign") && ++campaigns <= 2)
                return errorReply(campaigns == 1 ? 503 : 429,
                                  campaigns == 1 ? "internal_error" : "rate_limited");
            return goodReply(request);
        });
    ClientProcess client(election(), variables());
    ASSERT_TRUE(client.waitForLine("\"leader\""));
    ASSERT_EQ(client.lines().size(), 3U);
    EXPECT_EQ(member(client.lines()[0], "reason_code"), "internal_error");
    EXPECT_EQ(member(client.lines()[1], "reason_code"), "rate_limited");
    checkLines(client);
}

TEST_F(HoldTest, AnUnreachableServerInOneAttemptEndsWith70)
{
    _server.stop();
    ClientProcess client(election({"--acquire-timeout", "0"}), variables());
    EXPECT_EQ(client.wait(), 70);
    EXPECT_EQ(lastEvent(client), "error");
}

TEST_F(HoldTest, AHostThatDoesNotExistIsSaidAtOnce)
{
    auto settings = variables();
    settings["OCTOSTORE_URL"] = "https://no-such-host.invalid";
    ClientProcess client(election({"--acquire-timeout", "20s"}), settings);
    // A resolver that cannot be asked is another thing: that may get better.
    const int code = client.wait();
    EXPECT_TRUE(code == 64 || code == 11) << code;
    EXPECT_NE(client.errors().find("no-such-host.invalid"), std::string::npos);
}

TEST_F(HoldTest, WrongUsageEndsWith64AndSendsNothing)
{
    const std::vector<ClientProcess::Words> wrong{
        {"election", "hold"},
        {"election", "hold", scriptedRoom},
        {"election", "hold", scriptedRoom, "--candidate", "a", "--ttl", "4"},
        {"election", "hold", scriptedRoom, "--candidate", "a", "--ttl", "5500ms"},
        {"election", "hold", scriptedRoom, "--candidate", "a", "--ttl", "301"},
        {"election", "hold", scriptedRoom, "--cand", "a"},
        {"election", "hold", scriptedRoom, "--candidate", "a", "--token", "x"},
        {"election", "hold", scriptedRoom, "more", "--candidate", "a"},
        {"election", "hold", scriptedRoom, "--candidate", "a", "--acquire-timeout", "x"},
        {"election", "hold", scriptedRoom, "--candidate", "a", "--server", "ftp://a"},
        {"election", "hold", scriptedRoom, "--candidate", "a", "--server", "http://10.0.0.1"},
        {"election", "nothing"},
        {"lock"},
        {"lock", "hold", "a", "--ttl", "0"},
        {"lock", "status", "a", "--server", "http://locks.example"},
    };
    for (const auto& words : wrong)
    {
        ClientProcess client(words, variables());
        EXPECT_EQ(client.wait(), 64) << testing::PrintToString(words) << client.errors();
        EXPECT_NE(client.errors(), "");
    }
    EXPECT_TRUE(_server.requests().empty());
}

TEST_F(HoldTest, ALockNeedsAServerAndAToken)
{
    ClientProcess noServer(lock(), {{"OCTOSTORE_TOKEN", "secret"}});
    EXPECT_EQ(noServer.wait(), 64);
    ClientProcess noToken(lock(), {{"OCTOSTORE_URL", _server.url()}});
    EXPECT_EQ(noToken.wait(), 64);
    EXPECT_TRUE(_server.requests().empty());
}

TEST_F(HoldTest, ATokenComesFromAFileOrFromStandardInput)
{
    auto settings = variables();
    settings["OCTOSTORE_TOKEN_FILE"] = write("token", "from-file\n");
    ClientProcess file({"lock", "status", "a"}, settings);
    file.wait();
    EXPECT_EQ(_server.requests().at(0).headers.at("authorization"), "Bearer from-file");
    EXPECT_EQ(file.errors().find("warning"), std::string::npos);
    settings["OCTOSTORE_TOKEN_FILE"] = "-";
    ClientProcess input({"lock", "status", "a"}, settings, "from-stdin\n");
    input.wait();
    EXPECT_EQ(_server.requests().at(1).headers.at("authorization"), "Bearer from-stdin");
}

TEST_F(HoldTest, AProxyIsNotUsedForLoopback)
{
    auto settings = variables();
    settings["HTTP_PROXY"] = settings["http_proxy"] = "http://127.0.0.1:1";
    ClientProcess client(election(), settings);
    EXPECT_TRUE(client.waitForLine("\"leader\"")) << client.errors();
}

TEST_F(HoldTest, ARedirectIsNotFollowed)
{
    ScriptedReply reply;
    reply.status = 307;
    reply.headers = {"Location: " + _server.url() + "/elsewhere"};
    answer("/campaign", reply);
    ClientProcess client(election(), variables());
    EXPECT_EQ(client.wait(), 64);
    EXPECT_EQ(lastReason(client), "redirected");
    EXPECT_EQ(_server.count("POST", "/elsewhere"), 0U);
}

} // namespace octostore::test
