// SPDX-License-Identifier: MIT
// Goal: who holds what survives the end of a process, however it ends.
#include "ServerTest.h"

#include <thread>

namespace octostore::test
{
namespace
{

class RestartTest : public ServerTest
{
protected:
    static std::string tokenBody(const ServerAnswer& leader)
    {
        return "{\"leader_token\":\"" + leader.text("leader_token") + "\"}";
    }
    ServerAnswer lead(const std::string& more = {})
    {
        return expectAnswer(
            client().post("/elections/room-0001/campaign",
                          "{\"candidate_id\":\"node-1\",\"ttl_seconds\":300" + more + "}"));
    }
    /// Whether somebody gets into the queue of the lock soon, seen from behind.
    bool isWaitedFor(const std::string& lock)
    {
        ServerClient behind = client(carol);
        for (int tries = 0; tries < 5; ++tries)
        {
            for (int i = 0; i < 50; ++i) // gives the other one time to come first
                expectAnswer(behind.get("/locks/" + lock));
            const ServerAnswer held =
                expectAnswer(behind.post("/locks/" + lock + "/acquire", R"({"wait_seconds":1})"));
            if (held.number("queue_position") > 0)
                return true;
            // We came first, and our place is kept for five seconds.
            std::this_thread::sleep_for(std::chrono::seconds(6));
        }
        return false;
    }
    int stop()
    {
        _server->signal(SIGTERM);
        return _server->waitForEnd();
    }
};

TEST_F(RestartTest, ALeaderSurvivesSigkillWithTheSameTerm)
{
    start();
    const ServerAnswer leader = lead();
    EXPECT_EQ(leader.text("status"), "leader") << leader.body;
    killServer();

    start();
    const ServerAnswer renewed =
        expectAnswer(client().post("/elections/room-0001/renew", tokenBody(leader)));
    EXPECT_EQ(renewed.status, 200) << renewed.body;
    EXPECT_EQ(termOf(renewed), termOf(leader));
    const ServerAnswer follower = lead();
    EXPECT_EQ(follower.text("status"), "follower");

    expectAnswer(client().post("/elections/room-0001/resign", tokenBody(leader)));
    EXPECT_GT(termOf(lead()), termOf(leader));
}

TEST_F(RestartTest, AKeyedCampaignFindsItsTermAgainAfterARestart)
{
    const std::string key = R"(,"candidate_key":"0123456789abcdef")";
    start();
    const ServerAnswer leader = lead(key);
    killServer();
    start();
    const ServerAnswer again = lead(key);
    EXPECT_EQ(again.text("status"), "leader");
    EXPECT_EQ(again.text("leader_token"), leader.text("leader_token"));
    EXPECT_EQ(termOf(again), termOf(leader));
}

TEST_F(RestartTest, AnEndIsRememberedAndTermsGoOnAfterACleanRestart)
{
    start();
    const ServerAnswer acquired = expectAnswer(client(alice).post("/locks/a/acquire", "{}"));
    const std::string lease = "{\"lease_id\":\"" + acquired.text("lease_id") + "\"}";
    EXPECT_EQ(expectAnswer(client(alice).post("/locks/a/release", lease)).body, "null");
    EXPECT_EQ(stop(), 0) << _server->log();

    start();
    const ServerAnswer again = expectAnswer(client(alice).post("/locks/a/release", lease));
    EXPECT_EQ(again.status, 404);
    EXPECT_NE(again.body.find("\"cause\":\"released\""), again.body.npos) << again.body;
    EXPECT_GT(expectAnswer(client(alice).post("/locks/a/acquire", "{}")).number("fencing_token"),
              acquired.number("fencing_token"));
}

TEST_F(RestartTest, AWaiterIsAnsweredWhenTheServerIsToldToStop)
{
    start();
    expectAnswer(client(alice).post("/locks/a/acquire", R"({"ttl_seconds":3600})"));
    Result<ServerAnswer> answer = Error{ErrorCode::Internal, "not asked"};
    std::thread waiter(
        [&] { answer = client(bob).post("/locks/a/acquire", R"({"wait_seconds":100})"); });
    EXPECT_TRUE(isWaitedFor("a"));
    EXPECT_EQ(stop(), 0) << _server->log();
    waiter.join();
    const ServerAnswer told = expectAnswer(answer);
    EXPECT_EQ(told.status, 503) << told.body;
    EXPECT_EQ(told.text("reason"), "draining");
}

} // namespace
} // namespace octostore::test
