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

    Wishes wishes;
};

TEST_F(SignalsTest, HangupAsksForAReloadAndMayComeAgain)
{
    const Signals signals(wishes, Logger{});
    kill(getpid(), SIGHUP);
    EXPECT_EQ(wishes.wait(), Wish::Reload);
    kill(getpid(), SIGHUP);
    EXPECT_EQ(wishes.wait(), Wish::Reload);
}

TEST_F(SignalsTest, TerminateAndInterruptAskForAStop)
{
    for (const int signal : {SIGTERM, SIGINT})
    {
        const Signals signals(wishes, Logger{});
        kill(getpid(), signal);
        EXPECT_EQ(wishes.wait(), Wish::Stop);
    }
}

TEST_F(SignalsTest, ASecondSignalThatFollowsCloselyIsTheSameWish)
{
    const Signals signals(wishes, Logger{}, std::chrono::hours{1});
    kill(getpid(), SIGTERM);
    EXPECT_EQ(wishes.wait(), Wish::Stop);
    kill(getpid(), SIGTERM);
    while (isPending(SIGTERM))
        std::this_thread::yield();
    kill(getpid(), SIGHUP);
    EXPECT_EQ(wishes.wait(), Wish::Reload) << "it lives and has nothing to say before";
}

using SignalsDeathTest = SignalsTest;

TEST_F(SignalsDeathTest, TheSecondSignalEndsTheProcessWithItsNumber)
{
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            Signals::block();
            const Signals signals(wishes, Logger{}, std::chrono::milliseconds{0});
            kill(getpid(), SIGTERM);
            wishes.wait();
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
