// SPDX-License-Identifier: MIT
// Goal: over real HTTP, and across kill -9, every name answers as if it did one thing after the
// other.
// Method: clients work on a few locks and rooms at once and write down what they asked and were
// told; the server is killed after a number of answers drawn by lot and started again on its file.
// What got no answer happened before its server was dead, or never. Then every history is checked.
// OCTOSTORE_TEST_ROUNDS says how often the server is killed; the seed is printed.
#include "Linearizability.h"
#include "support/TestSeed.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <thread>

#include <integration/ServerTest.h>

namespace octostore::test
{
namespace
{

constexpr int roundsByDefault = 6;
constexpr int clients = 6;
constexpr int holders = 3;
constexpr int locks = 3;
constexpr int rooms = 2;
constexpr std::uint64_t answersMax = 600;

std::int64_t now()
{
    return std::chrono::steady_clock::now().time_since_epoch().count();
}

/// Of the first `"term":` in it; 0: there is none.
std::int64_t termIn(const std::string& body)
{
    const std::size_t at = body.find("\"term\":");
    return at == std::string::npos ? 0 : std::strtoll(body.c_str() + at + 7, nullptr, 10);
}

/// Asks one kind of name. Thread-safety: thread-compatible.
class Asker
{
public:
    Asker(ServerClient& client, int holder, std::string name, bool election)
        : _client(client), _holder(holder), _name(std::move(name)), _election(election)
    {
    }

    /// Nothing when the answer says that nothing happened.
    std::optional<Operation> ask(Action action, const std::string& lease)
    {
        Operation operation{_holder, action, Told::Nothing, lease, 0, now(), 0};
        const Result<ServerAnswer> answer = action == Action::Status
                                                ? _client.get(path())
                                                : _client.post(target(action), body(action, lease));
        operation.returned = now();
        connected = answer.ok();
        if (!answer)
            return operation;
        if (answer->status == 503)
        {
            if (answer->text("reason") == "outcome_unknown")
                return operation;
            return std::nullopt;
        }
        read(*answer, operation);
        return operation;
    }

    bool connected = true;

private:
    std::string path() const { return (_election ? "/elections/" : "/locks/") + _name; }
    std::string target(Action action) const
    {
        if (action == Action::Acquire)
            return path() + (_election ? "/campaign" : "/acquire");
        if (action == Action::Renew)
            return path() + "/renew";
        return path() + (_election ? "/resign" : "/release");
    }
    std::string body(Action action, const std::string& lease) const
    {
        const std::string ttl = action == Action::Release ? "" : ",\"ttl_seconds\":300";
        if (action != Action::Acquire)
            return std::string(_election ? R"({"leader_token":")" : R"({"lease_id":")") + lease +
                   "\"" + ttl + "}";
        if (!_election)
            return R"({"ttl_seconds":300})";
        const std::string who = std::to_string(_holder);
        return R"({"candidate_id":"c)" + who + R"(","candidate_key":")" +
               std::string(42, static_cast<char>('a' + _holder)) + "A\"" + ttl + "}";
    }
    void read(const ServerAnswer& answer, Operation& operation) const
    {
        const std::string status = answer.text("status");
        operation.term = _election ? termIn(answer.body) : answer.number("fencing_token");
        if (operation.action == Action::Acquire)
        {
            operation.lease = answer.text(_election ? "leader_token" : "lease_id");
            operation.told = operation.lease.empty() ? Told::Held : Told::Granted;
            EXPECT_EQ(answer.status, 200) << answer.body;
        }
        else if (operation.action == Action::Status)
            operation.told = status == "free" || status == "vacant" ? Told::Free : Told::Held;
        else
        {
            operation.told = answer.status == 200 ? Told::Done : Told::NotCurrent;
            EXPECT_TRUE(answer.status == 200 || answer.status == 404 || answer.status == 400)
                << answer.body;
        }
    }

    ServerClient& _client;
    const int _holder;
    const std::string _name;
    const bool _election;
};

class HistoryTest : public ServerTest
{
protected:
    struct Name
    {
        std::string text;
        bool election = false;
    };

    void makeNames()
    {
        for (int i = 0; i < locks; ++i)
            _names.push_back({"history/" + std::to_string(i), false});
        ServerClient anybody = client();
        for (int i = 0; i < rooms; ++i)
        {
            ServerQuestion mint;
            mint.method = "POST";
            mint.target = "/elections";
            const ServerAnswer made = expectAnswer(anybody.ask(mint));
            ASSERT_EQ(made.status, 201) << made.body;
            _names.push_back({made.text("election_id"), true});
        }
        _histories.resize(_names.size());
    }

