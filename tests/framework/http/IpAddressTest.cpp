// SPDX-License-Identifier: MIT
#include <octostore/http/IpAddress.h>

#include <gtest/gtest.h>

#include <array>

#include <arpa/inet.h>
#include <netinet/in.h>

namespace octostore::http
{

namespace
{

IpAddress address(std::string_view text)
{
    const std::optional<IpAddress> parsed = IpAddress::parse(text);
    EXPECT_TRUE(parsed) << text;
    return parsed.value_or(IpAddress());
}

} // namespace

TEST(IpAddressTest, OneAddressWrittenInTwoWaysIsEqual)
{
    EXPECT_EQ(address("192.0.2.1"), address("::ffff:192.0.2.1"));
    EXPECT_EQ(address("192.0.2.1"), address("::FFFF:c000:201"));
    EXPECT_EQ(address("2001:db8::1"), address("2001:0DB8:0:0:0:0:0:1"));
    EXPECT_NE(address("192.0.2.1"), address("::192.0.2.1"));
    EXPECT_EQ(address("::ffff:192.0.2.1").text(), "192.0.2.1");
    EXPECT_EQ(address("2001:0DB8:0:0:0:0:0:1").text(), "2001:db8::1");
}

TEST(IpAddressTest, WhatIsNotExactlyAnAddressIsRefused)
{
    const std::string_view wrong[] = {"",
                                      " ",
                                      "localhost",
                                      "192.0.2",
                                      "192.0.2.256",
                                      "192.0.2.01",
                                      "0x7f.1",
                                      "2130706433",
                                      "192.0.2.1 ",
                                      " 192.0.2.1",
                                      "192.0.2.1:80",
                                      "[::1]",
                                      "fe80::1%eth0",
                                      "1::2::3",
                                      "::ffff:192.0.2.1/96",
                                      std::string_view("192.0.2.1\0", 10),
                                      "1111:2222:3333:4444:5555:6666:7777:8888:9999"};
    for (const std::string_view text : wrong)
        EXPECT_FALSE(IpAddress::parse(text)) << text;
    EXPECT_FALSE(IpAddress::parse(std::string(100'000, '1')));
}

TEST(IpAddressTest, ClientsCountByWholeIpv4AddressAndByIpv6NetworkOf64Bits)
{
    EXPECT_EQ(address("2001:db8:1:2:3:4:5:6").client(), address("2001:db8:1:2::"));
    EXPECT_EQ(address("2001:db8:1:2::1").client(), address("2001:db8:1:2:ffff::").client());
    EXPECT_NE(address("2001:db8:1:2::1").client(), address("2001:db8:1:3::1").client());
    EXPECT_NE(address("192.0.2.1").client(), address("192.0.2.2").client());
    EXPECT_EQ(address("::ffff:192.0.2.1").client(), address("192.0.2.1"));
}

TEST(IpAddressTest, FourBytesAndSocketAddressesAreTheAddressesPeopleWrite)
{
    EXPECT_EQ(IpAddress::fromV4(std::array<std::uint8_t, 4>{192, 0, 2, 7}), address("192.0.2.7"));
    sockaddr_in v4{};
    v4.sin_family = AF_INET;
    ASSERT_EQ(::inet_pton(AF_INET, "192.0.2.7", &v4.sin_addr), 1);
    EXPECT_EQ(IpAddress::fromSocketAddress(reinterpret_cast<const sockaddr&>(v4)),
              address("192.0.2.7"));
    sockaddr_in6 v6{};
    v6.sin6_family = AF_INET6;
    ASSERT_EQ(::inet_pton(AF_INET6, "2001:db8::7", &v6.sin6_addr), 1);
    EXPECT_EQ(IpAddress::fromSocketAddress(reinterpret_cast<const sockaddr&>(v6)),
              address("2001:db8::7"));
    sockaddr other{};
    other.sa_family = AF_UNIX;
    EXPECT_FALSE(IpAddress::fromSocketAddress(other));
}

TEST(IpAddressTest, ANetworkContainsWhatBeginsWithItsBits)
{
    struct Row
    {
        std::string_view network, address;
        bool inside;
    };
    const Row rows[] = {
        {"10.0.0.0/8", "10.255.1.2", true},         {"10.0.0.0/8", "::ffff:10.1.2.3", true},
        {"10.0.0.0/8", "11.0.0.0", false},          {"10.0.0.0/8", "a00::", false},
        {"192.0.2.128/25", "192.0.2.127", false},   {"192.0.2.128/25", "192.0.2.129", true},
        {"192.0.2.77/25", "192.0.2.1", true},       {"192.0.2.1", "192.0.2.1", true},
        {"192.0.2.1", "192.0.2.2", false},          {"0.0.0.0/0", "203.0.113.9", true},
        {"0.0.0.0/0", "2001:db8::1", false},        {"::/0", "203.0.113.9", true},
        {"2001:db8::/33", "2001:db8:7fff::", true}, {"2001:db8::/33", "2001:db8:8000::", false},
        {"::ffff:10.0.0.0/104", "10.9.9.9", true},  {"::1/128", "::1", true},
    };
    for (const Row& row : rows)
    {
        const Result<Network> network = Network::parse(row.network);
        ASSERT_TRUE(network) << row.network;
        EXPECT_EQ(network->contains(address(row.address)), row.inside)
            << row.network << " " << row.address;
    }
}

TEST(IpAddressTest, ANetworkThatIsNoneIsRefusedWithItsText)
{
    for (const std::string_view text :
         {"", "proxy", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8/8", "10.0.0.0/+8",
          "10.0.0.0/8 ", "::1/129", "/8", "10.0.0.0/99999999999999999999"})
    {
        const Result<Network> network = Network::parse(text);
        ASSERT_FALSE(network) << text;
        EXPECT_EQ(network.error().code, ErrorCode::Configuration);
        EXPECT_NE(network.error().message.find(text), std::string::npos);
    }
}

} // namespace octostore::http
