// SPDX-License-Identifier: MIT
/// Goal: what the load measures is what the server did.
/// Method: a server with a thread for each connection, which answers by the path. Where answers are
/// counted, the clients ask so many times and not for so long: a machine may stand still meanwhile.
#include "support/Loopback.h"

#include <octostore/bench/LoadLoop.h>

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>

#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

namespace octostore::bench
{

namespace
{

using namespace std::chrono_literals;

/// `/slow` takes 50 ms, `/drop` closes without an answer, `/close` closes after it, `/404` fails,
/// `/401` and `/429` do not take the credential; everything else is answered at once.
class TinyServer
{
public:
    TinyServer() : _acceptor([this] { accept(); }) {}
    ~TinyServer()
    {
        ::shutdown(_listener, SHUT_RDWR);
        _acceptor.join();
        // Every client has gone, so every thread ends.
        for (std::thread& each : _threads)
            each.join();
        ::close(_listener);
    }

    std::uint16_t port = 0;
    std::atomic<int> connections{0};

private:
    void accept()
    {
        for (;;)
        {
            const int socket = ::accept4(_listener, nullptr, nullptr, SOCK_CLOEXEC);
            if (socket < 0)
                return;
            ++connections;
            _threads.emplace_back([socket] { serve(socket); });
        }
    }
    static void serve(int socket)
    {
        char buffer[4096];
        for (;;)
        {
            const ssize_t size = ::recv(socket, buffer, sizeof buffer, 0);
            if (size <= 0)
                break;
            const std::string_view request(buffer, static_cast<std::size_t>(size));
            const bool close = request.find("/close") != std::string_view::npos;
            if (request.find("/drop") != std::string_view::npos)
                break;
            if (request.find("/slow") != std::string_view::npos)
                std::this_thread::sleep_for(50ms);
            std::string answer = request.find("/404") != std::string_view::npos
                                     ? "HTTP/1.1 404 Not Found\r\n"
                                     : "HTTP/1.1 200 OK\r\n";
            answer += close ? "connection: close\r\n" : "";
            if (request.find("/401") != std::string_view::npos)
                answer = "HTTP/1.1 401 Unauthorized\r\n";
            const bool throttled = request.find("/429") != std::string_view::npos;
            if (throttled)
                answer = "HTTP/1.1 429 Too Many Requests\r\n";
            answer += throttled ? "content-length: 30\r\n\r\n{\"reason\":\"wrong_credentials\"}"
                                : "content-length: 2\r\n\r\n{}";
            if (::send(socket, answer.data(), answer.size(), MSG_NOSIGNAL) < 0 || close)
                break;
        }
        ::close(socket);
    }

    const int _listener = test::listenOnLoopback(port);
    std::vector<std::thread> _threads;
    std::thread _acceptor; // last: it uses the others
};

class PathClient final : public Client
{
public:
    explicit PathClient(std::string path) : _path(std::move(path)) {}
    std::optional<Operation> next(Phase phase, std::string& out) override
    {
        phases.push_back(phase);
        if (phase != Phase::Load || asked == most)
            return std::nullopt;
        ++asked;
        out += "GET " + _path + " HTTP/1.1\r\nHost: x\r\n\r\n";
        return Operation::Status;
    }
    Verdict answered(const Answer& answer) override
    {
        ++answers;
        return answer.status == 200 ? Verdict::Good : Verdict::Failed;
    }

    int most = -1; ///< requests; negative: without end
    int asked = 0;
    int answers = 0;
    std::vector<Phase> phases;

private:
    const std::string _path;
};

} // namespace

class LoadLoopTest : public testing::Test
{
protected:
    LoadLoopTest()
    {
        options.host = "127.0.0.1";
        options.port = server.port;
        options.warmUp = 0ms;
        options.duration = 1h;
        options.cleanUp = 60s;
    }
    /// One that asks so many times; the load ends when all have. Negative: without end.
    PathClient& add(std::string path, int most)
    {
        auto client = std::make_unique<PathClient>(std::move(path));
        client->most = most;
        PathClient& added = *client;
        clients.push_back(std::move(client));
        return added;
    }
    LoadResult run()
    {
        auto result = runLoad(options, clients);
        EXPECT_TRUE(result) << (result ? "" : result.error().message);
        return result ? *std::move(result) : LoadResult();
    }
    /// Every client was, and was led through all phases; how often they asked.
    int expectAllAnswered() const
    {
        int asked = 0;
        for (const auto& client : clients)
        {
            const auto& path = static_cast<const PathClient&>(*client);
            asked += path.asked;
            EXPECT_EQ(path.asked, path.answers);
            EXPECT_EQ(path.phases.front(), Phase::Prepare);
            EXPECT_EQ(path.phases.back(), Phase::Finish);
        }
        return asked;
    }
    static const OperationResult& status(const LoadResult& result)
    {
        return result.operations[static_cast<std::size_t>(Operation::Status)];
    }

