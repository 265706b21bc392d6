// SPDX-License-Identifier: MIT
#include "Notify.h"

#include "NotifySocket.h"
#include "support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <string>

namespace octostore::program
{

TEST(NotifyTest, AStateIsOneDatagram)
{
    const test::TemporaryDirectory directory;
    const NotifySocket socket(directory.file("socket"));
    const Notify notify(socket.name());
    notify.ready("Serving on 127.0.0.1:3000");
    EXPECT_EQ(socket.received(), "READY=1\nSTATUS=Serving on 127.0.0.1:3000");
    notify.stopping();
    EXPECT_EQ(socket.received(), "STOPPING=1\nSTATUS=Draining");
    notify.alive();
    EXPECT_EQ(socket.received(), "WATCHDOG=1");
}

TEST(NotifyTest, AReloadComesWithItsTimeInOneDatagram)
{
    const NotifySocket socket;
    Notify(socket.name()).reloading();
    const std::string message = socket.received();
    ASSERT_EQ(message.rfind("RELOADING=1\nMONOTONIC_USEC=", 0), 0U) << message;
    EXPECT_GT(std::stoll(message.substr(message.rfind('=') + 1)), 0);
}

TEST(NotifyTest, BeatsThatNobodyReadsHoldNobodyUp)
{
    const NotifySocket socket;
    const Notify notify(socket.name());
    for (int beat = 0; beat < 5000; ++beat) // more than any queue of datagrams takes
        notify.alive();
    EXPECT_EQ(socket.received(), "WATCHDOG=1");
}

TEST(NotifyTest, WithoutASocketNothingHappens)
{
    Notify("").ready("x");
    Notify("/nowhere/at/all").ready("x");
    Notify(std::string(500, 'x')).ready("x");
}

} // namespace octostore::program
