// SPDX-License-Identifier: MIT
#include <octostore/http/ClientAddress.h>

#include <gtest/gtest.h>

namespace octostore::http
{

namespace
{

struct Row
{
    std::string_view what;
    std::string_view peer;
    std::vector<Header> headers;
    std::string_view client;
};

void check(const std::vector<Row>& rows, const ProxyTrust& trust)
{
    for (const Row& row : rows)
    {
        Headers headers;
        for (const Header& header : row.headers)
            headers.add(header.name, header.value);
        EXPECT_EQ(clientAddress(row.peer, headers, trust).text(), row.client) << row.what;
    }
}

ProxyTrust trusting(const std::vector<std::string>& proxies,
                    const std::vector<std::string>& headers = {"forwarded", "x-forwarded-for",
                                                               "cf-connecting-ip"})
{
    Result<ProxyTrust> trust = ProxyTrust::parse(proxies, headers);
    EXPECT_TRUE(trust);
    return trust ? *trust : ProxyTrust();
}

} // namespace

TEST(ClientAddressTest, WithoutATrustedPeerHeadersAreNotRead)
{
    const std::vector<Header> all{{"Forwarded", "for=203.0.113.1"},
                                  {"X-Forwarded-For", "203.0.113.2"},
                                  {"CF-Connecting-IP", "203.0.113.3"}};
    check(
        {
            {"public peer", "198.51.100.7", all, "198.51.100.7"},
            {"private peer", "10.0.0.1", all, "10.0.0.1"},
            {"IPv6 peer", "2001:db8::7", all, "2001:db8::7"},
            {"mapped peer", "::ffff:198.51.100.7", all, "198.51.100.7"},
        },
        ProxyTrust());
    check({{"nobody is trusted", "127.0.0.1", all, "127.0.0.1"}}, trusting({}));
}

TEST(ClientAddressTest, ATrustedPeerIsAskedInOrder)
{
    check(
        {
            {"no header", "127.0.0.1", {}, "127.0.0.1"},
            {"all three",
             "127.0.0.1",
             {{"CF-Connecting-IP", "203.0.113.3"},
              {"X-Forwarded-For", "203.0.113.2"},
              {"Forwarded", "for=203.0.113.1"}},
             "203.0.113.1"},
            {"two",
             "::1",
             {{"CF-Connecting-IP", "203.0.113.3"}, {"x-forwarded-for", "203.0.113.2"}},
             "203.0.113.2"},
            {"one", "127.9.9.9", {{"cf-connecting-ip", " 2001:db8::3 "}}, "2001:db8::3"},
            {"mapped loopback",
             "::ffff:127.0.0.1",
             {{"X-Forwarded-For", "203.0.113.2"}},
             "203.0.113.2"},
            {"local socket", "unix", {{"X-Forwarded-For", "203.0.113.2"}}, "203.0.113.2"},
            {"local socket alone", "unix", {}, "::1"},
            {"X-Real-IP is not read", "127.0.0.1", {{"X-Real-IP", "203.0.113.2"}}, "127.0.0.1"},
        },
        ProxyTrust());
}

TEST(ClientAddressTest, OnlyTheNamedHeadersAreRead)
{
    const std::vector<Header> all{{"Forwarded", "for=203.0.113.1"},
                                  {"X-Forwarded-For", "203.0.113.2"},
                                  {"CF-Connecting-IP", "203.0.113.3"}};
    check({{"one", "127.0.0.1", all, "203.0.113.2"}}, trusting({"127.0.0.1"}, {"X-Forwarded-For"}));
    check({{"another order", "127.0.0.1", all, "203.0.113.3"}},
          trusting({"127.0.0.1"}, {"cf-connecting-ip", "forwarded"}));
    check({{"none", "127.0.0.1", all, "127.0.0.1"}}, trusting({"127.0.0.1"}, {}));
}

TEST(ClientAddressTest, TheRightMostAddressThatIsNoTrustedProxyCounts)
{
    check(
        {
            {"one hop", "10.0.0.1", {{"X-Forwarded-For", "203.0.113.2"}}, "203.0.113.2"},
            {"what the client wrote itself is hearsay",
             "10.0.0.1",
             {{"X-Forwarded-For", "1.1.1.1, 203.0.113.2"}},
             "203.0.113.2"},
            {"a chain of proxies",
             "10.0.0.1",
             {{"X-Forwarded-For", "1.1.1.1,203.0.113.2 ,10.0.0.3,\t10.0.0.2"}},
             "203.0.113.2"},
            {"several header lines are one list",
             "10.0.0.1",
             {{"X-Forwarded-For", "1.1.1.1"},
              {"X-Forwarded-For", "203.0.113.2"},
              {"X-Forwarded-For", "10.0.0.3"}},
             "203.0.113.2"},
            {"only proxies: the farthest",
             "10.0.0.1",
             {{"X-Forwarded-For", "10.0.0.4, 10.0.0.3"}},
             "10.0.0.4"},
            {"a pretended proxy between is hearsay too",
             "10.0.0.1",
             {{"X-Forwarded-For", "1.1.1.1, 10.0.0.9, 203.0.113.2, 10.0.0.3"}},
             "203.0.113.2"},
            {"Forwarded",
             "10.0.0.1",
             {{"Forwarded", "for=1.1.1.1, for=203.0.113.2;proto=https;by=10.0.0.3,for=10.0.0.3"}},
             "203.0.113.2"},
        },
        trusting({"10.0.0.0/8", "2001:db8:f::/48"}));
}

TEST(ClientAddressTest, EveryUsualWayToWriteAnAddressIsUnderstood)
{
    const auto forwarded = [](std::string value) {
        return std::vector<Header>{{"Forwarded", std::move(value)}};
    };
    const auto list = [](std::string value) {
        return std::vector<Header>{{"X-Forwarded-For", std::move(value)}};
    };
    check(
        {
            {"port", "::1", list("203.0.113.2:4711"), "203.0.113.2"},
            {"IPv6", "::1", list("2001:db8::2"), "2001:db8::2"},
            {"IPv6 in brackets", "::1", list("[2001:db8::2]"), "2001:db8::2"},
            {"IPv6 and port", "::1", list("[2001:db8::2]:4711"), "2001:db8::2"},
            {"mapped", "::1", list("::ffff:203.0.113.2"), "203.0.113.2"},
            {"mapped loopback is trusted", "::1", list("203.0.113.2, ::ffff:127.0.0.1"),
             "203.0.113.2"},
            {"quoted", "::1", forwarded("for=\"203.0.113.2:4711\""), "203.0.113.2"},
            {"quoted IPv6", "::1", forwarded("For=\"[2001:db8::2]:4711\"; proto=http"),
             "2001:db8::2"},
            {"any order", "::1", forwarded("proto=http ; by=\"[::1]\" ; FOR = 203.0.113.2"),
             "203.0.113.2"},
        },
        ProxyTrust());
}

TEST(ClientAddressTest, HostileHeadersGiveTheLastTrustedHop)
{
    const auto forwarded = [](std::string value) {
        return std::vector<Header>{{"Forwarded", std::move(value)}};
    };
    const auto list = [](std::string value) {
        return std::vector<Header>{{"X-Forwarded-For", std::move(value)}};
    };
    const std::string long1(8000, ',');
    check(
        {
            {"nothing in it", "::1", list(""), "::1"},
            {"commas", "::1", list(long1), "::1"},
            {"a name", "::1", list("203.0.113.2, localhost"), "::1"},
            {"a bad port", "::1", list("203.0.113.2:x"), "::1"},
            {"a long port", "::1", list("203.0.113.2:123456"), "::1"},
            {"an open bracket", "::1", list("[2001:db8::2"), "::1"},
            {"behind the bracket", "::1", list("[2001:db8::2]4711"), "::1"},
            {"a zone", "::1", list("fe80::2%eth0"), "::1"},
            {"a NUL", "::1", list(std::string("203.0.113.2\0", 12)), "::1"},
            {"an octal octet", "::1", list("203.0.113.02"), "::1"},
            {"garbage behind a proxy", "::1", list("203.0.113.2, ?, 127.0.0.3"), "127.0.0.3"},
            {"unknown", "::1", forwarded("for=203.0.113.2, for=unknown"), "::1"},
            {"hidden", "::1", forwarded("for=203.0.113.2, for=_hidden"), "::1"},
            {"no for", "::1", forwarded("by=203.0.113.2;proto=https"), "::1"},
            {"for twice", "::1", forwarded("for=203.0.113.2;for=203.0.113.3"), "::1"},
            {"a lone quote", "::1", forwarded("for=\""), "::1"},
            {"an open quote swallows nothing", "::1", forwarded("for=\"1.1.1.1, for=203.0.113.2"),
             "203.0.113.2"},
            {"an escape swallows nothing", "::1", forwarded("for=\"1.1.1.1\\, for=203.0.113.2"),
             "203.0.113.2"},
            {"a useless Forwarded does not hide the next header",
             "::1",
             {{"Forwarded", "for=unknown"}, {"X-Forwarded-For", "203.0.113.2"}},
             "203.0.113.2"},
            {"a list in CF-Connecting-IP",
             "::1",
             {{"CF-Connecting-IP", "203.0.113.2, 1.1.1.1"}},
             "::1"},
            {"CF-Connecting-IP twice",
             "::1",
             {{"CF-Connecting-IP", "203.0.113.2"}, {"CF-Connecting-IP", "1.1.1.1"}},
             "::1"},
            {"a port in CF-Connecting-IP", "::1", {{"CF-Connecting-IP", "203.0.113.2:80"}}, "::1"},
        },
        ProxyTrust());
}

TEST(ClientAddressTest, AWrongEntryIsRefusedWithItsKey)
{
    const Result<ProxyTrust> proxies = ProxyTrust::parse({"10.0.0.0/8", "proxy.local"}, {});
    ASSERT_FALSE(proxies);
    EXPECT_EQ(proxies.error().code, ErrorCode::Configuration);
    EXPECT_EQ(proxies.error().message.rfind("http.trusted_proxies: `proxy.local`", 0), 0U)
        << proxies.error().message;

    const Result<ProxyTrust> headers = ProxyTrust::parse({}, {"x-real-ip"});
    ASSERT_FALSE(headers);
    EXPECT_EQ(headers.error().message.rfind("http.client_address_headers: `x-real-ip`", 0), 0U);
}

} // namespace octostore::http
