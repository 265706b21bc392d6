// SPDX-License-Identifier: MIT
#include <octostore/http/Framing.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace std::string_literals;

namespace octostore::http
{

namespace
{

const HeadLimits limits{1024, 10, 256};

Headers headersOf(const std::vector<Header>& list)
{
    Headers headers;
    for (const Header& header : list)
        headers.add(header.name, header.value);
    return headers;
}

Result<Framing> check(const std::vector<Header>& headers, std::string_view version = "HTTP/1.1",
                      std::string_view method = "POST", std::string_view target = "/a")
{
    return checkHead(method, target, version, headersOf(headers), limits);
}

} // namespace

TEST(FramingTest, APlainHeadIsTaken)
{
    const auto framing = check({{"Host", "a.example:80"}, {"Content-Length", "12"}});
    ASSERT_TRUE(framing.ok());
    EXPECT_TRUE(framing->http11);
    EXPECT_TRUE(framing->keepAlive);
    EXPECT_FALSE(framing->chunked);
    EXPECT_EQ(framing->contentLength, 12U);
    EXPECT_FALSE(framing->expectsContinue);
}

TEST(FramingTest, AChunkedBodyThatIsAnnouncedIsTaken)
{
    const auto framing = check(
        {{"host", "[::1]:3000"}, {"transfer-encoding", "chunked"}, {"expect", "100-Continue"}});
    ASSERT_TRUE(framing.ok());
    EXPECT_TRUE(framing->chunked);
    EXPECT_TRUE(framing->expectsContinue);
}

TEST(FramingTest, KeepAliveIsTheDefaultOfHttp11Only)
{
    EXPECT_TRUE(check({{"host", "a"}})->keepAlive);
    EXPECT_FALSE(check({{"host", "a"}, {"connection", "te, Close"}})->keepAlive);
    EXPECT_FALSE(check({}, "HTTP/1.0")->keepAlive);
    EXPECT_FALSE(check({}, "HTTP/1.0")->http11);
    EXPECT_TRUE(check({{"connection", "Keep-Alive"}}, "HTTP/1.0")->keepAlive);
    EXPECT_FALSE(check({{"expect", "100-continue"}}, "HTTP/1.0")->expectsContinue);
}

TEST(FramingTest, WhateverTwoServersCouldReadDifferentlyIsRefused)
{
    const std::vector<std::vector<Header>> vectors = {
        {{"host", "a"}, {"transfer-encoding", "xchunked"}},
        {{"host", "a"}, {"transfer-encoding", "chunked, identity"}},
        {{"host", "a"}, {"transfer-encoding", "gzip, chunked"}},
        {{"host", "a"}, {"transfer-encoding", "identity"}},
        {{"host", "a"}, {"transfer-encoding", "Chunked"}},
        {{"host", "a"}, {"transfer-encoding", "chunked,"}},
        {{"host", "a"}, {"transfer-encoding", ""}},
        {{"host", "a"}, {"transfer-encoding", "chunked"}, {"transfer-encoding", "chunked"}},
        {{"host", "a"}, {"transfer-encoding", "chunked"}, {"content-length", "3"}},
        {{"host", "a"}, {"content-length", "3"}, {"transfer-encoding", "chunked"}},
        {{"host", "a"}, {"content-length", "3"}, {"content-length", "3"}},
        {{"host", "a"}, {"content-length", "3"}, {"Content-Length", "4"}},
        {{"host", "a"}, {"content-length", "3, 3"}},
        {{"host", "a"}, {"content-length", "+3"}},
        {{"host", "a"}, {"content-length", "-3"}},
        {{"host", "a"}, {"content-length", "0x3"}},
        {{"host", "a"}, {"content-length", "3 "}},
        {{"host", "a"}, {"content-length", ""}},
        {{"host", "a"}, {"content-length", "18446744073709551616"}},
        {},
        {{"host", "a"}, {"host", "a"}},
        {{"host", "a"}, {"HOST", "b"}},
        {{"host", "a b"}},
        {{"host", "a,b"}},
        {{"host", "a/b"}},
        {{"host", "user@a"}}};
    for (const auto& vector : vectors)
    {
        const auto framing = check(vector);
        const std::string name =
            vector.empty() ? "no host" : vector.back().name + ": " + vector.back().value;
        ASSERT_FALSE(framing.ok()) << name;
        EXPECT_EQ(framing.error().code, ErrorCode::Malformed) << name;
    }
}

TEST(FramingTest, Http10HasNoTransferEncoding)
{
    EXPECT_FALSE(check({{"transfer-encoding", "chunked"}}, "HTTP/1.0").ok());
}

TEST(FramingTest, OnlyTheVersionsWeSpeakAreTaken)
{
    for (const char* version : {"HTTP/2.0", "HTTP/1.2", "HTTP/0.9", "http/1.1", "HTTP/1.10", ""})
        EXPECT_FALSE(check({{"host", "a"}}, version).ok()) << version;
}

TEST(FramingTest, TargetsAreOriginFormInAscii)
{
    const std::vector<Header> host = {{"host", "a"}};
    for (const char* target : {"http://a/b", "a", "", "*", "/\xc3\xa9", "/a#b", "/a b", "/a\x7f"})
        EXPECT_FALSE(check(host, "HTTP/1.1", "GET", target).ok()) << target;
    for (const char* target : {"/", "/a?b=c", "/%C3%A9", "/a|b", "//a"})
        EXPECT_TRUE(check(host, "HTTP/1.1", "GET", target).ok()) << target;
    EXPECT_TRUE(check(host, "HTTP/1.1", "OPTIONS", "*").ok());
    EXPECT_FALSE(check(host, "HTTP/1.1", "G(T", "/").ok());
    EXPECT_FALSE(check(host, "HTTP/1.1", "", "/").ok());
}

TEST(FramingTest, SizesHaveTheirOwnCodes)
{
    const std::vector<Header> host = {{"host", "a"}};
    const auto longTarget = check(host, "HTTP/1.1", "GET", "/" + std::string(256, 'a'));
    ASSERT_FALSE(longTarget.ok());
    EXPECT_EQ(longTarget.error().code, ErrorCode::UriTooLong);
    EXPECT_TRUE(check(host, "HTTP/1.1", "GET", "/" + std::string(255, 'a')).ok());

    std::vector<Header> many(10, {"x", "y"});
    many[0] = {"host", "a"};
    EXPECT_TRUE(check(many).ok());
    many.push_back({"x", "y"});
    ASSERT_FALSE(check(many).ok());
    EXPECT_EQ(check(many).error().code, ErrorCode::HeadersTooLarge);
}

TEST(FramingTest, AHeadIsFoundAtItsBlankLine)
{
    const std::string head = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    const std::string bytes = head + "body \n \r";
    EXPECT_EQ(*findHead(bytes, limits), head.size());
    for (std::size_t length = 0; length < head.size(); ++length)
        EXPECT_EQ(*findHead(bytes.substr(0, length), limits), 0U) << length;
    EXPECT_EQ(*findHead("GET / HTTP/1.0\r\n\r\n", limits), 18U);
}

TEST(FramingTest, RawBytesThatParsersRepairAreRefused)
{
    const std::vector<std::string> vectors = {"GET / HTTP/1.1\nHost: a\n\n",
                                              "GET / HTTP/1.1\r\nHost: a\nX: y\r\n\r\n",
                                              "GET / HTTP/1.1\r\nHost: a\rX: y\r\n\r\n",
                                              "GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n",
                                              "GET / HTTP/1.1\r\nHost: a\r\n\tfolded\r\n\r\n",
                                              "GET / HTTP/1.1\r\n Host: a\r\n\r\n",
                                              "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
                                              "GET / HTTP/1.1\r\nHost\r\n\r\n",
                                              "GET / HTTP/1.1\r\n: a\r\n\r\n",
                                              "GET / HTTP/1.1\r\nHo(st: a\r\n\r\n",
                                              "GET  / HTTP/1.1\r\nHost: a\r\n\r\n",
                                              "GET / HTTP/1.1 \r\nHost: a\r\n\r\n",
                                              "GET\t/\tHTTP/1.1\r\nHost: a\r\n\r\n",
                                              "GET /\r\nHost: a\r\n\r\n",
                                              "GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n"s,
                                              "GET / HTTP/1.1\r\nHost: a\x01\r\n\r\n",
                                              "\x16\x03\x01\x02"};
    for (const std::string& vector : vectors)
    {
        const auto found = findHead(vector, limits);
        ASSERT_FALSE(found.ok()) << vector;
        EXPECT_EQ(found.error().code, ErrorCode::Malformed) << vector;
    }
}

TEST(FramingTest, AHeadThatGrowsTooLongIsRefusedBeforeItEnds)
{
    const auto longLine = findHead("GET /" + std::string(400, 'a'), limits);
    ASSERT_FALSE(longLine.ok());
    EXPECT_EQ(longLine.error().code, ErrorCode::UriTooLong);

    const auto longHead = findHead("GET / HTTP/1.1\r\nX: " + std::string(1024, 'a'), limits);
    ASSERT_FALSE(longHead.ok());
    EXPECT_EQ(longHead.error().code, ErrorCode::HeadersTooLarge);
}

} // namespace octostore::http
