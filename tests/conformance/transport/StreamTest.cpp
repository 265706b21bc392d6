// SPDX-License-Identifier: MIT
#include "TransportFixture.h"

namespace octostore::test
{

class TransportStreamTest : public TransportFixture
{
protected:
    /// Asks for a stream and reads its head.
    std::shared_ptr<Served> open(HttpClient& client,
                                 const char* request = "GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
    {
        const std::size_t before = dispatcher.count();
        client.send(request);
        auto served = dispatcher.await(before + 1);
        if (served == nullptr || !dispatcher.until([&] { return served->stream != nullptr; }))
            return nullptr;
        head = client.receiveHead().value_or(HttpResponse{});
        return served;
    }

    HttpResponse head;
};
OCTOSTORE_ON_EVERY_TRANSPORT(TransportStreamTest);

TEST_P(TransportStreamTest, EveryWriteIsOneChunk)
{
    start();
    HttpClient client = connect();
    const auto served = open(client);
    ASSERT_NE(served, nullptr);
    EXPECT_EQ(head.status, 200);
    EXPECT_EQ(head.header("transfer-encoding"), "chunked");
    EXPECT_EQ(head.headers.count("content-length"), 0U);
    EXPECT_TRUE(served->stream->write(chunk("one")));
    EXPECT_EQ(client.readChunk(), "one");
    EXPECT_TRUE(served->stream->write(chunk("two")));
    EXPECT_TRUE(served->stream->write(chunk("three")));
    EXPECT_EQ(client.readChunk(), "two");
    EXPECT_EQ(client.readChunk(), "three");
    EXPECT_TRUE(dispatcher.until([&] { return served->stream->unsentBytes() == 0; }));
    EXPECT_FALSE(dispatcher.holds([&] { return served->closed; }));
}

TEST_P(TransportStreamTest, AStreamThatIsClosedEndsCleanlyAndTheConnectionGoesOn)
{
    start();
    HttpClient client = connect();
    const auto served = open(client);
    ASSERT_NE(served, nullptr);
    EXPECT_TRUE(served->stream->write(chunk("last words")));
    served->stream->close();
    EXPECT_FALSE(served->stream->write(chunk("more")));
    EXPECT_EQ(client.readChunk(), "last words");
    EXPECT_EQ(client.readChunk(), "");
    EXPECT_TRUE(dispatcher.until([&] { return served->delivered == true && served->closed; }));
    ASSERT_TRUE(client.get("/echo"));
    EXPECT_EQ(client.receive().value_or(HttpResponse{}).body, "GET /echo ");
}

TEST_P(TransportStreamTest, AStreamThatSaysItsLengthIsNotChunkedAndItsEarlyEndIsSeen)
{
    start();
    for (const char* text : {"0123456789", "0123"})
    {
        HttpClient client = connect();
        const auto served = open(client, "GET /sized-stream HTTP/1.1\r\nHost: a\r\n\r\n");
        ASSERT_NE(served, nullptr);
        EXPECT_EQ(head.header("content-length"), "10");
        EXPECT_EQ(head.headers.count("transfer-encoding"), 0U);
        EXPECT_EQ(head.header("connection"), "close");
        EXPECT_TRUE(served->stream->write(chunk(text)));
        served->stream->close();
        EXPECT_EQ(client.readToEnd(), text);
    }
}

TEST_P(TransportStreamTest, APipelinedRequestIsServedAfterTheStream)
{
    start();
    HttpClient client = connect();
    const auto served = open(client);
    ASSERT_NE(served, nullptr);
    ASSERT_TRUE(client.get("/echo"));
    EXPECT_TRUE(served->stream->write(chunk("one")));
    EXPECT_EQ(client.readChunk(), "one");
    served->stream->close();
    EXPECT_EQ(client.readChunk(), "");
    EXPECT_EQ(client.receive().value_or(HttpResponse{}).body, "GET /echo ");
}

TEST_P(TransportStreamTest, TheWriterLearnsThatTheClientHasGone)
{
    start();
    HttpClient client = connect();
    const auto served = open(client);
    ASSERT_NE(served, nullptr);
    client.close();
    EXPECT_TRUE(dispatcher.until([&] { return served->closed; }));
    EXPECT_FALSE(served->stream->write(chunk("nobody there")));
    EXPECT_TRUE(dispatcher.until([&] { return served->delivered == false; }));
}

TEST_P(TransportStreamTest, AHalfClosedWatcherHasGone)
{
    start();
    HttpClient client = connect();
    const auto served = open(client);
    ASSERT_NE(served, nullptr);
    client.finishSending();
    EXPECT_TRUE(dispatcher.until([&] { return served->closed; }));
}

TEST_P(TransportStreamTest, AClientThatDoesNotReadIsBounded)
{
    options.streamBufferMax = 100'000;
    start();
    HttpClient client = connect();
    client.shrinkReceiveBuffer();
    const auto served = open(client);
    ASSERT_NE(served, nullptr);
    // The kernel takes some megabytes before it makes us wait.
    const auto block = chunk(std::string(50'000, 'x'));
    std::size_t written = 0;
    EXPECT_TRUE(dispatcher.until(
        [&]
        {
            while (written < 2000 && served->stream->write(block))
                ++written;
            return served->stream->unsentBytes() > 50'000;
        }));
    EXPECT_LE(served->stream->unsentBytes(), 100'000U);
    EXPECT_LT(written, 2000U);
}

TEST_P(TransportStreamTest, AClientThatReadsNothingForTooLongIsCut)
{
    options.writeTimeout = Milliseconds{200};
    options.streamBufferMax = 16'000'000;
    start();
    HttpClient client = connect();
    client.shrinkReceiveBuffer();
    const auto served = open(client);
    ASSERT_NE(served, nullptr);
    EXPECT_TRUE(served->stream->write(chunk(std::string(16'000'000, 'x'))));
    EXPECT_TRUE(dispatcher.until([&] { return served->closed && served->delivered == false; }));
}

TEST_P(TransportStreamTest, AQuietStreamIsNotCut)
{
    options.writeTimeout = Milliseconds{400};
    options.keepAliveTimeout = Milliseconds{400};
    options.requestTimeout = Milliseconds{400};
    start();
    const auto client = askInTime("/stream");
    ASSERT_NE(client, nullptr);
    const auto served = dispatcher.await(dispatcher.count());
    ASSERT_TRUE(dispatcher.until([&] { return served->stream != nullptr; }));
    ASSERT_TRUE(client->receiveHead());
    EXPECT_TRUE(client->silentFor(Milliseconds{1200}));
    EXPECT_TRUE(served->stream->write(chunk("still there")));
    EXPECT_EQ(client->readChunk(), "still there");
}

TEST_P(TransportStreamTest, ToHttp10AStreamEndsWithTheConnection)
{
    start();
    HttpClient client = connect();
    const auto served = open(client, "GET /stream HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    ASSERT_NE(served, nullptr);
    EXPECT_EQ(head.headers.count("transfer-encoding"), 0U);
    EXPECT_EQ(head.header("connection"), "close");
    EXPECT_TRUE(served->stream->write(chunk("one")));
    EXPECT_TRUE(served->stream->write(chunk("two")));
    served->stream->close();
    EXPECT_EQ(client.readToEnd(), "onetwo");
}

TEST_P(TransportStreamTest, HeadOfAStreamIsOnlyItsHead)
{
    start();
    HttpClient client = connect();
    const auto served = open(client, "HEAD /stream HTTP/1.1\r\nHost: a\r\n\r\n");
    ASSERT_NE(served, nullptr);
    EXPECT_TRUE(dispatcher.until([&] { return served->closed; }));
    ASSERT_TRUE(client.get("/echo"));
    EXPECT_EQ(client.receive().value_or(HttpResponse{}).body, "GET /echo ");
}

TEST_P(TransportStreamTest, WritersOfManyThreadsDoNotMixTheirChunks)
{
    options.streamBufferMax = 16'000'000;
    start();
    HttpClient client = connect();
    const auto served = open(client);
    ASSERT_NE(served, nullptr);
    std::vector<std::thread> writers;
    for (char letter = 'a'; letter < 'e'; ++letter)
    {
        writers.emplace_back(
            [&, letter]
            {
                for (int i = 0; i < 200; ++i)
                    served->stream->write(chunk(std::string(100, letter)));
            });
    }
    for (std::thread& writer : writers)
        writer.join();
    for (int i = 0; i < 800; ++i)
    {
        const auto read = client.readChunk();
        ASSERT_TRUE(read.has_value());
        ASSERT_EQ(*read, std::string(100, read->front()));
    }
}

} // namespace octostore::test
