// SPDX-License-Identifier: MIT
// Goal: whatever a network does to answers, a hold neither strands the room nor believes too much.
// Method: the real server behind a proxy that spoils answers after the server has acted.
#include "CliTest.h"
#include "RealServer.h"

#include <algorithm>
#include <csignal>
#include <map>
#include <memory>
#include <vector>

namespace octostore::test
{

using namespace std::chrono_literals;

class HostileTest : public CliTest
{
protected:
    void SetUp() override
    {
        CliTest::SetUp();
        _server = std::make_unique<RealServer>(_directory);
    }
    void TearDown() override
    {
        _server.reset();
        CliTest::TearDown();
    }

    ClientProcess::Words election(const std::string& room, const std::string& candidate = "a",
                                  const std::string& ttl = "300") const
    {
        return {"election",           "hold", room,    "--candidate", candidate, "--ttl", ttl,
                "--shutdown-timeout", "60s",  "--json"};
    }
    ClientProcess::Variables variables() const
    {
        return {{"OCTOSTORE_URL", _server->url()},
                {"TMPDIR", _directory.string()},
                {"OCTOSTORE_TOKEN_FILE", write("token", ServerProcess::aliceToken)}};
    }
    /// The first request whose line has `part` in it suffers.
    void spoilFirst(const std::string& part, Mischief mischief)
    {
        auto done = std::make_shared<bool>(false);
        _server->proxy().setChoice(
            [part, mischief, done](const std::string& request)
            {
                if (*done || request.find(part) == std::string::npos)
                    return Mischief::None;
                *done = true;
                return mischief;
            });
    }
    void spoilAll(const std::string& part, Mischief mischief)
    {
        _server->proxy().setChoice(
            [part, mischief](const std::string& request)
            { return request.find(part) == std::string::npos ? Mischief::None : mischief; });
    }
    std::string termOf(const std::string& room) const
    {
        ClientProcess status({"election", "status", room, "--json"}, variables());
        status.wait();
        const auto object = readJson(status.lines().empty() ? "{}" : status.lines()[0]);
        if (!object || object->count("leader") == 0)
            return "none";
        return std::to_string(*object->at("leader").asObject()->at("term").asInteger());
    }

    static constexpr Mischief broken[] = {Mischief::DropAnswer, Mischief::HalfClose,
                                          Mischief::TruncateJson, Mischief::Oversize};

