// SPDX-License-Identifier: MIT
#include "Events.h"

#include <gtest/gtest.h>

#include <thread>

namespace octostore::program
{

TEST(EventsTest, EventsComeInTheOrderPosted)
{
    Events events;
    events.post(Event::Reload);
    events.post(Event::Stop);
    EXPECT_EQ(events.wait(), Event::Reload);
    EXPECT_EQ(events.wait(), Event::Stop);
}

TEST(EventsTest, OneOfAKindWaitingIsEnough)
{
    Events events;
    events.post(Event::Reload);
    events.post(Event::Reload);
    events.post(Event::Stop);
    EXPECT_EQ(events.wait(), Event::Reload);
    EXPECT_EQ(events.wait(), Event::Stop);
}

TEST(EventsTest, AnEventOfAnotherThreadWakesTheOneWhoWaits)
{
    Events events;
    std::thread other([&] { events.post(Event::Lost); });
    EXPECT_EQ(events.wait(), Event::Lost);
    other.join();
}

} // namespace octostore::program
