// SPDX-License-Identifier: MIT
/// Goal: what the load measures is what the server did.
/// Method: a server with a thread for each connection, which answers by the path.
#include <octostore/bench/LoadLoop.h>

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>

#include <arpa/inet.h>
#include <netinet/in.h>
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
    TinyServer()
    {
        _listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        EXPECT_EQ(::bind(_listener, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
        EXPECT_EQ(::listen(_listener, 128), 0);
        socklen_t size = sizeof address;
        ::getsockname(_listener, reinterpret_cast<sockaddr*>(&address), &size);
        port = ntohs(address.sin_port);
        _acceptor = std::thread([this] { accept(); });
    }
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

    int _listener = -1;
    std::thread _acceptor;
    std::vector<std::thread> _threads;
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
        options.warmUp = 10ms;
        options.duration = 700ms;
    }
    PathClient& add(std::string path)
    {
        auto client = std::make_unique<PathClient>(std::move(path));
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
    static const OperationResult& status(const LoadResult& result)
    {
        return result.operations[static_cast<std::size_t>(Operation::Status)];
    }

    TinyServer server;
    LoadOptions options;
    std::vector<std::unique_ptr<Client>> clients;
};

TEST_F(LoadLoopTest, EveryRequestIsAnsweredOnceAndConnectionsAreKept)
{
    for (int i = 0; i < 20; ++i)
        add("/");
    const LoadResult result = run();
    int asked = 0;
    for (const auto& client : clients)
    {
        const auto& path = static_cast<const PathClient&>(*client);
        asked += path.asked;
        EXPECT_EQ(path.asked, path.answers);
        EXPECT_EQ(path.phases.front(), Phase::Prepare);
        EXPECT_EQ(path.phases.back(), Phase::Finish);
    }
    EXPECT_GT(status(result).latency.count(), 20U) << "more than one on each";
    EXPECT_LE(status(result).latency.count(), static_cast<std::uint64_t>(asked));
    EXPECT_EQ(result.failures(), 0U);
    EXPECT_EQ(result.measured, 700ms);
    EXPECT_EQ(server.connections, 21); // one to see whether anybody listens
}

TEST_F(LoadLoopTest, TheTimeAServerTakesIsMeasured)
{
    add("/slow");
    const LoadResult result = run();
    EXPECT_GE(status(result).latency.count(), 1U);
    EXPECT_LE(status(result).latency.count(), 20U);
    EXPECT_GE(status(result).latency.least(), 50ms);
}

TEST_F(LoadLoopTest, ARateIsKeptAndWaitingForAFreeConnectionCounts)
{
    options.rate = 200;
    for (int i = 0; i < 4; ++i)
        add("/");
    const auto quick = status(run()).latency.count();
    EXPECT_GE(quick, 30U); // of 140; the last may be late on a busy machine
    EXPECT_LE(quick, 150U);

    // One connection answers 20 a second: requests that are due pile up behind it.
    clients.clear();
    add("/slow");
    EXPECT_GE(status(run()).latency.most(), 100ms);
}

TEST_F(LoadLoopTest, FailuresAreCountedByStatus)
{
    add("/404");
    const LoadResult result = run();
    EXPECT_EQ(status(result).latency.count(), 0U);
    EXPECT_EQ(status(result).failures.at(404), result.failures());
    EXPECT_EQ(result.firstFailure, "404 {}");
}

TEST_F(LoadLoopTest, ABrokenConnectionIsAFailureAndIsOpenedAgain)
{
    add("/drop");
    add("/close");
    const LoadResult result = run();
    EXPECT_GT(status(result).failures.at(0), 1U);
    EXPECT_GT(status(result).latency.count(), 1U);
    EXPECT_GT(server.connections, 4);
}

TEST_F(LoadLoopTest, TheStopDescriptorEndsTheLoadEarly)
{
    options.duration = 1h;
    options.stopDescriptor = ::eventfd(1, EFD_CLOEXEC);
    add("/");
    const LoadResult result = run();
    EXPECT_TRUE(result.stopped);
    ::close(options.stopDescriptor);
}

TEST_F(LoadLoopTest, TheLoadEndsWhenNobodyHasMoreToAsk)
{
    options.duration = 1h;
    add("/").most = 5;
    add("/").most = 7;
    options.warmUp = 0ms;
    EXPECT_EQ(status(run()).latency.count(), 12U);
}

TEST_F(LoadLoopTest, NobodyListeningIsAnError)
{
    options.port = 1;
    add("/");
    const auto result = runLoad(options, clients);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Unavailable);
    EXPECT_NE(result.error().message.find("127.0.0.1 port 1"), std::string::npos);
}

TEST_F(LoadLoopTest, AWrongCredentialEndsTheRunAtOnce)
{
    for (const char* path : {"/401", "/429"})
    {
        clients.clear();
        options.duration = 1h;
        const PathClient& client = add(path);
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
