// SPDX-License-Identifier: MIT
#include "HealthRoutes.h"

#include "Fakes.h"
#include "support/FakeClock.h"

#include <gtest/gtest.h>

namespace octostore::health
{

namespace
{

class FixedCheck final : public plugin::HealthCheck
{
public:
    std::string_view name() const noexcept override { return "webhooks"; }
    Result<void> ready() const noexcept override { return readyResult; }
    Result<void> live() const noexcept override { return liveResult; }

    Result<void> readyResult;
    Result<void> liveResult;
};

class TwoUsers final : public http::AuthProvider
{
public:
    std::optional<http::Identity> authenticate(const Digest& /*token*/) const noexcept override
    {
        return std::nullopt;
    }
    std::size_t principals() const noexcept override { return 2; }
};

} // namespace

class HealthRoutesTest : public testing::Test
{
protected:
    void SetUp() override
    {
        watchdog.start();
        registry.contribute<plugin::HealthCheck>("webhooks", check);
    }

    /// Answers by the route whose pattern is the path, or `pattern` with `check`.
    std::shared_ptr<FakeChannel> ask(const std::string& target, const std::string& pattern = "",
                                     const std::string& checkName = "")
    {
        http::Request request;
        request.method = http::Method::Get;
        request.target = target;
        auto channel = std::make_shared<FakeChannel>(executor);
        auto exchange = std::make_shared<http::Exchange>(request, RequestId{}, channel);
        if (!checkName.empty())
            exchange->setParameters({{"check", checkName}});
        for (const http::Route& route : routes.routes())
        {
            if (route.pattern == (pattern.empty() ? std::string(request.path()) : pattern))
            {
                EXPECT_EQ(route.access, http::Access::Public);
                route.handler(exchange);
            }
        }
        exchange.reset();
        executor->run();
        return channel;
    }

    test::FakeClock clock;
    FakeBackend backend;
    FakeCoordinator engine;
    Watchdog watchdog{Milliseconds{20}};
    plugin::ExtensionRegistry registry;
    FixedCheck check;
    std::shared_ptr<test::ManualExecutor> executor = std::make_shared<test::ManualExecutor>();
    HealthRoutes routes{Surroundings{clock, backend, engine, watchdog, registry}};
};

TEST_F(HealthRoutesTest, HealthTellsTheSizeOfTheStoreWithoutAskingTheEngine)
{
    const auto answer = ask("/health")->answer;
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 200);
    EXPECT_EQ(answer->body, R"({"db_size_bytes":4096,"status":"ok","storage":"wal"})");
}

TEST_F(HealthRoutesTest, StatusCountsRoomsAsLocksAndUsersOfEveryProvider)
{
    TwoUsers first, second;
    registry.contribute<http::AuthProvider>("a", first);
    registry.contribute<http::AuthProvider>("b", second);
    coordination::Counts counts;
    counts.locks = 3;
    counts.rooms = 2;
    counts.acquired = 7;
    counts.released = 1;
    engine.reply = counts;
    clock.advance(std::chrono::milliseconds(61'900));
    const auto answer = ask("/status")->answer;
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->body, R"({"active_locks":5,"status":"ok","total_acquires":7,)"
                            R"("total_releases":1,"total_users":4,"uptime_seconds":61})");
}

TEST_F(HealthRoutesTest, ReadyMeansThatACommitGoesThrough)
{
    engine.reply = coordination::StoreWorks{};
    EXPECT_EQ(ask("/readyz?verbose")->answer->body, "[+]store ok\n[+]webhooks ok\nok\n");
    const auto& query = std::get<coordination::Query>(engine.asked.at(0).operation);
    EXPECT_TRUE(std::holds_alternative<coordination::ProbeStore>(query));
}

TEST_F(HealthRoutesTest, ReadyTellsWhenARestoredStoreWillGrant)
{
    engine.reply = coordination::StoreWorks{};
    engine.then = coordination::Counts{};
    std::get<coordination::Counts>(*engine.then).grantsAt = clock.wallTime();
    const auto answer = ask("/readyz?verbose")->answer;
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 200);
    EXPECT_NE(answer->body.find("[+]store ok, but the store was restored: no grants before " +
                                toRfc3339(clock.wallTime()) + "\n"),
              std::string::npos)
        << answer->body;
}