    /// Until the server is dead.
    void playRound(std::uint64_t answers)
    {
        std::atomic<std::uint64_t> left{answers};
        std::vector<std::vector<History>> parts(clients, std::vector<History>(_names.size()));
        std::vector<std::thread> threads;
        for (int i = 0; i < clients; ++i)
            threads.emplace_back(
                [this, i, &left, &parts, seed = _random()]
                { work(i % holders, seed, left, parts[static_cast<std::size_t>(i)]); });
        for (std::thread& thread : threads)
            thread.join();
        EXPECT_EQ(_server->waitForEnd(), 128 + SIGKILL) << _server->log();
        const std::int64_t dead = now();
        for (const std::vector<History>& part : parts)
        {
            for (std::size_t name = 0; name < part.size(); ++name)
                take(name, part[name], dead);
        }
    }

    void take(std::size_t name, const History& part, std::int64_t dead)
    {
        for (Operation operation : part)
        {
            if (operation.told == Told::Nothing)
            {
                operation.returned = dead;
                ++_unknown;
            }
            ++_asked;
            _histories[name].push_back(std::move(operation));
        }
    }

    void work(int holder, std::uint64_t seed, std::atomic<std::uint64_t>& left,
              std::vector<History>& told)
    {
        constexpr std::array<std::string_view, holders> tokens = {alice, bob, carol};
        std::mt19937_64 random(seed);
        ServerClient connection = client(tokens[static_cast<std::size_t>(holder)]);
        std::vector<std::string> held(_names.size());
        for (;;)
        {
            const std::size_t at = random() % _names.size();
            Asker asker(connection, holder, _names[at].text, _names[at].election);
            const Action action = draw(random, !held[at].empty());
            const auto operation = asker.ask(action, held[at]);
            if (operation)
            {
                told[at].push_back(*operation);
                if (operation->told == Told::Granted)
                    held[at] = operation->lease;
                else if (action != Action::Status && operation->told != Told::Done)
                    held[at].clear();
                // After a release it is asked for once more now and then.
                else if (action == Action::Release && random() % 3 != 0)
                    held[at].clear();
            }
            if (!asker.connected)
                return;
            if (left.fetch_sub(1) == 1)
                _server->signal(SIGKILL);
        }
    }

    static Action draw(std::mt19937_64& random, bool holds)
    {
        const std::uint64_t lot = random() % 8;
        if (lot < 2)
            return Action::Status;
        if (!holds || lot < 4)
            return Action::Acquire;
        return lot < 5 ? Action::Renew : Action::Release;
    }

    void check()
    {
        for (std::size_t i = 0; i < _names.size(); ++i)
        {
            const auto refusal = refuse(_histories[i]);
            EXPECT_FALSE(refusal) << _names[i].text << ": " << *refusal;
        }
    }

    std::vector<Name> _names;
    std::vector<History> _histories; // as _names
    std::uint64_t _asked = 0;
    std::uint64_t _unknown = 0;
    const std::uint64_t _seed = testSeed();
    std::mt19937_64 _random{_seed};
};

TEST_F(HistoryTest, EveryNameAnswersAsIfItDidOneThingAfterTheOther)
{
    SCOPED_TRACE("seed " + std::to_string(_seed));
    const char* const given = std::getenv("OCTOSTORE_TEST_ROUNDS"); // NOLINT(concurrency-mt-unsafe)
    const int rounds = given != nullptr ? std::atoi(given) : roundsByDefault;
    for (int round = 0; round < rounds && !HasFailure(); ++round)
    {
        start({{"elections.requests_per_minute", "1000000"}});
        ASSERT_FALSE(HasFatalFailure());
        if (round == 0)
            makeNames();
        ASSERT_FALSE(HasFatalFailure());
        playRound(1 + _random() % answersMax);
    }
    check();
    std::size_t longest = 0;
    for (const History& history : _histories)
        longest = std::max(longest, history.size());
    std::cout << "histories: " << _asked << " operations on " << _names.size() << " names, "
              << _unknown << " without an answer, " << rounds << " kills, the longest history has "
              << longest << " operations\n";
    EXPECT_GT(_asked, 0U);
}

} // namespace
} // namespace octostore::test
