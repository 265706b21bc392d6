// SPDX-License-Identifier: MIT
// Goal: a handler that was on its way already when what it waited for was over does no harm.
// Method: the only I/O thread is held until the kernel has something to tell and another task is
// queued: that task then runs before the handler of what the kernel told.
#include "BeastTransport.h"
#include "conformance/transport/ScriptedDispatcher.h"
#include "support/HttpClient.h"

#include <octostore/base/Log.h>
#include <octostore/base/Random.h>
#include <octostore/base/Time.h>

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <sstream>
#include <string>
#include <thread>

#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace
{

std::atomic<bool> noDescriptors{false};

} // namespace

/// In place of the library's. Really taking all descriptors would blind the sanitizers, which need
/// one to look at an object.
extern "C" int accept4(int listener, sockaddr* address, socklen_t* size, int flags)
{
    if (noDescriptors)
    {
        errno = EMFILE;
        return -1;
    }
    return static_cast<int>(::syscall(SYS_accept4, listener, address, size, flags));
}

namespace octostore::http_beast
{

using test::HttpClient;
using test::HttpResponse;
using test::Served;

class StaleHandlerTest : public testing::Test
{
protected:
    StaleHandlerTest()
    {
        http::TransportOptions options;
        options.bind = "127.0.0.1:0";
        options.threads = 1;
        EXPECT_TRUE(transport.start(options, dispatcher, clock, random).ok());
    }
    ~StaleHandlerTest() override
    {
        transport.stop(Milliseconds{0});
        dispatcher.clear();
    }

    /// Holds the thread until the promise is kept, and runs `then` on it. Returns when it is held.
    std::promise<void> hold(const Served& served, Task then)
    {
        std::promise<void> release;
        const std::shared_future<void> released = release.get_future().share();
        std::promise<void> held;
        served.exchange->executor()->post({[&held, released, then = std::move(then)]
                                           {
                                               held.set_value();
                                               released.wait();
                                               then();
                                           }});
        held.get_future().wait();
        return release;
    }
    std::uint64_t warnings() const { return sink->written(LogLevel::Warning); }
    /// Everything that was queued on the thread has run.
    void settle(const Served& served)
    {
        dispatcher.onThreadOf(served, [] {});
    }

    /// Writes until the kernel takes no more; the whole blocks that it took.
    std::size_t fill(const Served& served)
    {
        const auto block = std::make_shared<const std::string>(blockSize, 'x');
        for (std::size_t taken = 0; taken < 2000; ++taken)
        {
            EXPECT_TRUE(served.stream->write(block));
            settle(served);
            if (served.stream->unsentBytes() > 0)
                return taken;
        }
        ADD_FAILURE() << "the kernel takes everything";
        return 0;
    }

    static constexpr std::size_t blockSize = std::size_t{64} * 1024;

    std::ostringstream log;
    std::shared_ptr<LogSink> sink = LogSink::toStream(log, LogFormat::Text, LogLevel::Warning);
    SystemClock clock;
    SystemRandom random;
    test::ScriptedDispatcher dispatcher;
    BeastTransport transport{sink->logger("http")};
};

TEST_F(StaleHandlerTest, ABlockedStreamThatEndsLeavesTheNextRequestAlone)
{
    HttpClient client(transport.port());
    ASSERT_TRUE(client.get("/stream"));
    ASSERT_TRUE(client.receiveHead());
    const auto streamed = dispatcher.await(1);
    ASSERT_TRUE(dispatcher.until([&] { return streamed->stream != nullptr; }));
    ASSERT_TRUE(client.get("/wait"));
    ASSERT_TRUE(client.get("/echo"));
    settle(*streamed);

    const std::size_t blocks = fill(*streamed);
    std::promise<void> release = hold(*streamed, [&] { streamed->stream->close(); });
    for (std::size_t i = 0; i < blocks; ++i)
        ASSERT_TRUE(client.readChunk());
    release.set_value();
    EXPECT_EQ(client.readChunk().value_or("").size(), blockSize);
    EXPECT_EQ(client.readChunk(), "") << "the end of the stream";

    const auto waiting = dispatcher.await(2);
    ASSERT_NE(waiting, nullptr);
    settle(*waiting);
    EXPECT_EQ(dispatcher.count(), 2U) << "the third is not served before the second is answered";
    dispatcher.answer(*waiting, "at last");
    EXPECT_EQ(client.receive().value_or(HttpResponse{}).body, "at last");
    EXPECT_EQ(client.receive().value_or(HttpResponse{}).body, "GET /echo ");
}

TEST_F(StaleHandlerTest, AListenerThatIsClosedWhileItPausesNeverAcceptsAgain)
{
    HttpClient client(transport.port());
    ASSERT_TRUE(client.get("/wait"));
    const auto waiting = dispatcher.await(1);
    ASSERT_NE(waiting, nullptr);
    std::promise<void> accept = hold(*waiting, [] {});
    const HttpClient late(transport.port());
    noDescriptors = true;
    accept.set_value();
    ASSERT_TRUE(dispatcher.until([&] { return warnings() > 0; })) << log.str();
    noDescriptors = false;
    std::promise<void> go = hold(*waiting, [] {});
    const auto told = warnings();
    std::thread drains([this] { transport.drain(); });
    // The pause is over and the end is queued before it; a shorter time would only prove less.
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    go.set_value();
    drains.join();
    settle(*waiting);
    EXPECT_EQ(warnings(), told) << log.str();
    dispatcher.answer(*waiting, "bye");
    EXPECT_EQ(client.receive().value_or(HttpResponse{}).body, "bye");
}

} // namespace octostore::http_beast
