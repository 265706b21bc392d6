// SPDX-License-Identifier: MIT
// Goal: a command runs only while the lease is held, and nothing of it afterwards.
// Method: a server that answers what the test says; the real program with real commands.
#include "CliTest.h"
#include "Scripted.h"

#include <csignal>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace octostore::test
{

using namespace std::chrono_literals;

class RunTest : public CliTest
{
protected:
    /// `ttl`: in seconds; so long that a machine that stands still loses nothing, unless the test
    /// waits for a renewal or for the end of the lease.
    ClientProcess::Words run(const ClientProcess::Words& command,
                             const ClientProcess::Words& more = {},
                             const std::string& ttl = "300") const
    {
        ClientProcess::Words words{
            "run",   "--election", scriptedRoom, "--candidate",  scriptedCandidate,
            "--ttl", ttl,          "--events",   path("events"), "--shutdown-timeout",
            "60s"};
        words.insert(words.end(), more.begin(), more.end());
        words.push_back("--");
        words.insert(words.end(), command.begin(), command.end());
        return words;
    }
    ClientProcess::Words tree() const
    {
        return {OCTOSTORE_TEST_WORKER, "tree", path("lock"), path("ready")};
    }
    ClientProcess::Variables variables() const
    {
        return {{"OCTOSTORE_URL", _server.url()},
                {"OCTOSTORE_TOKEN", "secret"},
                {"TMPDIR", _directory.string()}};
    }
    void answer(const std::string& end, const ScriptedReply& reply)
    {
        _server.setHandler([end, reply](const SeenRequest& request)
                           { return endsWith(request.path, end) ? reply : goodReply(request); });
    }
    /// Nobody that opened it is left.
    bool treeGone() const
    {
        const int file = ::open(path("lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        const bool free = ::flock(file, LOCK_EX | LOCK_NB) == 0;
        ::close(file);
        return free;
    }
    std::string events() const { return read(path("events")); }

    ScriptedServer _server{goodReply};
};

TEST_F(RunTest, TheCommandsOwnStatusIsTheExitCode)
{
    ClientProcess three(run({"sh", "-c", "exit 3"}), variables());
    EXPECT_EQ(three.wait(), 3);
    ClientProcess killed(run({"sh", "-c", "kill -9 $$"}), variables());
    EXPECT_EQ(killed.wait(), 137);
    ClientProcess missing(run({"no-such-command"}), variables());
    EXPECT_EQ(missing.wait(), 127);
    ClientProcess notExecutable(run({write("file", "x")}), variables());
    EXPECT_EQ(notExecutable.wait(), 126);
    EXPECT_EQ(_server.count("POST", std::string("/elections/") + scriptedRoom + "/resign"), 4U);
}

TEST_F(RunTest, TheCommandHasItsStreamsAndItsVariablesButNoToken)
{
    ClientProcess client(
        run({"sh", "-c",
             "cat; echo $OCTOSTORE_KIND $OCTOSTORE_NAME $OCTOSTORE_TERM $OCTOSTORE_SERVER;"
             " echo token=$OCTOSTORE_TOKEN$OCTOSTORE_TOKEN_FILE;"
             " cat $OCTOSTORE_DEADLINE_FILE; echo to-stderr >&2"}),
        variables(), "from-stdin\n");
    EXPECT_EQ(client.wait(), 0);
    ASSERT_EQ(client.lines().size(), 4U) << client.errors();
    EXPECT_EQ(client.lines()[0], "from-stdin");
    EXPECT_EQ(client.lines()[1], std::string("election ") + scriptedRoom + " 7 " + _server.url());
    EXPECT_EQ(client.lines()[2], "token=");
    EXPECT_GT(std::stoll(client.lines()[3]), 0);
    EXPECT_EQ(client.errors(), "to-stderr\n");
}

TEST_F(RunTest, NothingIsLeftBehind)
{
    ClientProcess client(run({"true"}), variables());
    EXPECT_EQ(client.wait(), 0);
    for (const auto& entry : std::filesystem::directory_iterator(_directory))
        EXPECT_EQ(entry.path().filename(), "events");
}

TEST_F(RunTest, TheCommandStartsOnlyWithTheLease)
{
    answer("/campaign", followerReply());
    ClientProcess client(run({"touch", path("started")}, {"--no-wait"}), variables());
    EXPECT_EQ(client.wait(), 11);
    EXPECT_FALSE(std::filesystem::exists(path("started")));
}

TEST_F(RunTest, WhatTheCommandLeavesBehindIsGoneBeforeTheRelease)
{
    for (const char* isolation : {"auto", "group"})
    {
        std::filesystem::remove(path("ready"));
        bool goneAtRelease = false;
        _server.setHandler(
            [&](const SeenRequest& request)
            {
                if (endsWith(request.path, "/resign"))
                    goneAtRelease = treeGone();
                return goodReply(request);
            });
        ClientProcess client(run(tree(), {"--isolation", isolation, "--stop-timeout", "100ms",
                                          "--kill-after", "200ms"}),
                             variables());
        ASSERT_TRUE(appears("ready")) << client.errors();
        EXPECT_FALSE(treeGone());
        const auto asked = std::chrono::steady_clock::now();
        client.signal(SIGTERM);
        const int code = client.wait();
        // When the machine stands still for two seconds the guardian counts as stuck.
        const bool late = std::chrono::steady_clock::now() - asked > 2s;
        EXPECT_TRUE(code == 137 || (late && code == 70)) << isolation << " " << code;
        EXPECT_TRUE(goneAtRelease) << isolation;
        EXPECT_NE(events().find("\"released\""), std::string::npos);
    }
}

TEST_F(RunTest, ASignalIsPassedOn)
{
    ClientProcess client(
        run({"sh", "-c", "trap 'echo got; exit 9' TERM; echo up; while :; do sleep 0.05; done"}),
        variables());
    ASSERT_TRUE(client.waitForLine("up"));
    client.signal(SIGTERM);
    EXPECT_EQ(client.wait(), 9);
    EXPECT_EQ(client.lines().back(), "got");
}

TEST_F(RunTest, AWrapperThatWaitsCanBeStopped)
{
    answer("/campaign", followerReply(60'000));
    ClientProcess client(run({"true"}), variables());
    ASSERT_TRUE(_server.waitFor("POST", std::string("/elections/") + scriptedRoom + "/campaign"));
    client.signal(SIGTERM);
    EXPECT_EQ(client.wait(), 143);
}

TEST_F(RunTest, ProofOfLossKillsTheTreeAndRunsOnLost)
{
    answer("/renew", errorReply(404, "lease_not_current"));
    ClientProcess client(
        run(tree(), {"--on-lost", "echo $OCTOSTORE_REASON $OCTOSTORE_TERM > " + path("lost")},
            "12"),
        variables());
    EXPECT_EQ(client.wait(), 20);
    EXPECT_TRUE(treeGone());
    EXPECT_EQ(read(path("lost")), "lease_not_current 7\n");
    EXPECT_NE(events().find("\"lost\""), std::string::npos);
}

TEST_F(RunTest, AnEntryOfTheEnvironmentThatIsNoVariableIsNotPassedOnAsOne)
{
    answer("/renew", errorReply(404, "lease_not_current"));
    ClientProcess client(run(tree(), {"--on-lost", "env > " + path("lost")}, "12"), variables(), {},
                         {OCTOSTORE_TEST_WORKER, "environ", "ODDENTRY"});
    EXPECT_EQ(client.wait(), 20);
    EXPECT_NE(read(path("lost")).find("OCTOSTORE_TERM=7"), std::string::npos);
    EXPECT_EQ(read(path("lost")).find("ODDENTR"), std::string::npos) << read(path("lost"));
}

TEST_F(RunTest, TheWatchFindsALossBeforeARenewalIsDue)
{
    _server.setHandler(
        [](const SeenRequest& request)
        {
            ScriptedReply reply = goodReply(request);
            if (endsWith(request.path, "/renew"))
                return errorReply(404, "lease_not_current");
            if (endsWith(request.path, "/watch"))
            {
                reply.raw = std::string("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
                                        "event: state\ndata: {\"election_id\":\"") +
                            scriptedRoom + "\",\"status\":\"vacant\",\"leader\":null}\n\n";
                reply.close = true;
            }
            return reply;
        });
    // The next renewal would be minutes away.
    ClientProcess client(run(tree()), variables());
    EXPECT_EQ(client.wait(), 20);
    EXPECT_TRUE(treeGone());
    EXPECT_NE(events().find("\"lost\""), std::string::npos);
}

TEST_F(RunTest, UncertaintyStopsTheTreeBeforeTheDeadline)
{
    answer("/renew", errorReply(503, "internal_error"));
    ClientProcess client(run(tree(), {}, "5"), variables());
    EXPECT_EQ(client.wait(), 20);
    EXPECT_TRUE(treeGone());
    EXPECT_NE(events().find("\"uncertain\""), std::string::npos);
}

TEST_F(RunTest, AClosedOutputEndsTheCommand)
{
    ClientProcess client(run({"sleep", "1000"}, {}, "12"), variables());
    ASSERT_TRUE(_server.waitFor("POST", std::string("/elections/") + scriptedRoom + "/renew"));
    client.closeOutput();
    EXPECT_EQ(client.wait(), 143);
}

TEST_F(RunTest, WrongUsageEndsWith64)
{
    const std::vector<ClientProcess::Words> wrong{
        {"run", "--", "true"},
        {"run", "--election", scriptedRoom, "--", "true"},
        {"run", "--election", scriptedRoom, "--candidate", "a"},
        {"run", "--election", scriptedRoom, "--candidate", "a", "true"},
        {"run", "--election", scriptedRoom, "--candidate", "a", "--lock", "b", "--", "true"},
        {"run", "--lock", "b", "--candidate", "a", "--", "true"},
        {"run", "--lock", "b", "--ttl", "2", "--", "true"},
        {"run", "--lock", "b", "--kill-after", "23s", "--", "true"},
        run({"true"}, {"--kill-after", "3s"}, "5"),
        run({"true"}, {"--no-wait", "--acquire-timeout", "1s"}),
        run({"true"}, {"--isolation", "none"}),
        {"run", "--election", scriptedRoom, "--candidate", "a", "--events", "77", "--", "true"},
    };
    for (const auto& words : wrong)
    {
        ClientProcess client(words, variables());
        EXPECT_EQ(client.wait(), 64) << testing::PrintToString(words) << client.errors();
    }
    EXPECT_TRUE(_server.requests().empty());
}

} // namespace octostore::test
