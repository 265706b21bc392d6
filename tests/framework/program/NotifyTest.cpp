// SPDX-License-Identifier: MIT
#include "Notify.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace octostore::program
{

class NotifyTest : public testing::Test
{
protected:
    /// `name` begins with a zero byte in the abstract namespace.
    void listen(const std::string& name)
    {
        descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        sockaddr_un address = {};
        address.sun_family = AF_UNIX;
        std::memcpy(address.sun_path, name.data(), name.size());
        ASSERT_EQ(bind(descriptor, reinterpret_cast<sockaddr*>(&address),
                       static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size())),
                  0);
    }
    void TearDown() override { close(descriptor); }

    /// The next datagram; empty: there is none.
    std::string received() const
    {
        char buffer[512];
        const ssize_t size = recv(descriptor, buffer, sizeof buffer, MSG_DONTWAIT);
        return size < 0 ? "" : std::string(buffer, static_cast<std::size_t>(size));
    }

    int descriptor = -1;
};

TEST_F(NotifyTest, AStateIsOneDatagram)
{
    char directory[] = "/tmp/octostore-notify-XXXXXX";
    ASSERT_NE(mkdtemp(directory), nullptr);
    const std::string path = std::string(directory) + "/socket";
    listen(path);
    const Notify notify(path);
    notify.ready("Serving on 127.0.0.1:3000");
    EXPECT_EQ(received(), "READY=1\nSTATUS=Serving on 127.0.0.1:3000");
    notify.stopping();
    EXPECT_EQ(received(), "STOPPING=1\nSTATUS=Draining");
    std::filesystem::remove_all(directory);
}

TEST_F(NotifyTest, AReloadComesWithItsTimeInOneDatagram)
{
    const std::string name = "octostore-notify-" + std::to_string(getpid());
    listen(std::string(1, '\0') + name);
    Notify("@" + name).reloading();
    const std::string message = received();
    EXPECT_EQ(message.rfind("RELOADING=1\nMONOTONIC_USEC=", 0), 0U) << message;
    EXPECT_GT(std::stoll(message.substr(message.rfind('=') + 1)), 0);
}

TEST_F(NotifyTest, WithoutASocketNothingHappens)
{
    Notify("").ready("x");
    Notify("/nowhere/at/all").ready("x");
    Notify(std::string(500, 'x')).ready("x");
}

} // namespace octostore::program
