// SPDX-License-Identifier: MIT
#include "Wishes.h"

#include <gtest/gtest.h>

#include <thread>

namespace octostore::program
{

TEST(WishesTest, WishesComeInTheOrderPosted)
{
    Wishes wishes;
    wishes.post(Wish::Reload);
    wishes.post(Wish::Stop);
    EXPECT_EQ(wishes.wait(), Wish::Reload);
    EXPECT_EQ(wishes.wait(), Wish::Stop);
}

TEST(WishesTest, OneOfAKindWaitingIsEnough)
{
    Wishes wishes;
    wishes.post(Wish::Reload);
    wishes.post(Wish::Reload);
    wishes.post(Wish::Stop);
    EXPECT_EQ(wishes.wait(), Wish::Reload);
    EXPECT_EQ(wishes.wait(), Wish::Stop);
}

TEST(WishesTest, AWishOfAnotherThreadWakesTheOneWhoWaits)
{
    Wishes wishes;
    std::thread other([&] { wishes.post(Wish::GiveUp); });
    EXPECT_EQ(wishes.wait(), Wish::GiveUp);
    other.join();
}

} // namespace octostore::program
