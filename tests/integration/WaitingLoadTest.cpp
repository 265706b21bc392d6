// SPDX-License-Identifier: MIT
// Goal: many that ask neither hold up the end of the server nor take a leader's term from it.
// Method: the real program; every answer is looked at, and none may be missing.
#include "WaitingFixture.h"

#include <atomic>
#include <csignal>
#include <map>
#include <thread>

namespace octostore::test
{
namespace
{

using namespace std::chrono_literals;

/// How often something was answered.
using Tally = std::map<std::string, int>;

class WaitingLoadTest : public WaitingFixture
{
protected:
    static constexpr int names = 7;

    static std::string summary(const ServerAnswer& answer)
    {
        if (answer.status == 200)
            return "200";
        if (answer.status == 503 && answer.headers.count("retry-after") > 0)
            return "503 with Retry-After";
        return std::to_string(answer.status) + " " + answer.body;
    }
    /// Asks for many locks at once, on one connection after the other, until it is told to stop.
    /// Counts in `granted` what is answered with 200.
    void flood(int account, int atOnce, const std::atomic<bool>& stop, std::atomic<int>& granted,
               Tally& tally) const
    {
        auto connection = std::make_unique<OpenConnection>(_port, token(account));
        for (int round = 0; !stop; ++round)
        {
            for (int i = 0; i < atOnce; ++i)
                connection->ask("/locks/flood-" + std::to_string((round + i) % names) + "/acquire",
                                R"({"ttl_seconds":1})");
            for (int i = 0; i < atOnce; ++i)
            {
                const auto answer = connection->answer();
                ++tally[answer ? summary(*answer) : "no answer"];
                granted += answer && answer->status == 200 ? 1 : 0;
                const bool over = !answer || (answer->headers.count("connection") > 0 &&
                                              answer->headers.at("connection") == "close");
                if (!over)
                    continue;
                connection = std::make_unique<OpenConnection>(_port, token(account));
                break;
            }
        }
    }
};

TEST_P(WaitingLoadTest, FiftyWaitersAreToldThatTheServerStops)
{
    constexpr int waitersCount = 50;
    hold("a");
    Waiters waiters;
    for (int i = 0; i < waitersCount; ++i)
        waiters.push_back(await("a", token(i)));
    ASSERT_TRUE(QueueScout(_port, bob, "a").sees(waitersCount));
    OpenConnection plain(_port, carol);
    plain.begin("/locks/b/acquire", 2);
    ASSERT_EQ(expectAnswer(plain).status, 100) << "it is read, and its body is awaited";

    _server->signal(SIGTERM);
    for (const auto& waiter : waiters)
    {
        const ServerAnswer told = expectAnswer(*waiter);
        EXPECT_EQ(told.status, 503) << told.body;
        EXPECT_EQ(told.text("reason"), "draining") << told.body;
        EXPECT_EQ(told.headers.count("retry-after"), 1U);
    }
    plain.send("{}");
    const ServerAnswer answer = expectAnswer(plain);
    if (answer.status != 200)
    {
        EXPECT_EQ(answer.status, 503) << answer.body;
        EXPECT_EQ(answer.text("reason"), "draining") << answer.body;
    }
    EXPECT_EQ(_server->waitForEnd(OpenConnection::patience), 0) << _server->log();
}

TEST_P(WaitingLoadTest, ALeaderRenewsThroughAFloodOfAcquires)
{
    constexpr int programs = 16;
    constexpr int renewals = 40;
    const std::string soon = R"(,"ttl_seconds":60)";
    ServerClient leading = client();
    const ServerAnswer leader = expectAnswer(leading.post(
        "/elections/room-0001/campaign", R"({"candidate_id":"node-1","ttl_seconds":60})"));
    ASSERT_EQ(leader.text("status"), "leader") << leader.body;

    std::atomic<bool> stop{false};
    std::atomic<int> granted{0};
    std::vector<Tally> tallies(programs);
    std::vector<std::thread> threads;
    for (int i = 0; i < programs; ++i)
        threads.emplace_back(
            [&, i] // every fourth has many questions under way
            { flood(i, i % 4 == 0 ? 25 : 1, stop, granted, tallies[std::size_t(i)]); });
    auto due = Clock::now();
    const auto giveUp = due + OpenConnection::patience;
    // Until it has been a flood, too: that takes a slow machine longer.
    for (int i = 0; i < renewals || (granted <= renewals && Clock::now() < giveUp); ++i)
    {
        std::this_thread::sleep_until(due += 100ms); // the pace of the leader
        const ServerAnswer renewed =
            expectAnswer(leading.post("/elections/room-0001/renew", leaderOf(leader, soon)));
        EXPECT_EQ(renewed.status, 200) << "renewal " << i << ": " << renewed.body;
        EXPECT_EQ(termOf(renewed), termOf(leader));
    }
    stop = true;
    for (std::thread& thread : threads)
        thread.join();

    Tally all;
    for (const Tally& tally : tallies)
    {
        for (const auto& [what, times] : tally)
            all[what] += times;
    }
    for (const auto& [what, times] : all)
        EXPECT_TRUE(what == "200" || what == "503 with Retry-After") << times << " times " << what;
    EXPECT_GT(all["200"], renewals);
}

INSTANTIATE_TEST_SUITE_P(Transports, WaitingLoadTest, testing::Values(OCTOSTORE_TEST_TRANSPORTS),
                         [](const auto& chosen) { return std::string(chosen.param); });

} // namespace
} // namespace octostore::test
