// SPDX-License-Identifier: MIT
#include <octostore/http/BindAddress.h>

#include <gtest/gtest.h>

#include <string>

namespace octostore::http
{

TEST(BindAddressTest, AddressesAreIpv4Ipv6OrAPath)
{
    const auto v4 = BindAddress::parse("127.0.0.1:3000");
    ASSERT_TRUE(v4.ok());
    EXPECT_EQ(v4->kind, BindAddress::Kind::Ipv4);
    EXPECT_EQ(v4->host, "127.0.0.1");
    EXPECT_EQ(v4->port, 3000);

    const auto v6 = BindAddress::parse("[::]:0");
    ASSERT_TRUE(v6.ok());
    EXPECT_EQ(v6->kind, BindAddress::Kind::Ipv6);
    EXPECT_EQ(v6->host, "::");
    EXPECT_EQ(v6->port, 0);

    const auto local = BindAddress::parse("unix:/run/octostore.sock");
    ASSERT_TRUE(local.ok());
    EXPECT_EQ(local->kind, BindAddress::Kind::Unix);
    EXPECT_EQ(local->host, "/run/octostore.sock");
}

TEST(BindAddressTest, WhatIsNoAddressIsRefused)
{
    for (const std::string& text :
         {std::string(), std::string("3000"), std::string(":3000"), std::string("localhost:3000"),
          std::string("127.0.0.1"), std::string("127.0.0.1:"), std::string("127.0.0.1:65536"),
          std::string("127.0.0.1:-1"), std::string("127.0.0.1:30x"), std::string("::1:3000"),
          std::string("[::1]"), std::string("[127.0.0.1]:1"), std::string("unix:"),
          std::string("unix:relative"), "unix:/" + std::string(200, 'a')})
    {
        const auto address = BindAddress::parse(text);
        ASSERT_FALSE(address.ok()) << text;
        EXPECT_EQ(address.error().code, ErrorCode::Configuration);
    }
}

} // namespace octostore::http
