// SPDX-License-Identifier: MIT
// Goal: whatever was answered before a SIGKILL is there after it.
// Method: clients load the server; one of them kills it right after an answer drawn by lot, while
// the requests of the others are under way. The next run must know every lease that was answered,
// every end that was answered, and give only higher terms. Twenty times on the same file.
#include "CrashFixture.h"
#include "support/TestSeed.h"

#include <algorithm>
#include <iostream>
#include <random>
#include <set>
#include <vector>

namespace octostore::test
{
namespace
{

constexpr int rounds = 20;
constexpr unsigned clients = 8;
constexpr std::uint64_t answersMax = 300;

/// What a client was told.
struct Lock
{
    std::string_view holder; ///< by its token
    std::string name;
    std::string lease;
    std::int64_t term = 0;
    bool released = false;
};

class CrashLoopTest : public CrashFixture<Lock>
{
protected:
    void SetUp() override { RecordProperty("seed", std::to_string(_seed)); }

    void load(int round, unsigned number, Left& left, std::vector<Lock>& told)
    {
        const std::string_view holder = number % 2 == 0 ? alice : bob;
        ServerClient connection = client(holder);
        for (int i = 0;; ++i)
        {
            Lock lock;
            lock.holder = holder;
            lock.name = "crash/" + std::to_string(round) + "/" + std::to_string(number) + "/" +
                        std::to_string(i);
            const auto acquired =
                connection.post("/locks/" + lock.name + "/acquire", R"({"ttl_seconds":3600})");
            if (!acquired)
                return;
            ASSERT_EQ(acquired->text("status"), "acquired") << acquired->body;
            lock.lease = acquired->text("lease_id");
            lock.term = acquired->number("fencing_token");
            told.push_back(lock);
            killAfterTheLast(left);
            if (i % 4 != 3)
                continue;
            const auto released = connection.post("/locks/" + lock.name + "/release",
                                                  "{\"lease_id\":\"" + lock.lease + "\"}");
            if (!released)
            {
                told.pop_back(); // either may have happened
                return;
            }
            ASSERT_EQ(released->status, 200) << released->body;
            told.back().released = true;
            killAfterTheLast(left);
        }
    }

    /// Asks the server that runs now about what its predecessors answered. Of the locks that are
    /// held every `stride`th is renewed as well: each of these waits for the disk.
    void expectKnown(const std::vector<Lock>& locks, std::size_t stride)
    {
        ServerClient asAlice = client(alice);
        ServerClient asBob = client(bob);
        for (std::size_t i = 0; i < locks.size(); ++i)
        {
            const Lock& lock = locks[i];
            SCOPED_TRACE(lock.name);
            ServerClient& holder = lock.holder == alice ? asAlice : asBob;
            const ServerAnswer status = expectAnswer(holder.get("/locks/" + lock.name));
            EXPECT_EQ(status.number("fencing_token"), lock.term) << status.body;
            EXPECT_EQ(status.text("status"), lock.released ? "free" : "held");
            if (!lock.released && i % stride != 0)
                continue;
            const ServerAnswer renewed = expectAnswer(
                holder.post("/locks/" + lock.name + "/renew",
                            "{\"lease_id\":\"" + lock.lease + "\",\"ttl_seconds\":3600}"));
            EXPECT_EQ(renewed.status, lock.released ? 404 : 200) << renewed.body;
            if (lock.released)
            {
                EXPECT_NE(renewed.body.find("\"cause\":\"released\""), renewed.body.npos);
            }
        }
    }

    const std::uint64_t _seed = testSeed();
    const ServerProcess::Properties _properties = {{"locks.per_principal_max", "1000000"}};
};

TEST_F(CrashLoopTest, NothingThatWasAnsweredIsLost)
{
    SCOPED_TRACE("seed " + std::to_string(_seed));
    std::mt19937_64 random(_seed);
    std::int64_t highest = 0;
    std::set<std::int64_t> terms;
    std::vector<Lock> everything;
    for (int round = 0; round < rounds && !HasFailure(); ++round)
    {
        SCOPED_TRACE("round " + std::to_string(round));
        start(_properties);
        if (HasFatalFailure())
            return;
        const std::vector<Lock> told =
            loadUntilKilled(clients, 1 + random() % answersMax,
                            [this, round](unsigned number, Left& left, std::vector<Lock>& some)
                            { load(round, number, left, some); });

        start(_properties);
        if (HasFatalFailure())
            return;
        expectKnown(told, 3);
        for (const Lock& lock : told)
        {
            EXPECT_TRUE(terms.insert(lock.term).second) << "term " << lock.term << " given twice";
            highest = std::max(highest, lock.term);
        }
        everything.insert(everything.end(), told.begin(), told.end());
        ServerClient next = client(alice);
        const ServerAnswer after =
            expectAnswer(next.post("/locks/after/" + std::to_string(round) + "/acquire", "{}"));
        EXPECT_GT(after.number("fencing_token"), highest);
        highest = std::max(highest, after.number("fencing_token"));
        killServer();
    }
    start(_properties);
    if (!HasFatalFailure())
        expectKnown(everything, 20);
    std::cout << "seed " << _seed << ", " << everything.size() << " acquisitions, highest term "
              << highest << '\n';
}

} // namespace
} // namespace octostore::test
