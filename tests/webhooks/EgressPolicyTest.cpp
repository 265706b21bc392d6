// SPDX-License-Identifier: MIT
#include "EgressPolicy.h"

#include "TargetUrl.h"

#include <gtest/gtest.h>

namespace octostore::webhooks
{
namespace
{

EgressPolicy policy(EgressSettings settings = {})
{
    auto made = EgressPolicy::make(std::move(settings));
    EXPECT_TRUE(made);
    return *std::move(made);
}

bool allows(const EgressPolicy& policy, const char* address, bool secure = true,
            std::uint16_t port = 443)
{
    return policy.check(*http::IpAddress::parse(address), port, secure).ok();
}

constexpr auto hostile = {
    "127.0.0.1",       "10.0.0.1",        "172.16.0.1",       "192.168.1.1", "169.254.169.254",
    "100.64.0.1",      "0.0.0.0",         "192.0.2.1",        "198.18.0.1",  "224.0.0.1",
    "240.0.0.1",       "255.255.255.255", "::ffff:127.0.0.1", "::",          "::1",
    "::ffff:10.0.0.1", "fd00::1",         "fe80::1",          "ff02::1",     "64:ff9b::a00:1",
    "2002:7f00:1::1",  "2001::1",         "2001:db8::1",      "fec0::1",     "::7f00:1",
    "fd00:ec2::254",   "64:ff9b:1::1",    "100::1",           "5f00::1",     "3fff::1"};

TEST(EgressPolicyTest, NothingThatIsNotPublicIsDialled)
{
    for (const char* address : hostile)
        EXPECT_FALSE(allows(policy(), address)) << address;
    for (const char* address : {"1.1.1.1", "93.184.216.34", "2606:4700::1111", "2a00::1"})
    {
        EXPECT_TRUE(allows(policy(), address)) << address;
        EXPECT_FALSE(allows(policy(), address, false)) << address << " with http";
    }
}

TEST(EgressPolicyTest, AnAllowedNetworkIsDialledWithHttpTooButNotLinkLocalInIt)
{
    const EgressPolicy some = policy({false, {"10.20.0.0/16", "0.0.0.0/0"}, {}, 0});
    EXPECT_TRUE(allows(some, "10.20.3.4", false));
    EXPECT_TRUE(allows(some, "127.0.0.1", false));
    EXPECT_FALSE(allows(some, "169.254.169.254"));
    EXPECT_TRUE(allows(policy({false, {"169.254.169.254"}, {}, 0}), "169.254.169.254"));
}

TEST(EgressPolicyTest, PrivateNetworksMeanHttpsAndStillNoMetadata)
{
    const EgressPolicy open = policy({true, {}, {}, 0});
    EXPECT_TRUE(allows(open, "192.168.1.1"));
    EXPECT_FALSE(allows(open, "192.168.1.1", false));
    for (const char* address : {"169.254.169.254", "fe80::1", "::ffff:169.254.169.254",
                                "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1"})
        EXPECT_FALSE(allows(open, address)) << address;
}

TEST(EgressPolicyTest, ItsOwnListeningAddressIsOnlyDialledWhenNamedExactly)
{
    const auto own = *http::IpAddress::parse("10.0.0.5");
    const EgressPolicy some = policy({true, {"10.0.0.0/8", "127.0.0.0/8"}, {own}, 3000});
    EXPECT_FALSE(allows(some, "127.0.0.1", true, 3000));
    EXPECT_FALSE(allows(some, "10.0.0.5", true, 3000));
    EXPECT_TRUE(allows(some, "10.0.0.5", true, 3001));
    EXPECT_TRUE(allows(policy({true, {"10.0.0.5"}, {own}, 3000}), "10.0.0.5", true, 3000));
}

TEST(EgressPolicyTest, ANetworkOfOneAddressIsThatAddress)
{
    const EgressPolicy some = policy({false, {"169.254.169.254/32", "fe80::1/128"}, {}, 0});
    for (const char* address : {"169.254.169.254", "fe80::1"})
        EXPECT_TRUE(allows(some, address, false)) << address;
    EXPECT_FALSE(allows(policy({false, {"169.254.169.254/31"}, {}, 0}), "169.254.169.254"));
    EXPECT_FALSE(allows(policy({false, {"fe80::/32"}, {}, 0}), "fe80::1"));
}

TEST(TargetUrlTest, NumericFormsOfAHostAreTheAddressTheyStandFor)
{
    for (const char* host : {"127.1", "0x7f000001", "2130706433", "0177.0.0.1", "[::ffff:7f00:1]"})
    {
        const auto url = TargetUrl::parse("https://" + std::string(host) + "/x");
        ASSERT_TRUE(url) << host;
        ASSERT_TRUE(url->address) << host;
        EXPECT_EQ(url->host, "127.0.0.1") << host;
    }
}

TEST(TargetUrlTest, ItIsKeptInNormalForm)
{
    const auto url = TargetUrl::parse("HTTPS://Example.COM:443?a=1#part");
    ASSERT_TRUE(url);
    EXPECT_EQ(url->text(), "https://example.com/?a=1");
    for (const char* text : {"", "ftp://a/", "https://", "https://u:p@a/", "https://a:0/",
                             "https://a:70000/", "https://a b/", "https://[::1/", "https://a\\b"})
        EXPECT_FALSE(TargetUrl::parse(text)) << text;
}

} // namespace
} // namespace octostore::webhooks
