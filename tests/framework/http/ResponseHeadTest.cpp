// SPDX-License-Identifier: MIT
#include <octostore/http/ResponseHead.h>

#include <gtest/gtest.h>

namespace octostore::http
{

namespace
{

constexpr std::string_view date = "Sun, 06 Nov 1994 08:49:37 GMT";

std::string headOf(const Response& response, BodyForm body = BodyForm::Length, bool http11 = true,
                   bool keepAlive = true)
{
    return responseHead(response, {body, http11, keepAlive, date});
}

} // namespace

TEST(ResponseHeadTest, AFixedAnswerHasItsLength)
{
    EXPECT_EQ(headOf(jsonResponse("{}")), "HTTP/1.1 200 OK\r\n"
                                          "content-type: application/json\r\n"
                                          "content-length: 2\r\n"
                                          "date: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n");
}

TEST(ResponseHeadTest, AnAnswerWithoutContentHasNoLength)
{
    Response response;
    response.status = 204;
    EXPECT_EQ(headOf(response).find("content-length"), std::string::npos);
    response.status = 200;
    EXPECT_NE(headOf(response).find("content-length: 0\r\n"), std::string::npos);
}

TEST(ResponseHeadTest, StreamsAreChunkedOrEndWithTheConnection)
{
    const Response response;
    const std::string chunked = headOf(response, BodyForm::Chunked);
    EXPECT_NE(chunked.find("transfer-encoding: chunked\r\n"), std::string::npos);
    EXPECT_EQ(chunked.find("content-length"), std::string::npos);
    const std::string untilClose = headOf(response, BodyForm::UntilClose, false, false);
    EXPECT_EQ(untilClose.find("transfer-encoding"), std::string::npos);
    EXPECT_EQ(untilClose.find("content-length"), std::string::npos);
    EXPECT_NE(untilClose.find("connection: close\r\n"), std::string::npos);
}

TEST(ResponseHeadTest, TheConnectionHeaderSaysWhatIsNotTheDefault)
{
    const Response response;
    EXPECT_EQ(headOf(response).find("connection:"), std::string::npos);
    EXPECT_NE(headOf(response, BodyForm::Length, true, false).find("connection: close\r\n"),
              std::string::npos);
    EXPECT_NE(headOf(response, BodyForm::Length, false, true).find("connection: keep-alive\r\n"),
              std::string::npos);
}

TEST(ResponseHeadTest, NoValueCanEndTheHead)
{
    Response response;
    response.headers.add("x-echo", "a\r\nset-cookie: b\r\n\r\n");
    const std::string head = headOf(response);
    EXPECT_NE(head.find("x-echo: a  set-cookie: b    \r\n"), std::string::npos);
    EXPECT_EQ(head.find("\r\n\r\n"), head.size() - 4);
}

TEST(ResponseHeadTest, DatesAreThoseOfHttp)
{
    EXPECT_EQ(httpDate(WallTime(std::chrono::seconds(784111777))), date);
    DateCache cache;
    EXPECT_EQ(cache.at(WallTime(std::chrono::milliseconds(784111777'999))), date);
    EXPECT_EQ(cache.at(WallTime(std::chrono::seconds(784111778))), "Sun, 06 Nov 1994 08:49:38 GMT");
}

} // namespace octostore::http
