// SPDX-License-Identifier: MIT
// Goal: whoever dies or stands still - client, guardian, command, server, network - nothing of the
// command runs any more when the lease can be another's.
// Method: two agents on one room of the real server. The first runs a tree of processes that fork,
// leave their session and ignore TERM, and that all share a file lock. The second runs a probe for
// that lock the moment it leads. Several pairs at once, for each containment; 50 of each with
// OCTOSTORE_TEST_LONG=1.
#include "CliTest.h"
#include "RealServer.h"

#include <csignal>
#include <cstdlib>
#include <functional>
#include <memory>
#include <sstream>
#include <string_view>
#include <thread>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace octostore::test
{

using namespace std::chrono_literals;

namespace
{

constexpr int pairsAtOnce = 5;

// Seconds of TTL. The tree is gone after 0.8 of them, the second may lead after all: a machine that
// stands still in between for longer than the difference breaks what no program can keep.
constexpr std::string_view runsOut = "15";   ///< the second waits until they are over
constexpr std::string_view isGivenUp = "60"; ///< nobody waits for that
constexpr std::string_view isSeen = "5";     ///< the first has ended before the second may lead

int rounds()
{
    const char* text = std::getenv("OCTOSTORE_TEST_LONG");
    return text != nullptr && std::string(text) == "1" ? 10 : 1;
}

/// The child of a process that leads a group of its own: the guardian of a client, the command of a
/// guardian. The orphans that the guardian has adopted lead none. Numbers say nothing of who came
/// first, since they begin again from below. 0: none.
pid_t leaderBelow(pid_t parent)
{
    pid_t found = 0;
    DIR* const directory = ::opendir("/proc");
    while (const dirent* const entry =
               directory != nullptr && found == 0 ? ::readdir(directory) : nullptr)
    {
        // "123 (a name) S PARENT GROUP ..."
        std::ifstream file(std::string("/proc/") + entry->d_name + "/stat");
        std::string text;
        if (!std::getline(file, text) || text.rfind(')') == std::string::npos)
            continue;
        std::istringstream fields(text.substr(text.rfind(')') + 3));
        pid_t itsParent = 0;
        pid_t itsGroup = 0;
        const pid_t pid = std::atoi(entry->d_name);
        if (fields >> itsParent >> itsGroup && itsParent == parent && itsGroup == pid)
            found = pid;
    }
    if (directory != nullptr)
        ::closedir(directory);
    return found;
}

bool waitForFile(const std::string& path)
{
    const auto until = std::chrono::steady_clock::now() + ClientProcess::patience;
    while (!std::filesystem::exists(path))
    {
        if (std::chrono::steady_clock::now() > until)
            return false;
        std::this_thread::sleep_for(10ms);
    }
    return true;
}

} // namespace

/// Two agents that want one room.
class Pair
{
public:
    using Variables = ClientProcess::Variables;

    Pair(std::filesystem::path directory, std::string room, std::string isolation,
         std::string_view ttl, Variables variables)
        : _directory(std::move(directory)),
          _room(std::move(room)),
          _isolation(std::move(isolation)),
          _ttl(ttl),
          _variables(std::move(variables))
    {
        std::filesystem::create_directories(_directory);
        startFirst();
    }

    /// Whether the tree stands. A client that lost its lease before, as the machine stood still,
    /// starts anew.
    bool ready()
    {
        constexpr int lost = 20;
        const auto until = std::chrono::steady_clock::now() + ClientProcess::patience;
        while (!std::filesystem::exists(path("ready")) && std::chrono::steady_clock::now() < until)
        {
            if (!_first->ended())
                std::this_thread::sleep_for(10ms);
            else if (_first->wait() == lost)
                startFirst();
            else
                return false;
        }
        return std::filesystem::exists(path("ready"));
    }
    void startSecond()
    {
        _second = start("b", {OCTOSTORE_TEST_WORKER, "probe", path("lock"), path("out")});
    }
    ClientProcess& first() { return *_first; }
    pid_t guardian() const { return leaderBelow(_first->pid()); }
    void signalGuardian(int number) const
    {
        ASSERT_GT(guardian(), 0);
        ::kill(guardian(), number);
    }
    void signalCommand(int number) const
    {
        const pid_t command = leaderBelow(guardian());
        ASSERT_GT(command, 0);
        ::kill(command, number);
    }
    /// What the second saw when it led: `free` or `busy`; `never` if it never did.
    std::string seen() const
    {
        if (!waitForFile(path("out")))
            return "never";
        std::ifstream file(path("out"));
        std::string text;
        file >> text;
        return text;
    }
    std::string describe() { return _room + " " + _isolation + "\n" + _first->errors(); }

private:
    std::string path(const std::string& name) const { return (_directory / name).string(); }
    void startFirst()
    {
        _first = start("a", {OCTOSTORE_TEST_WORKER, "tree", path("lock"), path("ready")});
    }
    std::unique_ptr<ClientProcess> start(const std::string& candidate,
                                         const ClientProcess::Words& command) const
    {
        // A server that is gone is not waited for at the end.
        ClientProcess::Words words{"run",
                                   "--election",
                                   _room,
                                   "--candidate",
                                   candidate,
                                   "--ttl",
                                   _ttl,
                                   "--isolation",
                                   _isolation,
                                   "--stop-timeout",
                                   "300ms",
                                   "--kill-after",
                                   "500ms",
                                   "--shutdown-timeout",
                                   _ttl == isSeen ? "2s" : "60s",
                                   "--"};
        words.insert(words.end(), command.begin(), command.end());
        return std::make_unique<ClientProcess>(words, _variables);
    }

    const std::filesystem::path _directory;
    const std::string _room;
    const std::string _isolation;
    const std::string _ttl;
    const Variables _variables;
    std::unique_ptr<ClientProcess> _first;
    std::unique_ptr<ClientProcess> _second;
};

class RunFaultTest : public CliTest, public testing::WithParamInterface<const char*>
{
protected:
    using Pairs = std::vector<std::unique_ptr<Pair>>;

    void SetUp() override
    {
        CliTest::SetUp();
        _server = std::make_unique<RealServer>(_directory);
        ClientProcess probe(runWords("true"), variables());
        if (probe.wait() == 64)
            GTEST_SKIP() << "containment " << GetParam()
                         << " is not allowed here: " << probe.errors();
    }
    void TearDown() override
    {
        _server.reset();
        CliTest::TearDown();
    }

    ClientProcess::Words runWords(const std::string& command) const
    {
        return {"run",         "--election", "fault-probe", "--candidate", "p",
                "--isolation", GetParam(),   "--",          command};
    }
    ClientProcess::Variables variables() const
    {
        return {{"OCTOSTORE_URL", _server->url()}, {"TMPDIR", _directory.string()}};
    }

    /// `act` on every pair; `afterwards` once; then the second must have found nothing. `exitCode`
    /// is the first's, -1: it was killed or is not looked at.
    void play(std::string_view ttl, const std::function<void(Pair&)>& act,
              const std::function<void(Pairs&)>& afterwards, int exitCode)
    {
        for (int round = 0; round < rounds() && !HasFatalFailure(); ++round)
        {
            Pairs pairs;
            for (int i = 0; i < pairsAtOnce; ++i)
            {
                const std::string room = "fault-" + std::to_string(round) + "-" + std::to_string(i);
                pairs.push_back(
                    std::make_unique<Pair>(_directory / room, room, GetParam(), ttl, variables()));
            }
            for (const auto& pair : pairs)
                ASSERT_TRUE(pair->ready()) << pair->describe();
            for (const auto& pair : pairs)
                pair->startSecond();
            for (const auto& pair : pairs)
                act(*pair);
            afterwards(pairs);
            for (const auto& pair : pairs)
            {
                EXPECT_EQ(pair->seen(), "free") << pair->describe();
                if (exitCode >= 0)
                {
                    EXPECT_EQ(pair->first().wait(), exitCode) << pair->describe();
                }
            }
        }
    }
    static void nothing(Pairs& /*pairs*/) {}

    std::unique_ptr<RealServer> _server;
};

TEST_P(RunFaultTest, TheClientIsKilled)
{
    play(
        runsOut, [](Pair& pair) { pair.first().signal(SIGKILL); }, nothing, 137);
}

TEST_P(RunFaultTest, TheClientStandsStill)
{
    play(
        runsOut, [](Pair& pair) { pair.first().signal(SIGSTOP); },
        [](Pairs& pairs)
        {
            for (const auto& pair : pairs)
                EXPECT_EQ(pair->seen(), "free") << pair->describe();
            for (const auto& pair : pairs)
                pair->first().signal(SIGCONT);
        },
        20);
}

TEST_P(RunFaultTest, TheGuardianIsKilled)
{
    constexpr int failure = 70;
    play(
        isGivenUp, [](Pair& pair) { pair.signalGuardian(SIGKILL); }, nothing, failure);
}

TEST_P(RunFaultTest, TheGuardianStandsStill)
{
    constexpr int failure = 70;
    play(
        runsOut, [](Pair& pair) { pair.signalGuardian(SIGSTOP); }, nothing, failure);
}

TEST_P(RunFaultTest, TheCommandIsKilled)
{
    play(
        isGivenUp, [](Pair& pair) { pair.signalCommand(SIGKILL); }, nothing, 137);
}

TEST_P(RunFaultTest, TheCommandStandsStillAndTheClientIsAskedToEnd)
{
    auto asked = std::chrono::steady_clock::now();
    play(
        isGivenUp,
        [&asked](Pair& pair)
        {
            asked = std::chrono::steady_clock::now();
            pair.signalCommand(SIGSTOP);
            pair.first().signal(SIGTERM);
        },
        [&asked](Pairs& pairs)
        {
            for (const auto& pair : pairs)
            {
                const int code = pair->first().wait();
                // When the machine stands still for two seconds the guardian counts as stuck.
                const bool late = std::chrono::steady_clock::now() - asked > 2s;
                EXPECT_TRUE(code == 137 || (late && code == 70)) << code << pair->describe();
            }
        },
        -1);
}

TEST_P(RunFaultTest, TheServerIsKilledAndStartedAgain)
{
    play(
        isSeen, [](Pair&) {},
        [&](Pairs& pairs)
        {
            _server->kill();
            for (const auto& pair : pairs)
                EXPECT_EQ(pair->first().wait(), 20) << pair->describe();
            _server->startAgain();
        },
        20);
}

TEST_P(RunFaultTest, TheServerStandsStill)
{
    play(
        isSeen, [](Pair&) {},
        [&](Pairs& pairs)
        {
            _server->signal(SIGSTOP);
            for (const auto& pair : pairs)
                EXPECT_EQ(pair->first().wait(), 20) << pair->describe();
            _server->signal(SIGCONT);
        },
        20);
}

INSTANTIATE_TEST_SUITE_P(Containments, RunFaultTest,
                         testing::Values("namespace", "cgroup", "group"),
                         [](const auto& one) { return std::string(one.param); });

/// Both at once is survived only where the kernel itself keeps the processes together.
class RunNamespaceTest : public RunFaultTest
{
};

TEST_P(RunNamespaceTest, ClientAndGuardianAreKilledAtOnce)
{
    play(
        runsOut,
        [](Pair& pair)
        {
            const pid_t guardian = pair.guardian();
            ASSERT_GT(guardian, 0);
            pair.first().signal(SIGKILL);
            ::kill(guardian, SIGKILL);
        },
        nothing, 137);
}

INSTANTIATE_TEST_SUITE_P(Containments, RunNamespaceTest, testing::Values("namespace"),
                         [](const auto& one) { return std::string(one.param); });

} // namespace octostore::test