TEST_F(HealthRoutesTest, AStoreThatFailsIsNotReadyAndSaysOnlyTheCode)
{
    engine.reply =
        coordination::Refused{{ErrorCode::Unavailable, "/var/lib/x.db: disk full"}, {}, {}};
    const auto answer = ask("/readyz")->answer;
    EXPECT_EQ(answer->status, 503);
    EXPECT_EQ(answer->body, "[-]store failed: storage_unavailable\n[+]webhooks ok\n");
}

TEST_F(HealthRoutesTest, LiveAsksTheEngineWithoutAWrite)
{
    engine.reply = coordination::Counts{};
    EXPECT_EQ(ask("/livez?verbose")->answer->body, "[+]engine ok\n[+]webhooks ok\nok\n");
    const auto& query = std::get<coordination::Query>(engine.asked.at(0).operation);
    EXPECT_TRUE(std::holds_alternative<coordination::GetCounts>(query));
}

TEST_F(HealthRoutesTest, APluginThatIsNotReadyMakesTheServerNotReadyButAlive)
{
    check.readyResult = Error{ErrorCode::Unavailable, "queue full"};
    engine.reply = coordination::StoreWorks{};
    EXPECT_EQ(ask("/readyz")->answer->body, "[+]store ok\n[-]webhooks failed: queue full\n");
    EXPECT_EQ(ask("/livez")->answer->status, 200);
}

TEST_F(HealthRoutesTest, ADrainingServerIsAliveAndNotReady)
{
    engine.reply = coordination::Refused{{ErrorCode::Draining, ""}, {}, {}};
    EXPECT_EQ(ask("/livez")->answer->status, 200);
    EXPECT_EQ(ask("/readyz")->answer->body, "[-]store failed: draining\n[+]webhooks ok\n");
}

TEST_F(HealthRoutesTest, AnExcludedCheckIsNotAsked)
{
    check.readyResult = Error{ErrorCode::Unavailable, "queue full"};
    EXPECT_EQ(ask("/readyz?exclude=store&exclude=webhooks")->answer->status, 200);
    EXPECT_TRUE(engine.asked.empty());
}

TEST_F(HealthRoutesTest, OneCheckCanBeAskedAlone)
{
    check.readyResult = Error{ErrorCode::Unavailable, "queue full"};
    engine.reply = coordination::StoreWorks{};
    EXPECT_EQ(ask("/readyz/store", "/readyz/{check}", "store")->answer->status, 200);
    EXPECT_EQ(ask("/readyz/webhooks", "/readyz/{check}", "webhooks")->answer->body,
              "[-]webhooks failed: queue full\n");
    EXPECT_EQ(ask("/readyz/engine", "/readyz/{check}", "engine")->answer->status, 404);
    EXPECT_EQ(ask("/livez/engine", "/livez/{check}", "engine")->answer->status, 200);
}

TEST_F(HealthRoutesTest, ASilentEngineIsAnsweredForInTime)
{
    const auto channel = ask("/livez");
    ASSERT_FALSE(channel->answer);
    executor->waitForOne();
    executor->run();
    ASSERT_TRUE(channel->answer);
    EXPECT_EQ(channel->answer->status, 503);
    EXPECT_EQ(channel->answer->body, "[-]engine failed: storage_unavailable\n[+]webhooks ok\n");
}

TEST_F(HealthRoutesTest, AnyNumberOfProbesThatAreAnsweredIsServed)
{
    Watchdog patient{Milliseconds{3'600'000}};
    patient.start();
    EngineQuestion question(engine, patient);
    engine.reply = coordination::Counts{};
    int answered = 0;
    for (int i = 0; i < 5000; ++i)
    {
        const auto exchange = std::make_shared<http::Exchange>(
            http::Request{}, RequestId{}, std::make_shared<FakeChannel>(executor));
        question.ask(exchange, coordination::GetCounts{},
                     [&answered, exchange](const Result<coordination::Reply>& reply)
                     {
                         answered += reply ? 1 : 0;
                         exchange->respond(http::Response());
                     });
        executor->run();
    }
    EXPECT_EQ(answered, 5000);
}

TEST_F(HealthRoutesTest, AnUnexpectedReplyToStatusIsAnError)
{
    engine.reply = coordination::StoreWorks{};
    EXPECT_EQ(ask("/status")->answer->status, 500);
    engine.reply = coordination::Refused{{ErrorCode::Draining, ""}, {}, {}};
    EXPECT_EQ(ask("/status")->answer->status, 503);
}

} // namespace octostore::health