    static constexpr int endless = -1;
    TinyServer server;
    LoadOptions options;
    std::vector<std::unique_ptr<Client>> clients;
};

TEST_F(LoadLoopTest, EveryRequestIsAnsweredOnceAndConnectionsAreKept)
{
    for (int i = 0; i < 20; ++i)
        add("/", 3);
    const LoadResult result = run();
    expectAllAnswered();
    EXPECT_EQ(status(result).latency.count(), 60U);
    EXPECT_EQ(result.failures(), 0U);
    EXPECT_EQ(server.connections, 21); // one to see whether anybody listens
}

TEST_F(LoadLoopTest, TheLoadEndsAfterItsTimeAndWhatIsUnderWayIsAnswered)
{
    options.warmUp = 10ms;
    options.duration = 100ms;
    for (int i = 0; i < 20; ++i)
        add("/", endless);
    const LoadResult result = run();
    EXPECT_LE(status(result).latency.count(), static_cast<std::uint64_t>(expectAllAnswered()));
    EXPECT_EQ(result.measured, 100ms);
    EXPECT_EQ(result.failures(), 0U);
    EXPECT_EQ(server.connections, 21);
}

TEST_F(LoadLoopTest, TheTimeAServerTakesIsMeasured)
{
    add("/slow", 3);
    const LoadResult result = run();
    EXPECT_EQ(status(result).latency.count(), 3U);
    EXPECT_GE(status(result).latency.least(), 50ms);
}

TEST_F(LoadLoopTest, ARateIsKeptAndWaitingForAFreeConnectionCounts)
{
    options.rate = 200;
    for (int i = 0; i < 4; ++i)
        add("/", 10);
    const auto began = std::chrono::steady_clock::now();
    EXPECT_EQ(status(run()).latency.count(), 40U);
    const auto took = std::chrono::steady_clock::now() - began;
    EXPECT_GE(took, 195ms) << "39 times 5 ms";
    EXPECT_LT(took, 30s) << "it waits for something else";

    // One connection answers 20 a second: requests that are due pile up behind it. The last of them
    // is due after 45 ms and answered after 500 ms.
    clients.clear();
    add("/slow", 10);
    EXPECT_GE(status(run()).latency.most(), 400ms);
}

TEST_F(LoadLoopTest, ARateIsNotExceeded)
{
    options.rate = 200;
    options.duration = 200ms;
    for (int i = 0; i < 4; ++i)
        add("/", endless);
    run();
    EXPECT_LE(expectAllAnswered(), 45) << "40 and one more on each connection";
}

TEST_F(LoadLoopTest, FailuresAreCountedByStatus)
{
    add("/404", 3);
    const LoadResult result = run();
    EXPECT_EQ(status(result).latency.count(), 0U);
    EXPECT_EQ(result.failures(), 3U);
    EXPECT_EQ(status(result).failures, (std::map<int, std::uint64_t>{{404, 3}}));
    EXPECT_EQ(result.firstFailure, "404 {}");
}

TEST_F(LoadLoopTest, ABrokenConnectionIsAFailureAndIsOpenedAgain)
{
    add("/drop", 5);
    add("/close", 5);
    const LoadResult result = run();
    EXPECT_EQ(status(result).failures, (std::map<int, std::uint64_t>{{0, 5}}));
    EXPECT_EQ(status(result).latency.count(), 5U);
    EXPECT_GT(server.connections, 10); // one to see whether anybody listens
}

TEST_F(LoadLoopTest, TheStopDescriptorEndsTheLoadEarly)
{
    options.stopDescriptor = ::eventfd(1, EFD_CLOEXEC);
    add("/", endless);
    const LoadResult result = run();
    EXPECT_TRUE(result.stopped);
    ::close(options.stopDescriptor);
}

TEST_F(LoadLoopTest, TheLoadEndsWhenNobodyHasMoreToAsk)
{
    add("/", 5);
    add("/", 7);
    EXPECT_EQ(status(run()).latency.count(), 12U);
}

TEST_F(LoadLoopTest, NobodyListeningIsAnError)
{
    const test::SilentPort nobody;
    options.port = nobody.number();
    add("/", endless);
    const auto result = runLoad(options, clients);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Unavailable);
    EXPECT_NE(result.error().message.find("127.0.0.1 port " + std::to_string(nobody.number())),
              std::string::npos);
}

TEST_F(LoadLoopTest, AWrongCredentialEndsTheRunAtOnce)
{
    for (const char* path : {"/401", "/429"})
    {
        clients.clear();
        const PathClient& client = add(path, endless);
        const auto result = runLoad(options, clients);
        ASSERT_FALSE(result) << path;
        EXPECT_EQ(result.error().code, ErrorCode::AuthenticationFailed);
        EXPECT_LE(client.asked, 2) << "the next one may be on its way";
    }
}

TEST_F(LoadLoopTest, WhatCannotBePreparedEndsTheRun)
{
    class Unprepared final : public Client
    {
    public:
        std::optional<Operation> next(Phase phase, std::string& out) override
        {
            if (phase != Phase::Prepare || asked)
                return std::nullopt;
            asked = true;
            out += "GET /404 HTTP/1.1\r\n\r\n";
            return Operation::Acquire;
        }
        Verdict answered(const Answer&) override { return Verdict::Failed; }
        bool asked = false;
    };
    clients.push_back(std::make_unique<Unprepared>());
    const auto result = runLoad(options, clients);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message, "cannot prepare the load: 404 {}");
}

} // namespace octostore::bench
