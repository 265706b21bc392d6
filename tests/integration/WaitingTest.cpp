// SPDX-License-Identifier: MIT
// Goal: programs that wait are served in their turn, whatever happens to those around them.
// Method: each waits on a connection of its own; a scout behind them tells when they are in the
// queue. One answer after the other is awaited on all connections at once, so the order in which
// they are served is seen as it is.
#include "WaitingFixture.h"
#include "support/TestSeed.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <random>
#include <set>
#include <thread>

namespace octostore::test
{
namespace
{

using namespace std::chrono_literals;

/// A program that does not wait but asks again and again. It stops with its scope.
class Newcomer
{
public:
    Newcomer(std::uint16_t port, std::string_view token, std::string lock)
        : _client(port, token), _lock(std::move(lock)), _thread([this] { askAgainAndAgain(); })
    {
    }
    ~Newcomer() { stop(); }

    void stop()
    {
        _stop = true;
        if (_thread.joinable())
            _thread.join();
    }
    /// After stop(): how often it was told `status`.
    std::size_t told(const std::string& status) const
    {
        return static_cast<std::size_t>(std::count(_told.begin(), _told.end(), status));
    }
    std::size_t asked() const { return _told.size(); }

private:
    void askAgainAndAgain()
    {
        do // once at least
        {
            const auto answer = _client.post("/locks/" + _lock + "/acquire", "{}");
            _told.push_back(answer ? answer->text("status") : answer.error().message);
        } while (!_stop);
    }

    ServerClient _client;
    const std::string _lock;
    std::vector<std::string> _told; ///< of the thread, until it has ended
    std::atomic<bool> _stop{false};
    std::thread _thread; ///< last: it uses the others
};

/// How a hundred programs come: in groups, each after the one before is in the queue.
struct Arrivals
{
    explicit Arrivals(std::uint64_t seed) : random(seed)
    {
        std::uniform_int_distribution<int> size(1, 18);
        while (static_cast<int>(groups.size()) < total)
            groups.insert(groups.end(),
                          std::min<std::size_t>(static_cast<std::size_t>(size(random)),
                                                total - groups.size()),
                          groups.empty() ? 0 : groups.back() + 1);
        // Not in the last group: when its lease has run out nobody keeps the newcomer away.
        std::vector<int> early;
        for (int i = 0; i < total && groups[static_cast<std::size_t>(i)] < groups.back(); ++i)
            early.push_back(i);
        std::shuffle(early.begin(), early.end(), random);
        early.resize(std::min<std::size_t>(early.size(), expiriesMax));
        runOut.insert(early.begin(), early.end());
    }

    static constexpr int total = 100;
    static constexpr std::size_t expiriesMax = 5;
    std::mt19937_64 random;
    std::vector<int> groups; ///< of each program; it does not sink
    std::set<int> runOut;    ///< these let their lease run out
};

class WaitingTest : public WaitingFixture
{
protected:
    static constexpr std::chrono::milliseconds clockGrain{50};
    static constexpr std::chrono::seconds placeKeptFor{5}; ///< by the server, for one that left

