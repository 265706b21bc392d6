// SPDX-License-Identifier: MIT
#include "client/Proxy.h"

#include <gtest/gtest.h>

namespace octostore::client
{

class ProxyTest : public testing::Test
{
protected:
    std::string proxyOf(const std::string& url) const
    {
        const auto proxy = proxyFor(*ServerUrl::parse(url), _environment);
        return proxy ? proxy->text() : "none";
    }

    std::map<std::string, std::string> _environment{{"HTTP_PROXY", "http://web:8080"},
                                                    {"HTTPS_PROXY", "secure:3128"}};
};

TEST_F(ProxyTest, EachSchemeHasItsOwn)
{
    EXPECT_EQ(proxyOf("http://a.example"), "http://web:8080");
    EXPECT_EQ(proxyOf("https://a.example"), "http://secure:3128");
}

TEST_F(ProxyTest, LoopbackHasNone)
{
    EXPECT_EQ(proxyOf("http://localhost:3000"), "none");
    EXPECT_EQ(proxyOf("http://127.0.0.1:3000"), "none");
    EXPECT_EQ(proxyOf("https://[::1]"), "none");
    EXPECT_EQ(proxyOf("unix:/run/a.sock"), "none");
}

TEST_F(ProxyTest, NamesInNoProxyHaveNone)
{
    _environment["NO_PROXY"] = "other.example, .inner.example ,exact.org";
    EXPECT_EQ(proxyOf("http://inner.example"), "none");
    EXPECT_EQ(proxyOf("http://deep.inner.example"), "none");
    EXPECT_EQ(proxyOf("http://exact.org"), "none");
    EXPECT_EQ(proxyOf("http://notexact.org"), "http://web:8080");
    _environment["NO_PROXY"] = "*";
    EXPECT_EQ(proxyOf("https://a.example"), "none");
}

TEST_F(ProxyTest, ARequestHeaderOfACgiProgramIsNoProxy)
{
    _environment["REQUEST_METHOD"] = "GET";
    EXPECT_EQ(proxyOf("http://a.example"), "none");
}

TEST_F(ProxyTest, AllProxyIsForTheRest)
{
    _environment = {{"all_proxy", "http://all:1"}};
    EXPECT_EQ(proxyOf("http://a.example"), "http://all:1");
    _environment = {{"ALL_PROXY", "socks5://all:1"}};
    EXPECT_EQ(proxyOf("http://a.example"), "none");
}

} // namespace octostore::client
