// SPDX-License-Identifier: MIT
// Goal: no bytes make a transport see a request that a proxy in front of it did not see.
// Method: each vector is followed by a request that must never be answered.
#include "TransportFixture.h"

using namespace std::string_literals;

namespace octostore::test
{

class TransportHostileTest : public TransportFixture
{
protected:
    void expectRefused(const std::string& bytes)
    {
        SCOPED_TRACE(bytes);
        const std::size_t before = dispatcher.count();
        HttpClient client = connect();
        client.send(bytes + "GET /echo?smuggled HTTP/1.1\r\nHost: a\r\n\r\n");
        const auto response = client.receive();
        ASSERT_TRUE(response.has_value());
        EXPECT_EQ(response->status, 400);
        EXPECT_EQ(response->header("connection"), "close");
        const auto rest = client.readToEnd();
        ASSERT_TRUE(rest.has_value());
        EXPECT_EQ(*rest, "");
        EXPECT_EQ(dispatcher.count(), before + 1);
    }
};
OCTOSTORE_ON_EVERY_TRANSPORT(TransportHostileTest);

TEST_P(TransportHostileTest, AmbiguousLengthsAreRefused)
{
    start();
    for (const char* fields : {"Transfer-Encoding: xchunked\r\n",
                               "Transfer-Encoding: chunked, identity\r\n",
                               "Transfer-Encoding: gzip, chunked\r\n",
                               "Transfer-Encoding: identity\r\n",
                               "Transfer-Encoding: \x0b"
                               "chunked\r\n",
                               "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
                               "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
                               "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
                               "Content-Length: 5\r\nContent-Length: 5\r\n",
                               "Content-Length: 5\r\nContent-Length: 6\r\n",
                               "Content-Length: 5, 5\r\n",
                               "Content-Length: +5\r\n",
                               "Content-Length: -5\r\n",
                               "Content-Length: 0x5\r\n",
                               "Content-Length: 5 5\r\n",
                               "Content-Length: \r\n",
                               "Content-Length: =?utf-8?Q?5?=\r\n",
                               "Content-Length: 18446744073709551621\r\n",
                               "Content-Length : 5\r\n",
                               "Transfer-Encoding : chunked\r\n",
                               " Transfer-Encoding: chunked\r\n",
                               "X: y\r\n Transfer-Encoding: chunked\r\n",
                               "Transfer-Encoding:\r\n chunked\r\n",
                               "X: y\nTransfer-Encoding: chunked\r\n",
                               "X: y\rTransfer-Encoding: chunked\r\n"})
        expectRefused("POST /echo HTTP/1.1\r\nHost: a\r\n" + std::string(fields) + "\r\n0\r\n\r\n");
}

TEST_P(TransportHostileTest, BadHostsAndVersionsAreRefused)
{
    start();
    for (const char* head :
         {"GET /echo HTTP/1.1\r\n", "GET /echo HTTP/1.1\r\nHost: a\r\nHost: a\r\n",
          "GET /echo HTTP/1.1\r\nHost: a\r\nHost: b\r\n", "GET /echo HTTP/1.1\r\nHost: a b\r\n",
          "GET /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n",
          "GET /echo HTTP/2.0\r\nHost: a\r\n", "PRI * HTTP/2.0\r\n",
          "GET /echo HTTP/1.2\r\nHost: a\r\n", "GET /echo\r\nHost: a\r\n",
          "GET /echo http/1.1\r\nHost: a\r\n", "GET http://a/echo HTTP/1.1\r\nHost: a\r\n",
          "GET /\xc3\xa9 HTTP/1.1\r\nHost: a\r\n", "GET  /echo HTTP/1.1\r\nHost: a\r\n",
          "GET /echo HTTP/1.1 \r\nHost: a\r\n", "GET\t/echo\tHTTP/1.1\r\nHost: a\r\n",
          "G(T /echo HTTP/1.1\r\nHost: a\r\n", " GET /echo HTTP/1.1\r\nHost: a\r\n",
          "GET /echo HTTP/1.1\r\nHost: a\r\nno colon\r\n",
          "GET /echo HTTP/1.1\r\nHost: a\r\nX: \x01\r\n"})
        expectRefused(std::string(head) + "\r\n");
    expectRefused("GET /echo HTTP/1.1\r\nHost: a\r\nX: \0y\r\n\r\n"s);
    expectRefused("GET /echo HTTP/1.1\nHost: a\n\n");
    expectRefused("\x16\x03\x01\x02\x00\x01\x00\x01\xfc"s);
}

TEST_P(TransportHostileTest, BadChunksAreRefused)
{
    start();
    for (const char* body :
         {"x\r\n", "-1\r\n", "+1\r\na\r\n", "0x1\r\na\r\n", "1 \r\na\r\n", "\r\n", ";x\r\n",
          "1\r\nab\r\n", "1\r\na\n", "1\na\r\n", "1\r\na0\r\n\r\n", "fffffffffffffffff\r\n",
          "1\r\na\r\nzz\r\n", "1;\x01\r\na\r\n0\r\n\r\n"})
    {
        expectRefused("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" +
                      std::string(body));
    }
}

TEST_P(TransportHostileTest, EndlessChunkLinesAreRefused)
{
    options.headMax = 2000;
    start();
    const std::string head = "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    expectRefused(head + "1;" + std::string(50'000, 'e'));
    std::string trailers;
    for (int i = 0; i < 5000; ++i)
        trailers += "T: trailer\r\n";
    expectRefused(head + "0\r\n" + trailers);
}

} // namespace octostore::test
