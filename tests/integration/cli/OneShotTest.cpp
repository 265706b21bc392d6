// SPDX-License-Identifier: MIT
/// @file
/// Goal: every one-shot command does what it says against the real server, keeps secrets off the
/// terminal, and ends as scripts expect. Method: the program as a process, one verb after another.
#include "ServedCliTest.h"

#include <gmock/gmock.h>

#include <sys/stat.h>

namespace octostore::test
{

using ::testing::HasSubstr;
using ::testing::Not;

class OneShotTest : public ServedCliTest
{
};

TEST_F(OneShotTest, ACampaignIsKeptRenewedAndResigned)
{
    const std::string room = firstLine(run({"election", "create"}).output);
    const std::string mine = path("mine"), theirs = path("theirs");
    const Ended won = run({"election", "campaign", room, "--candidate", "a", "--save", mine});
    ASSERT_EQ(won.code, 0) << won.errors;
    EXPECT_THAT(won.output, HasSubstr("leader"));
    const std::string token = member(read(mine), "secret");
    ASSERT_FALSE(token.empty());
    EXPECT_THAT(won.output, Not(HasSubstr(token)));
    struct stat found
    {
    };
    ASSERT_EQ(::stat(mine.c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 0777, 0600U);

    EXPECT_EQ(run({"election", "campaign", room, "--candidate", "b", "--save", theirs}).code, 11);
    EXPECT_EQ(run({"election", "renew", room, "--from", theirs}).code, 64) << "it never led";
    const Ended again = run({"election", "campaign", room, "--candidate", "a", "--save", mine});
    EXPECT_EQ(again.code, 0) << "the same key gets the same term";
    EXPECT_EQ(member(read(mine), "secret"), token);
    EXPECT_EQ(run({"election", "renew", room, "--from", mine, "--ttl", "60s"}).code, 0);
    EXPECT_EQ(run({"election", "resign", room, "--from", mine}).code, 0);
    EXPECT_EQ(run({"election", "resign", room, "--from", mine}).code, 0)
        << "repeated, it is told that this very term ended";
    EXPECT_EQ(run({"election", "renew", room, "--from", mine}).code, 20);
}

TEST_F(OneShotTest, ALockIsAcquiredListedRenewedAndReleased)
{
    const std::string mine = path("mine");
    const Ended got = run({"lock", "acquire", "jobs/import", "--save", mine, "--metadata", "m"});
    ASSERT_EQ(got.code, 0) << got.errors;
    const std::string lease = member(read(mine), "secret");
    EXPECT_THAT(got.output, Not(HasSubstr(lease)));
    const Ended held = run({"lock", "acquire", "jobs/import", "--save", path("b")}, "bobs-token");
    EXPECT_EQ(held.code, 11);
    EXPECT_THAT(held.output, HasSubstr("held by"));
    const Ended list = run({"lock", "list", "jobs/"}, "bobs-token");
    EXPECT_THAT(list.output, HasSubstr("NAME"));
    EXPECT_THAT(list.output, HasSubstr("jobs/import"));
    EXPECT_THAT(run({"lock", "list", "other/"}).output, HasSubstr("none"));
    EXPECT_EQ(run({"lock", "renew", "jobs/import", "--from", mine, "--ttl", "5m"}).code, 0);
    EXPECT_EQ(run({"lock", "renew", "jobs/other", "--from", mine}).code, 64);
    EXPECT_EQ(run({"lock", "release", "jobs/import", "--from", mine}).code, 0);
    EXPECT_EQ(run({"lock", "release", "jobs/import", "--from", mine}).code, 0);
    EXPECT_EQ(run({"lock", "renew", "jobs/import", "--from", mine}).code, 20);
    const Ended json = run({"lock", "acquire", "jobs/import", "--save", mine, "--json"});
    EXPECT_EQ(member(firstLine(json.output), "status"), "acquired");
    EXPECT_EQ(member(firstLine(json.output), "lease_id"), "");
}

TEST_F(OneShotTest, AWaitingAcquireGetsTheLockWhenItIsReleased)
{
    const std::string mine = path("mine");
    ASSERT_EQ(run({"lock", "acquire", "a", "--save", mine}).code, 0);
    ClientProcess waiting({"lock", "acquire", "a", "--wait", "30s", "--save", path("theirs")},
                          {{"OCTOSTORE_URL", _url}, {"OCTOSTORE_TOKEN", "bobs-token"}});
    ASSERT_EQ(run({"lock", "release", "a", "--from", mine}).code, 0);
    EXPECT_EQ(waiting.wait(), 0);
}

TEST_F(OneShotTest, ASessionIsOpenedKeptAliveShownAndEnded)
{
    const std::string id = firstLine(run({"session", "create", "--ttl", "120s"}).output);
    EXPECT_EQ(id.size(), 36U);
    ASSERT_EQ(run({"lock", "acquire", "a", "--session", id, "--save", path("l")}).code, 0);
    EXPECT_EQ(run({"session", "keepalive", id}).code, 0);
    EXPECT_THAT(run({"session", "show", id}).output, HasSubstr("lock_count: 1"));
    EXPECT_EQ(run({"session", "show", id}, "bobs-token").code, 64);
    EXPECT_EQ(run({"session", "end", id}).code, 0);
    EXPECT_EQ(run({"lock", "status", "a"}).code, 1) << "it ended with its session";
    EXPECT_EQ(run({"session", "keepalive", id}).code, 20);
}

TEST_F(OneShotTest, ASavedLeaseThatOthersCanReadIsRefused)
{
    const std::string mine = path("mine");
    ASSERT_EQ(run({"lock", "acquire", "a", "--save", mine}).code, 0);
    std::filesystem::permissions(mine, std::filesystem::perms::group_read,
                                 std::filesystem::perm_options::add);
    const Ended refused = run({"lock", "release", "a", "--from", mine});
    EXPECT_EQ(refused.code, 64);
    EXPECT_THAT(refused.errors, HasSubstr("chmod 600"));
}

TEST_F(OneShotTest, WhatIsMissingIsSaid)
{
    EXPECT_THAT(run({"lock", "acquire", "a"}).errors, HasSubstr("--save"));
    EXPECT_THAT(run({"lock", "renew", "a"}).errors, HasSubstr("--from"));
    EXPECT_THAT(run({"lock", "frobnicate", "a"}).errors, HasSubstr("frobnicate"));
    EXPECT_THAT(run({"session", "end"}).errors, HasSubstr("session end ID"));
    EXPECT_EQ(run({"session"}).code, 64);
    EXPECT_EQ(run({"session", "--help"}).code, 0);
    EXPECT_THAT(run({"lock", "acquire", "--help"}).output, HasSubstr("--lock-delay"));
    EXPECT_THAT(run({"lock", "acquire", "a", "--wait", "301s", "--save", path("x")}).errors,
                HasSubstr("0..300"));
}

TEST_F(OneShotTest, AConfiguredTokenIsNotRotatedAndItsFileStays)
{
    const std::string file = write("token", "alices-token\n");
    const Ended refused = run({"token", "rotate", "--save", file});
    EXPECT_EQ(refused.code, 64);
    EXPECT_THAT(refused.errors, HasSubstr("configuration"));
    EXPECT_EQ(read(file), "alices-token\n");
}

TEST_F(OneShotTest, BashCompletesWordsOfTheGroup)
{
    const std::string script = write("completion", run({"completion", "bash"}).output);
    const auto complete = [&](const std::string& words, int at)
    {
        const std::string command = "bash -c 'source " + script + "; COMP_WORDS=(" + words +
                                    "); COMP_CWORD=" + std::to_string(at) +
                                    "; _octostore; echo ${COMPREPLY[@]}' > " + path("completed");
        EXPECT_EQ(std::system(command.c_str()), 0);
        return read(path("completed"));
    };
    EXPECT_EQ(complete("octostore el", 1), "election\n");
    EXPECT_EQ(complete("octostore lock rel", 2), "release\n");
    EXPECT_EQ(complete("octostore lock acquire --lock-d", 3), "--lock-delay\n");
    EXPECT_EQ(complete("octostore lock hold --acq", 3), "--acquire-timeout\n");
    EXPECT_EQ(complete("octostore run --el", 2), "--election\n");
    EXPECT_EQ(complete("octostore events --fol", 2), "--follow\n");
    EXPECT_EQ(complete("octostore serve --", 2), "--config --set --help\n");
    EXPECT_EQ(complete("octostore restore x --s", 3), "--set\n") << "it asks no server";
    EXPECT_EQ(complete("octostore lock list --lock-d", 3), "\n") << "another verb's";
    EXPECT_EQ(complete("octostore run --lock a -- ls --", 6), "\n") << "another program's";
}

} // namespace octostore::test
