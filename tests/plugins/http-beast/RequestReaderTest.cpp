// SPDX-License-Identifier: MIT
#include "RequestReader.h"

#include <gtest/gtest.h>

#include <string>

namespace octostore::http_beast
{

class RequestReaderTest : public testing::Test
{
protected:
    http::TransportOptions options;
    RequestReader reader{options};
};

TEST_F(RequestReaderTest, ARequestTakesItsBytesAndLeavesTheNext)
{
    const std::string first = "POST /a?b HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc";
    EXPECT_FALSE(reader.started());
    EXPECT_EQ(reader.feed(first + "GET /"), first.size());
    ASSERT_TRUE(reader.complete());
    EXPECT_TRUE(reader.framing().keepAlive);
    const http::Request request = reader.take();
    EXPECT_EQ(request.method, http::Method::Post);
    EXPECT_EQ(request.target, "/a?b");
    EXPECT_EQ(*request.headers.find("host"), "h");
    EXPECT_EQ(request.body, "abc");
    EXPECT_FALSE(request.fault.has_value());
}

TEST_F(RequestReaderTest, LineEndsBeforeARequestDoNotStartIt)
{
    EXPECT_EQ(reader.feed("\r\n\r\n"), 4U);
    EXPECT_FALSE(reader.started());
    reader.feed("\r\nG");
    EXPECT_TRUE(reader.started());
}

TEST_F(RequestReaderTest, PermissionToGoOnIsGivenOnce)
{
    const std::string head = "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n";
    reader.feed(head + "Content-Length: 3\r\n\r\n");
    EXPECT_TRUE(reader.takeContinue());
    EXPECT_FALSE(reader.takeContinue());

    RequestReader withBody(options);
    withBody.feed(head + "Content-Length: 3\r\n\r\na");
    EXPECT_FALSE(withBody.takeContinue());
    RequestReader withoutBody(options);
    withoutBody.feed(head + "\r\n");
    EXPECT_FALSE(withoutBody.takeContinue());
    EXPECT_TRUE(withoutBody.complete());
}

TEST_F(RequestReaderTest, ARefusedRequestEndsTheConnection)
{
    reader.feed("GET / HTTP/1.1\r\n\r\n");
    ASSERT_TRUE(reader.complete());
    EXPECT_FALSE(reader.framing().keepAlive);
    const http::Request request = reader.take();
    ASSERT_TRUE(request.fault.has_value());
    EXPECT_EQ(request.fault->code, ErrorCode::Malformed);
    EXPECT_EQ(request.method, http::Method::Get);
}

TEST_F(RequestReaderTest, WhoeverGivesUpSaysWhy)
{
    reader.feed("GET / HT");
    reader.fail({ErrorCode::RequestTimeout, "late"});
    ASSERT_TRUE(reader.complete());
    EXPECT_EQ(reader.take().fault->code, ErrorCode::RequestTimeout);
}

} // namespace octostore::http_beast
