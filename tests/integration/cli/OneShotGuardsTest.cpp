// SPDX-License-Identifier: MIT
/// @file
/// Goal: a one-shot that cannot do what was asked says so before anything is lost, and with the
/// exit code that scripts act on. Method: the program as a process against the real server.
#include "ServedCliTest.h"

#include <gmock/gmock.h>

namespace octostore::test
{

using ::testing::HasSubstr;

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
