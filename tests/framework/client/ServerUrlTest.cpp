// SPDX-License-Identifier: MIT
#include <octostore/client/ServerUrl.h>

#include <gtest/gtest.h>

namespace octostore::client
{

TEST(ServerUrlTest, PartsAreTakenApart)
{
    const auto url = ServerUrl::parse("HTTPS://Locks.Example.org:8443/octo/");
    ASSERT_TRUE(url);
    EXPECT_TRUE(url->secure());
    EXPECT_EQ(url->host(), "locks.example.org");
    EXPECT_EQ(url->port(), 8443);
    EXPECT_EQ(url->basePath(), "/octo");
    EXPECT_EQ(url->text(), "https://locks.example.org:8443/octo");
}

TEST(ServerUrlTest, TheUsualPortIsNotWritten)
{
    EXPECT_EQ(ServerUrl::parse("http://a:80")->text(), "http://a");
    EXPECT_EQ(ServerUrl::parse("https://a")->authority(), "a");
    EXPECT_EQ(ServerUrl::parse("https://a:80")->authority(), "a:80");
    EXPECT_EQ(ServerUrl::parse("http://[::1]:3000/")->authority(), "[::1]:3000");
}

TEST(ServerUrlTest, OnlyThisMachineIsLoopback)
{
    for (const char* text : {"http://localhost:3000", "http://127.0.0.1", "http://127.9.9.9",
                             "http://[::1]", "https://LOCALHOST"})
        EXPECT_TRUE(ServerUrl::parse(text)->isLoopback()) << text;
    for (const char* text : {"http://localhost.example.org", "http://10.0.0.1", "http://[fe80::1]",
                             "http://127.0.0.1.example.org", "http://0.0.0.0", "http://128.0.0.1"})
        EXPECT_FALSE(ServerUrl::parse(text)->isLoopback()) << text;
}

TEST(ServerUrlTest, ASocketIsOnThisMachine)
{
    const auto url = ServerUrl::parse("unix:/run/Octo Store/a.sock");
    EXPECT_FALSE(url) << "no space";
    const auto socket = ServerUrl::parse("unix:/run/Octo/a.sock");
    ASSERT_TRUE(socket);
    EXPECT_EQ(socket->socketPath(), "/run/Octo/a.sock");
    EXPECT_EQ(socket->text(), "unix:/run/Octo/a.sock");
    EXPECT_EQ(socket->place(), "unix:/run/Octo/a.sock");
    EXPECT_EQ(socket->authority(), "localhost") << "for the Host header";
    EXPECT_EQ(socket->basePath(), "");
    EXPECT_FALSE(socket->secure());
    EXPECT_TRUE(socket->isLoopback());
    const std::string longest(107 - 1, 'a');
    EXPECT_TRUE(ServerUrl::parse("unix:/" + longest));
    EXPECT_FALSE(ServerUrl::parse("unix:/a" + longest));
    EXPECT_EQ(ServerUrl::parse("http://a:3000")->place(), "a:3000");
}

TEST(ServerUrlTest, WhatIsNoServerUrlIsRefused)
{
    for (const char* text : {"",
                             "localhost:3000",
                             "ftp://a",
                             "http://",
                             "http://:80",
                             "http://a:",
                             "http://a:0",
                             "http://a:65536",
                             "http://a:b",
                             "http://user:secret@a",
                             "http://a?x",
                             "http://a/#f",
                             "http://a b",
                             "unix:",
                             "unix:/",
                             "unix:run/a.sock",
                             "unix:/a\nb",
                             "http://[::1",
                             "http://[a]",
                             "http://[::1]3000",
                             "http://a/b\nc"})
        EXPECT_FALSE(ServerUrl::parse(text)) << text;
}

TEST(ServerUrlTest, APasswordIsNotRepeatedInTheError)
{
    const auto url = ServerUrl::parse("http://user:secret@a");
    ASSERT_FALSE(url);
    EXPECT_EQ(url.error().message.find("secret"), std::string::npos);
}

TEST(ServerUrlTest, OnlyUnreservedBytesOfASegmentStay)
{
    EXPECT_EQ(encodeSegment("aZ09-_.~"), "aZ09-_.~");
    EXPECT_EQ(encodeSegment("repos/acme"), "repos%2Facme");
    EXPECT_EQ(encodeSegment("\xc3\xa9 %"), "%C3%A9%20%25");
}

} // namespace octostore::client
