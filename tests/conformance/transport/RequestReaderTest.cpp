// SPDX-License-Identifier: MIT
/// @file
/// Both transports read requests alike, whatever takes the head and the body apart.
#include "plugins/http-beast/RequestReader.h"

#include "plugins/http-poco/RequestReader.h"

#include <gtest/gtest.h>

#include <string>

namespace octostore::http::test
{

template <class Reader>
class RequestReaderTest : public testing::Test
{
protected:
    TransportOptions options;
    Reader reader{options};
};

using Readers = testing::Types<http_beast::RequestReader, http_poco::RequestReader>;
TYPED_TEST_SUITE(RequestReaderTest, Readers);

TYPED_TEST(RequestReaderTest, ARequestTakesItsBytesAndLeavesTheNext)
{
    const std::string first = "POST /a?b HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc";
    EXPECT_FALSE(this->reader.started());
    EXPECT_EQ(this->reader.feed(first + "GET /"), first.size());
    ASSERT_TRUE(this->reader.complete());
    EXPECT_TRUE(this->reader.framing().keepAlive);
    const Request request = this->reader.take();
    EXPECT_EQ(request.method, Method::Post);
    EXPECT_EQ(request.target, "/a?b");
    EXPECT_EQ(*request.headers.find("host"), "h");
    EXPECT_EQ(request.body, "abc");
    EXPECT_FALSE(request.fault.has_value());
}

TYPED_TEST(RequestReaderTest, LineEndsBeforeARequestDoNotStartIt)
{
    EXPECT_EQ(this->reader.feed("\r\n\r\n"), 4U);
    EXPECT_FALSE(this->reader.started());
    this->reader.feed("\r\nG");
    EXPECT_TRUE(this->reader.started());
}

TYPED_TEST(RequestReaderTest, PermissionToGoOnIsGivenOnce)
{
    const std::string head = "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n";
    this->reader.feed(head + "Content-Length: 3\r\n\r\n");
    EXPECT_TRUE(this->reader.takeContinue());
    EXPECT_FALSE(this->reader.takeContinue());

    TypeParam withBody(this->options);
    withBody.feed(head + "Content-Length: 3\r\n\r\na");
    EXPECT_FALSE(withBody.takeContinue());
    TypeParam withoutBody(this->options);
    withoutBody.feed(head + "\r\n");
    EXPECT_FALSE(withoutBody.takeContinue());
    EXPECT_TRUE(withoutBody.complete());
}

TYPED_TEST(RequestReaderTest, ARefusedRequestEndsTheConnection)
{
    this->reader.feed("GET / HTTP/1.1\r\n\r\n");
    ASSERT_TRUE(this->reader.complete());
    EXPECT_FALSE(this->reader.framing().keepAlive);
    const Request request = this->reader.take();
    ASSERT_TRUE(request.fault.has_value());
    EXPECT_EQ(request.fault->code, ErrorCode::Malformed);
    EXPECT_EQ(request.method, Method::Get);
}

TYPED_TEST(RequestReaderTest, WhoeverGivesUpSaysWhy)
{
    this->reader.feed("GET / HT");
    this->reader.fail({ErrorCode::RequestTimeout, "late"});
    ASSERT_TRUE(this->reader.complete());
    EXPECT_EQ(this->reader.take().fault->code, ErrorCode::RequestTimeout);
}

} // namespace octostore::http::test
