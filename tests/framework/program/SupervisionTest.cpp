// SPDX-License-Identifier: MIT
// Goal: a unit of Type=notify with a watchdog sees each state of the real program.
// Method: a socket in place of systemd's reads what the program tells.
#include "NotifySocket.h"
#include "RunningProgram.h"
#include "support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <csignal>
#include <string>

namespace octostore::program
{

namespace
{

/// On a port of its own; what it writes is in `directory`.
RunningProgram::Words serveIn(const test::TemporaryDirectory& directory)
{
    return {"serve",
            "--set",
            "server.bind=127.0.0.1:0",
            "--set",
            "storage.backend=memory",
            "--set",
            "storage.database=" + directory.file("octostore.db"),
            "--set",
            "log.format=text"};
}

} // namespace

TEST(SupervisionTest, ReadyBeatsReloadAndStopAreToldInOrder)
{
    const NotifySocket socket;
    const test::TemporaryDirectory directory;
    RunningProgram server(serveIn(directory),
                          {"NOTIFY_SOCKET=" + socket.name(), "WATCHDOG_USEC=100000"});
    const std::string ready = socket.received(std::chrono::seconds(60));
    ASSERT_EQ(ready.rfind("READY=1\nSTATUS=Serving on 127.0.0.1:", 0), 0U) << ready;
    for (int beat = 0; beat < 3; ++beat)
        ASSERT_EQ(socket.received(std::chrono::seconds(60)), "WATCHDOG=1");

    server.signal(SIGHUP);
    const std::string reloading = socket.state();
    EXPECT_EQ(reloading.rfind("RELOADING=1\nMONOTONIC_USEC=", 0), 0U) << reloading;
    EXPECT_EQ(socket.state(), ready);
    ASSERT_EQ(socket.received(std::chrono::seconds(60)), "WATCHDOG=1");

    server.signal(SIGTERM);
    EXPECT_EQ(socket.state(), "STOPPING=1\nSTATUS=Draining");
    EXPECT_EQ(server.wait(), 0);
}

TEST(SupervisionTest, AWatchdogForAnotherProcessIsNotAnswered)
{
    const NotifySocket socket;
    const test::TemporaryDirectory directory;
    RunningProgram server(serveIn(directory), {"NOTIFY_SOCKET=" + socket.name(),
                                               "WATCHDOG_USEC=2000", "WATCHDOG_PID=1"});
    EXPECT_EQ(socket.received(std::chrono::seconds(60)).rfind("READY=1\n", 0), 0U);
    server.signal(SIGTERM);
    EXPECT_EQ(socket.received(std::chrono::seconds(60)), "STOPPING=1\nSTATUS=Draining");
    EXPECT_EQ(server.wait(), 0);
}

} // namespace octostore::program
