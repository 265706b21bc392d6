// SPDX-License-Identifier: MIT
#include "Signals.h"

#include <gtest/gtest.h>

#include <csignal>
#include <thread>

#include <unistd.h>

namespace octostore::program
{

class SignalsTest : public testing::Test
{
protected:
    void SetUp() override { Signals::block(); }

    static bool isPending(int signal)
    {
        sigset_t pending;
        sigpending(&pending);
        return sigismember(&pending, signal) == 1;
    }

    Events events;
};

TEST_F(SignalsTest, HangupAsksForAReloadAndMayComeAgain)
{
    const Signals signals(events, Logger{});
    kill(getpid(), SIGHUP);
    EXPECT_EQ(events.wait(), Event::Reload);
    kill(getpid(), SIGHUP);
    EXPECT_EQ(events.wait(), Event::Reload);
}

TEST_F(SignalsTest, TerminateAndInterruptAskForAStop)
{
    for (const int signal : {SIGTERM, SIGINT})
    {
        const Signals signals(events, Logger{});
        kill(getpid(), signal);
        EXPECT_EQ(events.wait(), Event::Stop);
    }
}

TEST_F(SignalsTest, ASecondSignalThatFollowsCloselyIsTheSameWish)
{
    const Signals signals(events, Logger{}, std::chrono::hours{1});
    kill(getpid(), SIGTERM);
    EXPECT_EQ(events.wait(), Event::Stop);
    kill(getpid(), SIGTERM);
    while (isPending(SIGTERM))
        std::this_thread::yield();
    kill(getpid(), SIGHUP);
    EXPECT_EQ(events.wait(), Event::Reload) << "it lives and has nothing to say before";
}

using SignalsDeathTest = SignalsTest;

TEST_F(SignalsDeathTest, TheSecondSignalEndsTheProcessWithItsNumber)
{
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            Signals::block();
            const Signals signals(events, Logger{}, std::chrono::milliseconds{0});
            kill(getpid(), SIGTERM);
            events.wait();
            kill(getpid(), SIGINT);
            while (true)
                pause();
        },
        testing::ExitedWithCode(128 + SIGINT), "");
}

TEST_F(SignalsTest, ABrokenPipeIsNoReasonToEnd)
{
    int ends[2] = {};
    ASSERT_EQ(pipe(ends), 0);
    close(ends[0]);
    EXPECT_EQ(write(ends[1], "x", 1), -1);
    EXPECT_EQ(errno, EPIPE);
    close(ends[1]);
}

} // namespace octostore::program