    std::unique_ptr<RealServer> _server;
};

TEST_F(HostileTest, ALostCampaignAnswerDoesNotStrandTheRoom)
{
    int number = 0;
    for (const Mischief mischief : broken)
    {
        const std::string room = "hostile-campaign-" + std::to_string(++number);
        spoilFirst("/campaign", mischief);
        ClientProcess client(election(room), variables());
        const auto won = client.waitForLine("\"leader\"");
        // Found again by its key: nobody waits here as long as the TTL.
        ASSERT_TRUE(won) << number << client.errors();
        EXPECT_EQ(termOf(room), member(*won, "term"));
        client.signal(SIGTERM);
        EXPECT_EQ(client.wait(), 143);
        EXPECT_EQ(termOf(room), "none");
    }
}

TEST_F(HostileTest, ALostAcquireAnswerDoesNotStrandTheLock)
{
    spoilFirst("/acquire", Mischief::DropAnswer);
    ClientProcess client({"lock", "hold", "jobs/import", "--ttl", "300", "--json"}, variables());
    ASSERT_TRUE(client.waitForLine("\"acquired\"")) << client.errors();
    client.signal(SIGTERM);
    EXPECT_EQ(client.wait(), 143);
}

TEST_F(HostileTest, ASpoiltRenewalIsTriedAgain)
{
    // All at once: each waits for its renewal.
    const std::map<std::string, Mischief> spoils = {{"drop", Mischief::DropAnswer},
                                                    {"half", Mischief::HalfClose},
                                                    {"truncate", Mischief::TruncateJson},
                                                    {"oversize", Mischief::Oversize},
                                                    {"swallow", Mischief::Swallow}};
    _server->proxy().setChoice(
        [left = spoils](const std::string& request) mutable
        {
            const auto found =
                std::find_if(left.begin(), left.end(),
                             [&request](const auto& spoil)
                             { return request.find(spoil.first + "/renew") != std::string::npos; });
            return found == left.end() ? Mischief::None : left.extract(found).mapped();
        });
    std::vector<std::unique_ptr<ClientProcess>> clients;
    for (const auto& spoil : spoils)
        clients.push_back(std::make_unique<ClientProcess>(
            election("hostile-renewal-" + spoil.first, "a", "20"), variables()));
    for (const auto& client : clients)
        EXPECT_TRUE(client->waitForLine("\"renewed\"")) << client->output();
    for (const auto& client : clients)
    {
        client->signal(SIGTERM);
        EXPECT_EQ(client->wait(), 143) << client->output();
    }
}

TEST_F(HostileTest, RenewalsWhoseAnswersAreAllLostEndInUncertainty)
{
    // The server has extended the lease each time: the client must not believe in it.
    spoilAll("/renew", Mischief::DropAnswer);
    ClientProcess client(election("hostile-uncertain", "a", "5"), variables());
    EXPECT_EQ(client.wait(), 20);
    EXPECT_EQ(member(client.lines().back(), "event"), "uncertain");
}

TEST_F(HostileTest, ADelayedRenewalCountsFromWhenItWasSent)
{
    _server->proxy().setDelay(600ms);
    spoilAll("/renew", Mischief::Delay);
    ClientProcess client(election("hostile-delay", "a", "12"), variables());
    const auto renewed = client.waitForLine("\"renewed\"");
    ASSERT_TRUE(renewed) << client.output();
    EXPECT_LE(std::stoi(member(*renewed, "authority_remaining_ms")), 9000);
    client.signal(SIGTERM);
    EXPECT_EQ(client.wait(), 143);
}

TEST_F(HostileTest, ALostResignAnswerIsAskedForAgain)
{
    int number = 0;
    for (const Mischief mischief : broken)
    {
        const std::string room = "hostile-resign-" + std::to_string(++number);
        spoilFirst("/resign", mischief);
        ClientProcess client(election(room), variables());
        ASSERT_TRUE(client.waitForLine("\"leader\""));
        client.signal(SIGTERM);
        EXPECT_EQ(client.wait(), 143) << number << client.output();
        EXPECT_EQ(member(client.lines().back(), "event"), "released");
    }
}

TEST_F(HostileTest, AHoldStoppedWhileItsCampaignIsUnansweredLeavesNoLeader)
{
    spoilAll("/campaign", Mischief::None);
    ClientProcess first(election("hostile-stop", "a"), variables());
    ASSERT_TRUE(first.waitForLine("\"leader\""));
    ClientProcess second(election("hostile-stop", "b"), variables());
    ASSERT_TRUE(second.waitForLine("follower"));
    second.signal(SIGTERM);
    EXPECT_EQ(second.wait(), 143);
    first.signal(SIGTERM);
    EXPECT_EQ(first.wait(), 143);
    EXPECT_EQ(termOf("hostile-stop"), "none");
}

TEST_F(HostileTest, AReleaseHandsOverToTheOneThatWaits)
{
    ClientProcess first(election("hand-over", "a"), variables());
    const auto before = first.waitForLine("\"leader\"");
    ASSERT_TRUE(before);
    ClientProcess second(election("hand-over", "b"), variables());
    ASSERT_TRUE(second.waitForLine("follower"));
    first.signal(SIGTERM);
    const auto after = second.waitForLine("\"leader\""); // nobody waits here as long as the TTL
    ASSERT_TRUE(after);
    EXPECT_GT(std::stoll(member(*after, "term")), std::stoll(member(*before, "term")));
    EXPECT_EQ(first.wait(), 143);
}

TEST_F(HostileTest, TwoHoldsOfOneLockWithOneTokenContend)
{
    ClientProcess first({"lock", "hold", "jobs/one", "--json"}, variables());
    ASSERT_TRUE(first.waitForLine("\"acquired\"")) << first.errors();
    ClientProcess second({"lock", "hold", "jobs/one", "--acquire-timeout", "0", "--json"},
                         variables());
    EXPECT_EQ(second.wait(), 11);
    ClientProcess status({"lock", "status", "jobs/one"}, variables());
    EXPECT_EQ(status.wait(), 0);
    first.signal(SIGTERM);
    EXPECT_EQ(first.wait(), 143);
    ClientProcess free({"lock", "status", "jobs/one"}, variables());
    EXPECT_EQ(free.wait(), 1);
}

TEST_F(HostileTest, ACommandRunsUnderALock)
{
    ClientProcess client({"run", "--lock", "jobs/run", "--", "sh", "-c", "echo $OCTOSTORE_TERM"},
                         variables());
    EXPECT_EQ(client.wait(), 0) << client.errors();
    EXPECT_GT(std::stoll(client.output()), 0);
    ClientProcess free({"lock", "status", "jobs/run"}, variables());
    EXPECT_EQ(free.wait(), 1);
}

} // namespace octostore::test
