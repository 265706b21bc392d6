// SPDX-License-Identifier: MIT
/// @file
/// Goal: a one-shot that cannot do what was asked says so before anything is lost, and with the
/// exit code that scripts act on. Method: the program as a process against the real server.
#include "ServedCliTest.h"

#include <gmock/gmock.h>

#include <csignal>

namespace octostore::test
{

using ::testing::HasSubstr;
using ::testing::StartsWith;

class OneShotGuardsTest : public ServedCliTest
{
protected:
    int codeOf(const ClientProcess::Words& words, const std::string& token = "alices-token")
    {
        return run(words, token).code;
    }
};

TEST_F(OneShotGuardsTest, AWrongTokenIsFatalAlsoBehindAThrottledAddress)
{
    serve({{"auth.static.tokens", "alice:alices-token"}, {"auth.failures_per_minute", "3"}});
    for (int i = 0; i < 5; ++i)
        EXPECT_EQ(codeOf({"lock", "status", "a"}, "wrong"), 64) << i;
    EXPECT_EQ(codeOf({"lock", "hold", "a"}, "wrong"), 64);
    EXPECT_EQ(codeOf({"lock", "watch", "a"}, "wrong"), 64);
    EXPECT_EQ(codeOf({"bench", "locks", "--duration", "1h", "-c", "2"}, "wrong"), 64);
    EXPECT_EQ(codeOf({"lock", "status", "a"}), 1) << "a good one is taken";
}

TEST_F(OneShotGuardsTest, ABenchmarkWithAWrongTokenEndsAtOnce)
{
    for (const char* kind : {"locks", "renew"})
    {
        const Ended ended = run({"bench", kind, "--duration", "1h", "-c", "2"}, "wrong");
        EXPECT_EQ(ended.code, 64) << kind;
        EXPECT_THAT(ended.errors, HasSubstr("401")) << kind;
    }
}

TEST_F(OneShotGuardsTest, NothingIsAskedThatCouldNotBeKept)
{
    const std::string room = firstLine(run({"election", "create"}).output);
    for (const std::string& file : {std::string("/nonexistent/x"), _directory.string()})
    {
        EXPECT_EQ(codeOf({"lock", "acquire", "a", "--save", file}), 64);
        EXPECT_EQ(codeOf({"lock", "status", "a"}), 1) << "it is free";
        EXPECT_EQ(codeOf({"election", "campaign", room, "--candidate", "x", "--save", file}), 64);
        EXPECT_EQ(codeOf({"election", "status", room}), 1);
        EXPECT_EQ(codeOf({"webhook", "add", "http://127.0.0.1:1/", "--lock-pattern", "**", "--save",
                          file}),
                  64);
        EXPECT_EQ(codeOf({"token", "rotate", "--save", file}), 64);
    }
    EXPECT_EQ(run({"webhook", "list"}).output, "none\n");
}

TEST_F(OneShotGuardsTest, AWebhookKeepsItsSecretWhenANewOneHasNoPlace)
{
    const std::string hook = firstLine(run({"webhook", "add", "http://127.0.0.1:1/",
                                            "--lock-pattern", "**", "--save", path("secret")})
                                           .output);
    EXPECT_EQ(codeOf({"webhook", "rotate-secret", hook, "--save", "/nonexistent/x"}), 64);
    const Ended shown = run({"webhook", "show", hook, "--json"});
    EXPECT_EQ(member(firstLine(shown.output), "previous_valid_until"), "");
    EXPECT_EQ(
        codeOf({"webhook", "rotate-secret", hook, "--grace", "900ms", "--save", path("secret")}),
        64);
}

TEST_F(OneShotGuardsTest, WhatIsNoLeaseOfThisNameIsNotReplaced)
{
    const std::string mine = path("mine");
    const std::string room = firstLine(run({"election", "create"}).output);
    const std::string other = firstLine(run({"election", "create"}).output);
    ASSERT_EQ(codeOf({"election", "campaign", room, "--candidate", "x", "--save", mine}), 0);
    const std::string kept = read(mine);
    const Ended refused = run({"election", "campaign", other, "--candidate", "x", "--save", mine});
    EXPECT_EQ(refused.code, 64);
    EXPECT_THAT(refused.errors, HasSubstr("not replaced"));
    EXPECT_EQ(codeOf({"lock", "acquire", "a", "--save", mine}), 64);
    EXPECT_EQ(codeOf({"token", "rotate", "--save", mine}), 64) << "it stands in the configuration";
    EXPECT_EQ(read(mine), kept);

    const std::string script = write("script", "alias ll='ls -l'\n");
    EXPECT_EQ(codeOf({"lock", "acquire", "a", "--save", script}), 64);
    EXPECT_EQ(read(script), "alias ll='ls -l'\n");
    EXPECT_EQ(codeOf({"lock", "acquire", "a", "--save", write("empty", "")}), 0);
}

TEST_F(OneShotGuardsTest, ASecretReplacesOnlyTheOneBefore)
{
    const auto add = [&](const std::string& file) {
        return run(
            {"webhook", "add", "http://127.0.0.1:1/", "--lock-pattern", "**", "--save", file});
    };
    const std::string script = write("script", "#!/bin/sh\nexit 0\n");
    const std::string secret = path("secret");
    const Ended refused = add(script);
    EXPECT_EQ(refused.code, 64);
    EXPECT_THAT(refused.errors, HasSubstr("not replaced: name another file, or remove it first"));
    EXPECT_EQ(run({"webhook", "list"}).output, "none\n") << "nothing was made";

    const std::string hook = firstLine(add(secret).output);
    const std::string first = read(secret);
    EXPECT_EQ(add(secret).code, 64) << "it is the only copy of the first one's secret";
    EXPECT_EQ(add(write("empty", "")).code, 0);
    EXPECT_EQ(codeOf({"webhook", "rotate-secret", hook, "--save", script}), 64);
    EXPECT_EQ(codeOf({"token", "rotate", "--save", script}), 64);
    EXPECT_EQ(read(script), "#!/bin/sh\nexit 0\n");
    EXPECT_EQ(read(secret), first);
    EXPECT_EQ(codeOf({"webhook", "rotate-secret", hook, "--save", secret}), 0);
    EXPECT_NE(read(secret), first);
}

TEST_F(OneShotGuardsTest, AServerOnASocketIsReachedByItsPath)
{
    const std::string url = "unix:" + path("server.sock");
    serve({{"auth.static.tokens", "alice:alices-token"}, {"server.bind", url}});
    _url = url;
    const std::string room = firstLine(run({"election", "create"}).output);
    EXPECT_EQ(room.size(), 32U);
    EXPECT_EQ(codeOf({"lock", "acquire", "a", "--save", path("lease")}), 0);
    EXPECT_THAT(run({"doctor"}).output, HasSubstr(url + " is healthy"));
    const Ended ended =
        run({"run", "--lock", "b", "--", "sh", "-c", "echo $OCTOSTORE_SERVER; exit 3"});
    EXPECT_EQ(ended.code, 3) << ended.errors;
    EXPECT_EQ(ended.output, url + "\n");
    const Ended load = run({"bench", "status", "-c", "2", "--duration", "100ms"});
    EXPECT_EQ(load.code, 0) << load.errors;
    EXPECT_THAT(load.output, HasSubstr(url));

    ClientProcess hold({"lock", "hold", "c", "--json"},
                       {{"OCTOSTORE_URL", url}, {"OCTOSTORE_TOKEN", "alices-token"}});
    const auto acquired = hold.waitForLine("\"acquired\"");
    ASSERT_TRUE(acquired);
    EXPECT_EQ(member(*acquired, "server"), url);
    hold.signal(SIGTERM);
    EXPECT_EQ(hold.wait(), 143);

    _server.reset();
    const Ended gone = run({"election", "status", room});
    EXPECT_EQ(gone.code, 70);
    EXPECT_THAT(gone.errors, HasSubstr(url + ": Connection refused; does"));
    _url = "unix:server.sock";
    EXPECT_EQ(codeOf({"election", "status", room}), 64) << "the path is not absolute";
}

TEST_F(OneShotGuardsTest, OutputThatIsLostIsAFailure)
{
    const auto codeOfShell = [&](const ClientProcess::Words& words, const std::string& to)
    {
        ClientProcess client(words, {{"OCTOSTORE_URL", _url}, {"OCTOSTORE_TOKEN", "alices-token"}},
                             "", {"/bin/bash", "-o", "pipefail", "-c", "\"$@\" " + to, "bash"});
        const int code = client.wait();
        EXPECT_EQ(client.errors().find("cannot be written") != std::string::npos, code == 70)
            << client.errors();
        return code;
    };
    for (const ClientProcess::Words& words :
         {ClientProcess::Words{"election", "create"}, {"lock", "list"}, {"config", "sample"}})
    {
        EXPECT_EQ(codeOfShell(words, "> /dev/full"), 70) << words.front();
        EXPECT_EQ(codeOfShell(words, "<&- >&- 2>&-"), 0) << words.front();
    }
    EXPECT_EQ(codeOfShell({"lock", "watch", "a"}, "> /dev/full"), 70);
    EXPECT_EQ(codeOfShell({"lock", "watch", "a"}, "| head -n 1 > /dev/null"), 0);
    EXPECT_EQ(codeOfShell({"election", "create"}, "| head -n 1 > /dev/null"), 0);
}

TEST_F(OneShotGuardsTest, WhoWaitsForAServerIsToldSo)
{
    _url = "http://127.0.0.1:1";
    const Ended once = run({"lock", "list"});
    EXPECT_EQ(once.code, 70);
    EXPECT_THAT(once.errors,
                HasSubstr("127.0.0.1:1: Connection refused; does the server run there?"));
    for (const ClientProcess::Words& words :
         {ClientProcess::Words{"events", "--follow"}, {"lock", "watch", "a", "--json"}})
    {
        ClientProcess waiting(words, {{"OCTOSTORE_URL", _url}, {"OCTOSTORE_TOKEN", "alices-token"}},
                              "", {"/bin/sh", "-c", "exec \"$@\" 2>&1", "sh"});
        EXPECT_TRUE(waiting.waitForLine("Connection refused; it is tried again")) << words.front();
        waiting.signal(SIGTERM);
        EXPECT_EQ(waiting.wait(), 143);
    }
    const Ended doctor = run({"doctor"});
    EXPECT_EQ(doctor.code, 70);
    EXPECT_EQ(doctor.output.find("the server says"), std::string::npos) << "it said nothing";
}

TEST_F(OneShotGuardsTest, AMistakeNamesTheHelpThatHelps)
{
    EXPECT_THAT(run({"lock", "acquire", "a", "--bogus"}).errors,
                HasSubstr("see octostore lock acquire --help"));
    EXPECT_THAT(run({"election", "status"}).errors,
                HasSubstr("give one ROOM; see octostore election --help"));
    EXPECT_THAT(run({"election", "status", "--help"}).output, HasSubstr("election status ROOM: "));
    EXPECT_THAT(run({"bench", "acquire", "--names", "7"}).errors,
                HasSubstr("--names is for locks, elections and mix"));
    const Ended lost = run({"session"});
    EXPECT_EQ(lost.code, 64);
    EXPECT_EQ(lost.output, "") << "help that was not asked for is no output";
    EXPECT_THAT(lost.errors, HasSubstr("keepalive ID"));
    const Ended restored = run({"restore", path("no.db"), "--to", path("new.db")});
    EXPECT_EQ(restored.code, 64);
    EXPECT_THAT(restored.errors, HasSubstr("no.db: No such file"));
    const std::string text = write("text", std::string(10'000, 'x'));
    const Ended refused = run({"restore", text, "--to", path("new.db")});
    EXPECT_EQ(refused.code, 70);
    EXPECT_THAT(refused.errors, HasSubstr(text + ": "));
}

TEST_F(OneShotGuardsTest, AHeldLockShowsTheTimeItHasLeft)
{
    ASSERT_EQ(codeOf({"lock", "acquire", "a", "--ttl", "1h", "--save", path("lease")}), 0);
    EXPECT_THAT(run({"lock", "hold", "a", "--acquire-timeout", "0"}, "bobs-token").output,
                StartsWith("waiting for a, held by "));
    EXPECT_THAT(run({"lock", "status", "a"}).output,
                ::testing::ContainsRegex("3[456][0-9][0-9] s left"));
    ClientProcess events({"events", "--follow", "--since", "0"},
                         {{"OCTOSTORE_URL", _url}, {"OCTOSTORE_TOKEN", "alices-token"}});
    EXPECT_TRUE(events.waitForLine("lock.acquired a: nobody -> alice (term "));
}

TEST_F(OneShotGuardsTest, ARenewalKeepsTheTtlOfTheLease)
{
    const std::string mine = path("mine");
    const auto until = [&](const ClientProcess::Words& words)
    {
        const Ended ended = run(words);
        EXPECT_EQ(ended.code, 0) << ended.errors;
        return member(firstLine(ended.output), "expires_at");
    };
    const std::string first =
        until({"lock", "acquire", "a", "--ttl", "1h", "--save", mine, "--json"});
    EXPECT_GE(until({"lock", "renew", "a", "--from", mine, "--json"}), first);
    EXPECT_LT(until({"lock", "renew", "a", "--from", mine, "--ttl", "60s", "--json"}), first);

    const std::string room = firstLine(run({"election", "create"}).output);
    const std::string won = path("won");
    ASSERT_EQ(
        codeOf({"election", "campaign", room, "--candidate", "x", "--ttl", "300s", "--save", won}),
        0);
    const Ended renewed = run({"election", "renew", room, "--from", won, "--json"});
    const auto answer = readJson(firstLine(renewed.output));
    ASSERT_TRUE(answer) << renewed.errors;
    ASSERT_NE(answer->count("authority_ms"), 0U);
    EXPECT_GT(*answer->at("authority_ms").asInteger(), 200'000) << "of 300 s";
}

TEST_F(OneShotGuardsTest, APartOfASecondIsRefusedAndNotLeftOut)
{
    const std::string mine = path("mine");
    const Ended delay = run({"lock", "acquire", "a", "--lock-delay", "900ms", "--save", mine});
    EXPECT_EQ(delay.code, 64);
    EXPECT_THAT(delay.errors, HasSubstr("--lock-delay must be whole seconds, 0..30"));
    EXPECT_EQ(codeOf({"lock", "acquire", "a", "--lock-delay", "31s", "--save", mine}), 64);
    EXPECT_EQ(codeOf({"lock", "acquire", "a", "--lock-delay", "2000ms", "--save", mine}), 0);
    EXPECT_EQ(codeOf({"session", "create", "--ttl", "10500ms"}), 64);
    EXPECT_EQ(codeOf({"session", "create", "--ttl", "9s"}), 64);
    EXPECT_EQ(codeOf({"bench", "locks", "--ttl", "900ms"}), 64);
}

TEST_F(OneShotGuardsTest, APingThatNobodyTookIsAFailure)
{
    const std::string hook = firstLine(run({"webhook", "add", "http://127.0.0.1:1/",
                                            "--lock-pattern", "**", "--save", path("secret")})
                                           .output);
    const Ended ping = run({"webhook", "ping", hook, "--json"});
    EXPECT_EQ(ping.code, 70) << ping.errors;
    EXPECT_THAT(ping.output, HasSubstr("\"delivered\":false"));
}

} // namespace octostore::test
