// SPDX-License-Identifier: MIT
// Goal: what SIGHUP reloads counts from then on, and a configuration with a mistake changes
// nothing. Method: the real program; its file is written anew and the signal sent.
#include "ServerTest.h"

#include <chrono>
#include <string>
#include <thread>

#include <signal.h>

namespace octostore::test
{
namespace
{

using namespace std::chrono_literals;

class ReloadTest : public ServerTest
{
protected:
    using Clock = std::chrono::steady_clock;

    static constexpr const char* taken = "the configuration was read again";
    static constexpr const char* refused = "the configuration was not taken; the old one stays";
    static constexpr const char* requestsKey = "elections.requests_per_minute";
    static constexpr const char* locksKey = "locks.per_principal_max";

    /// Sends the signal and waits until the server, for the first time, has said what became of it.
    void reload(const ServerProcess::Properties& properties, const std::string& outcome)
    {
        ServerProcess::writeConfiguration(_directory.path(), properties);
        _server->signal(SIGHUP);
        const auto giveUp = Clock::now() + 100s;
        while (_server->log().find(outcome) == std::string::npos && Clock::now() < giveUp)
            std::this_thread::sleep_for(2ms);
        ASSERT_NE(_server->log().find(outcome), std::string::npos) << _server->log();
    }
    int statusOf(std::string_view token, const std::string& target, const std::string& body = "{}")
    {
        return expectAnswer(client(token).post(target, body)).status;
    }
    int acquire(std::string_view token, const std::string& name)
    {
        return statusOf(token, "/locks/" + name + "/acquire");
    }
    void expectRooms(int count)
    {
        for (int i = 0; i < count; ++i)
            EXPECT_EQ(statusOf({}, "/elections"), 201) << i;
        EXPECT_EQ(statusOf({}, "/elections"), 429);
    }
};

TEST_F(ReloadTest, ChangedLimitsCountAtOnce)
{
    start({{requestsKey, "2"}, {locksKey, "1"}});
    expectRooms(2);
    EXPECT_EQ(acquire(alice, "a"), 200);
    EXPECT_EQ(acquire(alice, "b"), 403);

    reload({{requestsKey, "5"}, {locksKey, "3"}}, taken);
    expectRooms(3);
    EXPECT_EQ(acquire(alice, "b"), 200);
    EXPECT_EQ(acquire(alice, "c"), 200);
    EXPECT_EQ(acquire(alice, "d"), 403);
}

TEST_F(ReloadTest, ATokenThatIsTakenAwayIsUnknownAtOnceAndItsLeaseRunsOut)
{
    start();
    const auto before = Clock::now();
    const ServerAnswer lease =
        expectAnswer(client(alice).post("/locks/a/acquire", R"({"ttl_seconds":2})"));
    ASSERT_EQ(lease.text("status"), "acquired") << lease.body;
    const std::string expiresAt = lease.text("expires_at");

    reload({{"auth.static.tokens", std::string("bob:") + ServerProcess::bobToken}}, taken);
    EXPECT_EQ(
        statusOf(alice, "/locks/a/renew", R"({"lease_id":")" + lease.text("lease_id") + "\"}"),
        401);
    EXPECT_EQ(expectAnswer(client(alice).get("/locks/a")).status, 401);

    const ServerAnswer next =
        expectAnswer(client(bob).post("/locks/a/acquire", R"({"wait_seconds":100})"));
    EXPECT_GE(Clock::now() - before, 2s) << "it was ended, and did not run out at " << expiresAt;
    EXPECT_EQ(next.text("status"), "acquired");
    EXPECT_GT(next.number("fencing_token"), lease.number("fencing_token"));
}

TEST_F(ReloadTest, AFileWithAMistakeChangesNothingAndSaysWhy)
{
    start({{requestsKey, "2"}, {locksKey, "1"}});
    EXPECT_EQ(acquire(alice, "a"), 200);

    reload({{requestsKey, "5"},
            {locksKey, "three"},
            {"auth.static.tokens", std::string("bob:") + ServerProcess::bobToken}},
           refused);
    const std::string log = _server->log();
    EXPECT_NE(log.find(locksKey), std::string::npos) << log;
    EXPECT_EQ(log.find(taken), std::string::npos) << log;
    EXPECT_EQ(acquire(alice, "a"), 200);
    EXPECT_EQ(acquire(alice, "b"), 403);
    expectRooms(2);
}

} // namespace
} // namespace octostore::test
