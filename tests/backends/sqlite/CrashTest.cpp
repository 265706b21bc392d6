// SPDX-License-Identifier: MIT
/// Goal: what was reported as committed is there after kill -9, and every transaction is there
/// whole or not at all. Method: a child commits in a loop on one database and prints each revision
/// it was told; after a random time it is killed, and the parent opens the database and compares.
/// Twenty rounds on one database. The seed is printed; OCTOSTORE_TEST_SEED repeats it.
#include "SqliteFixture.h"
#include "support/TestSeed.h"

#include <algorithm>
#include <cstdlib>
#include <random>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace octostore::test
{

namespace
{

struct Child
{
    pid_t process = -1;
    int output = -1;
};

Child startChild(const std::string& database)
{
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    const pid_t process = ::fork();
    if (process == 0)
    {
        ::dup2(ends[1], STDOUT_FILENO);
        ::close(ends[0]);
        ::close(ends[1]);
        ::execl(OCTOSTORE_CRASH_CHILD, OCTOSTORE_CRASH_CHILD, database.c_str(), nullptr);
        ::_exit(127);
    }
    ::close(ends[1]);
    return {process, ends[0]};
}

/// Everything the child prints until it is killed: after `lines` lines.
std::string killAfter(const Child& child, long lines)
{
    std::string output;
    char buffer[4096];
    bool killed = false;
    for (;;)
    {
        const ssize_t length = ::read(child.output, buffer, sizeof buffer);
        if (length <= 0)
            break;
        output.append(buffer, static_cast<std::size_t>(length));
        if (!killed && std::count(output.begin(), output.end(), '\n') >= lines)
        {
            killed = true;
            ::kill(child.process, SIGKILL);
        }
    }
    ::close(child.output);
    int status = 0;
    ::waitpid(child.process, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << "the child ended by itself with " << WEXITSTATUS(status);
    return output;
}

/// The number in the last whole line.
std::uint64_t lastRevision(const std::string& output)
{
    const std::size_t end = output.rfind('\n');
    if (end == std::string::npos)
        return 0;
    const std::size_t before = output.rfind('\n', end - 1);
    const std::size_t start = before == std::string::npos ? 0 : before + 1;
    return std::strtoull(output.c_str() + start, nullptr, 10);
}

} // namespace

class CrashTest : public SqliteFixture
{
protected:
    /// The child puts the lease `n<i>` and an event about it in one transaction and never erases.
    void expectWholeTransactions()
    {
        const auto events = server->events(Sequence{}, 10'000'000);
        ASSERT_TRUE(events.ok());
        ASSERT_EQ(events->size(), loaded.size());
        for (const event::Event& event : *events)
        {
            const auto record = loaded.find(leaseKey(event.what.name));
            ASSERT_NE(record, loaded.end());
            EXPECT_EQ(record->second.version.value(), event.sequence.value());
        }
    }
};

TEST_F(CrashTest, WhatWasReportedSurvivesKillAndTransactionsAreWhole)
{
    const auto seed = static_cast<unsigned>(test::testSeed());
    std::mt19937 random(seed);
    std::uint64_t highest = 0;
    for (int round = 0; round < 20 && !HasFailure(); ++round)
    {
        const Child child = startChild(folder.file("octostore.db"));
        const std::string output =
            killAfter(child, std::uniform_int_distribution<long>(1, 400)(random));
        const std::uint64_t reported = lastRevision(output);
        EXPECT_GT(reported, highest) << "a revision was given out twice";

        start();
        std::uint64_t found = 0;
        for (const auto& [key, record] : loaded)
            found = std::max(found, record.version.value());
        EXPECT_GE(found, reported) << "a reported commit is missing";
        EXPECT_EQ(found, loaded.size()) << "a commit in the middle is missing";
        expectWholeTransactions();
        highest = found;
        stop();
    }
}

} // namespace octostore::test