    /// All of them, when they are in the queue of the lock.
    Waiters queueUp(const std::string& lock, const Arrivals& arrivals)
    {
        Waiters waiters;
        QueueScout scout(_port, bob, lock);
        for (int i = 0; i < Arrivals::total; ++i)
        {
            const auto at = static_cast<std::size_t>(i);
            if (i > 0 && arrivals.groups[at] != arrivals.groups[at - 1])
            {
                EXPECT_TRUE(scout.sees(at)) << i << " are not in the queue";
            }
            waiters.push_back(await(lock, token(i), arrivals.runOut.count(i) > 0 ? 1 : 60));
        }
        EXPECT_TRUE(scout.sees(Arrivals::total));
        return waiters;
    }
    /// A waiter is cut, comes back twice and gets the lock in its turn. False: it took so long that
    /// its place was not kept for it, as the machine stood still.
    bool comesBack(const std::string& lock)
    {
        const ServerAnswer held = hold(lock);
        QueueScout scout(_port, bob, lock);
        const auto cut = await(lock, token(0));
        EXPECT_TRUE(scout.sees(1));
        const auto later = await(lock, token(1));
        EXPECT_TRUE(scout.sees(2));

        const auto left = Clock::now();
        EXPECT_TRUE(cut->leave());
        const auto leftAgain = Clock::now() + 1s; // or later, when it has waited for a second
        const auto told = await(lock, token(0), 60, 1);
        const ServerAnswer early = expectAnswer(*told);
        if (Clock::now() - left > placeKeptFor)
            return false;
        EXPECT_EQ(early.number("queue_position"), 0);
        const auto again = await(lock, token(0));
        EXPECT_TRUE(scout.sees(2)); // by then it has been asked for a second at least
        if (Clock::now() - leftAgain > placeKeptFor)
            return false;
        release(lock, alice, held);

        const ServerAnswer first = expectAnswer(*again);
        EXPECT_EQ(first.text("status"), "acquired") << first.body;
        EXPECT_FALSE(later->readable(0ms));
        release(lock, token(0), first);
        const ServerAnswer second = expectAnswer(*later);
        EXPECT_EQ(second.text("status"), "acquired") << second.body;
        EXPECT_GT(second.number("fencing_token"), first.number("fencing_token"));
        return true;
    }
    std::unique_ptr<OpenConnection> campaign(const std::string& candidate,
                                             const std::string& more = {}) const
    {
        auto connection = std::make_unique<OpenConnection>(_port);
        connection->ask("/elections/room-0001/campaign",
                        "{\"candidate_id\":\"" + candidate + "\"" + more + "}");
        return connection;
    }
};

TEST_P(WaitingTest, AHundredAreServedInTheOrderInWhichTheyCame)
{
    const std::uint64_t seed = testSeed();
    RecordProperty("seed", std::to_string(seed));
    Arrivals arrivals(seed);
    const ServerAnswer last = hold("a");
    Waiters waiters = queueUp("a", arrivals);
    std::vector<int> waiting(Arrivals::total);
    for (std::size_t i = 0; i < waiting.size(); ++i)
        waiting[i] = static_cast<int>(i);

    Newcomer newcomer(_port, carol, "a");
    release("a", alice, last);
    // Fencing tokens say in which order they were served. When this process stands still several
    // answers are there at once.
    std::map<std::int64_t, int> groupOf;
    while (!waiting.empty())
    {
        const auto next = OpenConnection::firstReadable(waiters);
        ASSERT_TRUE(next) << waiting.size() << " still wait";
        const ServerAnswer served = expectAnswer(*waiters[*next]);
        const int program = waiting[*next];
        ASSERT_EQ(served.text("status"), "acquired") << served.body;
        EXPECT_GT(served.number("fencing_token"), last.number("fencing_token"));
        const bool fresh = groupOf
                               .emplace(served.number("fencing_token"),
                                        arrivals.groups[static_cast<std::size_t>(program)])
                               .second;
        EXPECT_TRUE(fresh) << served.body;
        waiters.erase(waiters.begin() + static_cast<std::ptrdiff_t>(*next));
        waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(*next));
        if (waiting.empty())
            newcomer.stop();
        for (auto doing = arrivals.random() % 4; doing > 0; --doing)
            EXPECT_EQ(expectAnswer(client(bob).get("/locks/a")).text("status"), "held");
        if (arrivals.runOut.count(program) == 0)
            release("a", token(program), served);
    }
    EXPECT_TRUE(std::is_sorted(groupOf.begin(), groupOf.end(),
                               [](const auto& one, const auto& next)
                               { return one.second < next.second; }))
        << "somebody was served after one that came later";
    EXPECT_GT(newcomer.asked(), 0U);
    EXPECT_EQ(newcomer.told("held"), newcomer.asked());
}

TEST_P(WaitingTest, AWaiterThatLeftIsPassedOver)
{
    const ServerAnswer held = hold("a");
    QueueScout scout(_port, bob, "a");
    const auto first = await("a", token(0));
    ASSERT_TRUE(scout.sees(1));
    const auto second = await("a", token(1));
    ASSERT_TRUE(scout.sees(2));

    ASSERT_TRUE(first->leave());
    EXPECT_FALSE(second->readable(0ms));
    release("a", alice, held);
    const ServerAnswer served = expectAnswer(*second);
    EXPECT_EQ(served.text("status"), "acquired") << served.body;
    const ServerAnswer seen = expectAnswer(client(token(0)).post("/locks/a/acquire", "{}"));
    EXPECT_EQ(seen.text("status"), "held") << seen.body;
    EXPECT_GE(served.number("waited_ms"), 1000) << "a look of the scout takes a second";
}

TEST_P(WaitingTest, AWaiterWhoseConnectionWasCutHasItsPlaceAgain)
{
    bool inTime = false;
    for (int tries = 0; tries < 20 && !inTime && !HasFailure(); ++tries)
        inTime = comesBack("a-" + std::to_string(tries));
    EXPECT_TRUE(inTime);
}

TEST_P(WaitingTest, TheFirstCandidateLeadsWhenTheLeaderRunsOut)
{
    const std::string waits = R"(,"ttl_seconds":60,"wait_seconds":100)";
    const auto sent = Clock::now();
    const ServerAnswer leader = expectAnswer(*campaign("silent", R"(,"ttl_seconds":10)"));
    ASSERT_EQ(leader.text("status"), "leader") << leader.body;
    const auto first = campaign("first", waits);
    ServerAnswer behind;
    do // a scout without a key leaves no place behind; it may come before the first, but not twice
        behind = expectAnswer(*campaign("scout", R"(,"wait_seconds":1)"));
    while (behind.number("queue_position") == 0);
    ASSERT_EQ(behind.text("status"), "follower") << behind.body;
    ASSERT_EQ(behind.number("queue_position"), 1);
    const auto second = campaign("second", waits);

    const ServerAnswer next = expectAnswer(*first);
    EXPECT_GE(Clock::now() - sent, 10s) << "not before the deadline";
    EXPECT_EQ(next.text("status"), "leader") << next.body;
    EXPECT_GT(termOf(next), termOf(leader));
    // The scout came after the first and waited for a second until it was told what was left.
    EXPECT_GE(next.number("waited_ms"),
              behind.number("retry_after_ms") + 1000 - clockGrain.count());
    EXPECT_FALSE(second->readable(0ms));

    const ServerAnswer late =
        expectAnswer(client().post("/elections/room-0001/renew", leaderOf(leader)));
    EXPECT_GE(late.status, 400) << late.body;
    EXPECT_EQ(late.text("code"), "lease_not_current");
    EXPECT_EQ(expectAnswer(client().post("/elections/room-0001/resign", leaderOf(next))).status,
              200);
    const ServerAnswer last = expectAnswer(*second);
    EXPECT_EQ(last.text("status"), "leader") << last.body;
    EXPECT_GT(termOf(last), termOf(next));
}

INSTANTIATE_TEST_SUITE_P(Transports, WaitingTest, testing::Values(OCTOSTORE_TEST_TRANSPORTS),
                         [](const auto& chosen) { return std::string(chosen.param); });

} // namespace
} // namespace octostore::test
