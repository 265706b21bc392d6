// SPDX-License-Identifier: MIT
// Goal: whatever moment the server is killed in, no ephemeral lock outlives its session.
// Method: clients open sessions, take locks in them and close them; the server gets a SIGKILL after
// a number of answers drawn by lot, and the next run on the same file is asked about every session
// and every lock. Twenty times.
#include "CrashFixture.h"
#include "support/TestSeed.h"

#include <random>
#include <vector>

namespace octostore::test
{
namespace
{

constexpr int rounds = 20;
constexpr unsigned clients = 6;
constexpr std::uint64_t answersMax = 250;
constexpr int locksEach = 5;

/// What a client was told of one session.
struct Told
{
    std::string_view owner;
    std::string session;
    std::vector<std::string> locks;
    bool closing = false; ///< asked to close it; the answer may be lost
    bool closed = false;
};

class SessionCrashTest : public CrashFixture<Told>
{
protected:
    void SetUp() override { RecordProperty("seed", std::to_string(_seed)); }

    void load(int round, unsigned number, Left& left, std::vector<Told>& told)
    {
        const std::string_view owner = number % 2 == 0 ? alice : bob;
        ServerClient connection = client(owner);
        for (int i = 0;; ++i)
        {
            const auto opened = connection.post("/sessions", R"({"ttl_seconds":300})");
            if (!opened)
                return;
            told.push_back({owner, opened->text("session_id"), {}});
            killAfterTheLast(left);
            const std::string prefix = "session/" + std::to_string(round) + "/" +
                                       std::to_string(number) + "/" + std::to_string(i) + "/";
            if (!takeLocks(connection, prefix, told.back(), left))
                return;
            if (i % 3 == 2)
                continue; // this one stays open
            ServerQuestion close;
            close.method = "DELETE";
            close.target = "/sessions/" + told.back().session;
            told.back().closing = true;
            const auto closed = connection.ask(close);
            if (!closed)
                return;
            EXPECT_EQ(closed->status, 204) << closed->body;
            told.back().closed = true;
            killAfterTheLast(left);
        }
    }

    bool takeLocks(ServerClient& connection, const std::string& prefix, Told& told, Left& left)
    {
        for (int i = 0; i < locksEach; ++i)
        {
            // Asked for is enough: the answer may be lost and the lock be there.
            told.locks.push_back(prefix + std::to_string(i));
            const auto acquired = connection.post(
                "/locks/" + told.locks.back() + "/acquire",
                R"({"ephemeral":true,"ttl_seconds":3600,"session_id":")" + told.session + "\"}");
            if (!acquired)
                return false;
            // Whoever keeps sessions open reaches its limit; that is no lock.
            if (acquired->status == 403)
                told.locks.pop_back();
            else
            {
                EXPECT_EQ(acquired->text("status"), "acquired") << acquired->body;
            }
            killAfterTheLast(left);
        }
        return true;
    }

    /// What the server says now must fit what was told before it died.
    void check(const std::vector<Told>& told)
    {
        ServerClient asAlice = client(alice);
        ServerClient asBob = client(bob);
        for (const Told& one : told)
        {
            ServerClient& owner = one.owner == alice ? asAlice : asBob;
            const ServerAnswer session = expectAnswer(owner.get("/sessions/" + one.session));
            EXPECT_TRUE(!one.closed || session.status == 404) << session.body;
            EXPECT_TRUE(one.closing || session.status == 200) << "an open session was forgotten";
            const bool live = session.status == 200;
            for (std::size_t i = 0; i < one.locks.size(); ++i)
            {
                const ServerAnswer lock = expectAnswer(owner.get("/locks/" + one.locks[i]));
                if (!live)
                {
                    EXPECT_EQ(lock.text("status"), "free")
                        << one.locks[i] << " outlived its session";
                }
                else if (i + 1 < one.locks.size())
                {
                    EXPECT_EQ(lock.text("status"), "held") << one.locks[i] << " was answered";
                }
            }
            // Makes room below the limits for the next round.
            if (live)
                close(owner, one);
        }
    }
    static void close(ServerClient& owner, const Told& one)
    {
        ServerQuestion question;
        question.method = "DELETE";
        question.target = "/sessions/" + one.session;
        EXPECT_EQ(expectAnswer(owner.ask(question)).status, 204);
        for (const std::string& lock : one.locks)
            EXPECT_EQ(expectAnswer(owner.get("/locks/" + lock)).text("status"), "free");
    }

    const std::uint64_t _seed = testSeed();
};

TEST_F(SessionCrashTest, NoEphemeralLockOutlivesItsSession)
{
    std::mt19937_64 random(_seed);
    for (int round = 0; round < rounds; ++round)
    {
        start();
        ASSERT_FALSE(HasFatalFailure());
        const std::vector<Told> told =
            loadUntilKilled(clients, 1 + random() % answersMax,
                            [this, round](unsigned number, Left& left, std::vector<Told>& some)
                            { load(round, number, left, some); });
        start();
        ASSERT_FALSE(HasFatalFailure());
        check(told);
        killServer();
        if (HasFailure())
            break;
    }
}

} // namespace
} // namespace octostore::test
