// SPDX-License-Identifier: MIT
#include "TransportFixture.h"
#include "support/Loopback.h"
#include "support/TemporaryDirectory.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace octostore::test
{

class TransportBindTest : public TransportFixture
{
};
OCTOSTORE_ON_EVERY_TRANSPORT(TransportBindTest);

TEST_P(TransportBindTest, Ipv6IsServedAndIpv4WithIt)
{
    if (!hasIpv6Loopback())
        GTEST_SKIP() << "this machine has no IPv6";
    options.bind = "[::]:0";
    start();
    HttpClient six = HttpClient::ipv6(transport->port());
    ASSERT_TRUE(six.get("/peer"));
    EXPECT_EQ(six.receive().value_or(HttpResponse{}).body, "::1");
    HttpClient four = connect();
    ASSERT_TRUE(four.get("/peer"));
    EXPECT_EQ(four.receive().value_or(HttpResponse{}).body, "127.0.0.1");
}

TEST_P(TransportBindTest, APathIsServedAndRemovedAtTheEnd)
{
    const TemporaryDirectory directory;
    const std::string path = (directory.path() / "server.sock").string();
    options.bind = "unix:" + path;
    start();
    HttpClient client = HttpClient::local(path);
    ASSERT_TRUE(client.get("/peer"));
    EXPECT_EQ(client.receive().value_or(HttpResponse{}).body, "unix");
    transport->stop(Milliseconds{0});
    EXPECT_NE(::access(path.c_str(), F_OK), 0);
}

TEST_P(TransportBindTest, APathIsOpenToItsOwnerAndGroupAlone)
{
    const TemporaryDirectory directory;
    const std::string path = (directory.path() / "server.sock").string();
    options.bind = "unix:" + path;
    start();
    struct stat status = {};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0660U);
}

TEST_P(TransportBindTest, ASocketLeftBehindIsReplacedButNotOneInUse)
{
    const TemporaryDirectory directory;
    const std::string path = (directory.path() / "server.sock").string();
    const int dead = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    ASSERT_EQ(::bind(dead, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    ::close(dead);

    options.bind = "unix:" + path;
    start();
    const auto second = GetParam().make();
    const auto started = second->start(options, dispatcher, clock, random);
    ASSERT_FALSE(started.ok());
    EXPECT_EQ(started.error().code, ErrorCode::Unavailable);
    HttpClient client = HttpClient::local(path);
    ASSERT_TRUE(client.get("/echo"));
    EXPECT_TRUE(client.receive().has_value());
}

TEST_P(TransportBindTest, APortInUseIsNotShared)
{
    start();
    http::TransportOptions same = options;
    same.bind = "127.0.0.1:" + std::to_string(transport->port());
    const auto second = GetParam().make();
    const auto started = second->start(same, dispatcher, clock, random);
    ASSERT_FALSE(started.ok());
    EXPECT_EQ(started.error().code, ErrorCode::Unavailable);
    EXPECT_NE(started.error().message.find(same.bind), std::string::npos);
}

TEST_P(TransportBindTest, WhatIsNoAddressIsRefused)
{
    options.bind = "localhost";
    const auto started = transport->start(options, dispatcher, clock, random);
    ASSERT_FALSE(started.ok());
    EXPECT_EQ(started.error().code, ErrorCode::Configuration);
}

} // namespace octostore::test
