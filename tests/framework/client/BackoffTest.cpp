// SPDX-License-Identifier: MIT
#include "support/FakeRandom.h"

#include <octostore/client/Backoff.h>

#include <gtest/gtest.h>

namespace octostore::client
{

using namespace std::chrono_literals;

TEST(BackoffTest, PausesDoubleUpToTheMostAndStayWithinHalfOfIt)
{
    test::FakeRandom random(7);
    Backoff backoff(100ms, 1000ms);
    for (const Milliseconds whole : {100ms, 200ms, 400ms, 800ms, 1000ms, 1000ms})
    {
        const Milliseconds pause = backoff.next(random);
        EXPECT_GE(pause, whole / 2);
        EXPECT_LE(pause, whole);
    }
    backoff.reset();
    EXPECT_LE(backoff.next(random), 100ms);
}

TEST(BackoffTest, TheServersWishIsTheLeast)
{
    test::FakeRandom random(7);
    Backoff backoff(100ms, 1000ms);
    EXPECT_EQ(backoff.next(random, 30s), 30s);
}

TEST(BackoffTest, JitterOnlyAdds)
{
    test::FakeRandom random(7);
    bool differs = false;
    for (int i = 0; i < 100; ++i)
    {
        const Milliseconds time = withJitter(1000ms, 10, random);
        EXPECT_GE(time, 1000ms);
        EXPECT_LE(time, 1100ms);
        differs = differs || time != 1000ms;
    }
    EXPECT_TRUE(differs);
}

} // namespace octostore::client
