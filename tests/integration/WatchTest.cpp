// SPDX-License-Identifier: MIT
// Goal: watches of the real program miss nothing and repeat nothing, whatever happens to the
// connection or the server, and never hold up its end.
#include "OpenConnection.h"
#include "QueueScout.h"
#include "ServerTest.h"
#include "WatchReader.h"
#include "support/TestSeed.h"

#include <gmock/gmock.h>

#include <random>
#include <thread>

namespace octostore::test
{
namespace
{

using testing::HasSubstr;

class WatchTest : public ServerTest, public testing::WithParamInterface<const char*>
{
protected:
    void startWith(ServerProcess::Properties properties = {})
    {
        properties.insert({"http.transport", GetParam()});
        start(properties);
    }

    std::string acquire(const std::string& lock, std::string_view token = alice,
                        const std::string& body = R"({"ttl_seconds":3600})")
    {
        return expectAnswer(client(token).post("/locks/" + lock + "/acquire", body))
            .text("lease_id");
    }
    void release(const std::string& lock, const std::string& lease, std::string_view token = alice)
    {
        EXPECT_EQ(expectAnswer(client(token).post("/locks/" + lock + "/release",
                                                  "{\"lease_id\":\"" + lease + "\"}"))
                      .status,
                  200);
    }
    /// What the journal says about a lock, in order. An answer may be faster than the journal:
    /// `atLeast` events are waited for.
    std::vector<std::string> sequencesOf(const std::string& lock, std::size_t atLeast)
    {
        std::vector<std::string> found;
        for (std::string since = "0";;)
        {
            const std::string wait = found.size() < atLeast ? "&wait_seconds=20" : "";
            const ServerAnswer answer = expectAnswer(client(alice).get(
                "/events?limit=1000&resource=lock:" + lock + "&since=" + since + wait));
            const JsonValue::Object page = answer.json();
            const JsonValue* events = JsonFields(page).find("events");
            if (events == nullptr || events->asArray()->empty())
                return found;
            for (const JsonValue& event : *events->asArray())
                found.push_back(std::to_string(*event.asObject()->at("sequence").asInteger()));
            since = std::to_string(answer.number("next_since"));
        }
    }

    /// Everything that is open when the server is told to stop ends as it should.
    void stopWithOpen(int each);
};
INSTANTIATE_TEST_SUITE_P(Transports, WatchTest, testing::Values(OCTOSTORE_TEST_TRANSPORTS));

TEST_P(WatchTest, CutAnywhereAndKilledAnywhereNothingIsMissedAndNothingRepeated)
{
    const auto seed = testSeed();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    startWith();
    WatchReader reader("/locks/jobs/watch", alice);
    ASSERT_EQ(reader.connect(_port), 200);
    // Before the snapshot has come there is nothing to go on from: a cut would lose what it tells.
    while (reader.lastEventId().empty())
        ASSERT_TRUE(reader.read(std::chrono::seconds(30)));
    std::string lease;
    for (int i = 0; i < 60; ++i)
    {
        if (lease.empty())
            lease = acquire("jobs");
        else
            release("jobs", std::exchange(lease, {}));
        if (random() % 3 == 0)
            reader.read(std::chrono::milliseconds(random() % 20));
        if (random() % 6 == 0)
        {
            reader.cut();
            ASSERT_EQ(reader.connect(_port), 200);
        }
        if (i % 20 == 19)
        {
            killServer();
            startWith();
            ASSERT_EQ(reader.connect(_port), 200);
        }
    }
    const std::vector<std::string> all = sequencesOf("jobs", 60);
    ASSERT_FALSE(all.empty());
    ASSERT_TRUE(reader.readUntilId(all.back()));
    EXPECT_EQ(reader.ids(), all);
    EXPECT_FALSE(reader.wasReset());
}

TEST_P(WatchTest, WhatTheJournalHasForgottenIsAReset)
{
    if (std::string_view(GetParam()) != "poco")
        GTEST_SKIP() << "the journal knows no transports, and filling it takes seconds";
    const ServerProcess::Properties properties{{"journal.events_max", "1000"}};
    startWith(properties);
    WatchReader reader("/locks/jobs/watch", alice);
    ASSERT_EQ(reader.connect(_port), 200);
    std::string lease = acquire("jobs");
    const std::vector<std::string> first = sequencesOf("jobs", 1);
    ASSERT_FALSE(first.empty());
    ASSERT_TRUE(reader.readUntilId(first.back()));
    reader.cut();
    ServerClient worker = client(bob);
    for (int i = 0; i < 520; ++i)
    {
        const ServerAnswer acquired = expectAnswer(worker.post("/locks/other/acquire", "{}"));
        ASSERT_EQ(expectAnswer(worker.post("/locks/other/release",
                                           "{\"lease_id\":\"" + acquired.text("lease_id") + "\"}"))
                      .status,
                  200);
    }
    // The journal is cut to size when a server starts, and now and then.
    _server->signal(SIGTERM);
    EXPECT_EQ(_server->waitForEnd(), 0) << _server->log();
    startWith(properties);
    const auto giveUp = std::chrono::steady_clock::now() + std::chrono::seconds(100);
    while (std::chrono::steady_clock::now() < giveUp)
    {
        WatchReader again("/locks/jobs/watch", alice, first.back());
        ASSERT_EQ(again.connect(_port), 200);
        again.read(std::chrono::milliseconds(200));
        if (!again.wasReset())
            continue;
        again.read(std::chrono::seconds(100));
        EXPECT_THAT(again.text(), HasSubstr("\"snapshot\":true"));
        return;
    }
    FAIL() << "there was no reset";
}

TEST_P(WatchTest, AHandOverReachesAWatcherAsTwoFramesOfOneEvent)
{
    startWith();
    const std::string lease = acquire("jobs");
    WatchReader reader("/locks/jobs/watch", alice);
    ASSERT_EQ(reader.connect(_port), 200);
    const std::vector<std::string> before = sequencesOf("jobs", 1);
    ASSERT_FALSE(before.empty());
    ASSERT_TRUE(reader.readUntilId(before.back()));
    OpenConnection waiter(_port, bob);
    waiter.ask("/locks/jobs/acquire", R"({"wait_seconds":60})");
    ASSERT_TRUE(QueueScout(_port, carol, "jobs").sees(1));
    release("jobs", lease);
    ASSERT_TRUE(waiter.answer());
    const std::vector<std::string> all = sequencesOf("jobs", 2);
    ASSERT_EQ(all.size(), 2U);
    ASSERT_TRUE(reader.readUntilId(all.back()));
    const std::string& text = reader.text();
    const auto released = text.rfind("\"event\":\"released\"");
    ASSERT_NE(released, std::string::npos);
    EXPECT_LT(released, text.rfind("\"event\":\"acquired\""));
}

TEST_P(WatchTest, AStreamAndAWaitEndWhenTheirTokenIsTakenAway)
{
    const std::string others = "bob:bob-secret-token\ncarol:carol-secret-token\n";
    const std::string file = _directory.write("tokens", "alice:first-secret-token\n" + others);
    const ServerProcess::Properties properties{{"auth.static.tokens", ""},
                                               {"auth.static.tokens_file", file}};
    startWith(properties);
    acquire("jobs", bob);
    WatchReader ends("/locks/jobs/watch", "first-secret-token");
    WatchReader stays("/locks/jobs/watch", bob);
    ASSERT_EQ(ends.connect(_port), 200);
    ASSERT_EQ(stays.connect(_port), 200);
    OpenConnection waiter(_port, "first-secret-token");
    waiter.ask("/locks/jobs/acquire", R"({"wait_seconds":300})");
    ASSERT_TRUE(QueueScout(_port, carol, "jobs").sees(1));
    _directory.write("tokens", "alice:second-secret-token\n" + others);
    _server->signal(SIGHUP);
    EXPECT_TRUE(ends.readToEnd());
    EXPECT_THAT(ends.text(), HasSubstr(": The credential was revoked or changed."));
    const auto answer = waiter.answer();
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 401);
    EXPECT_EQ(answer->text("code"), "authentication_failed");
    acquire("jobs", bob, R"({"ttl_seconds":3600})");
    EXPECT_FALSE(stays.text().empty() && !stays.read(std::chrono::seconds(100)));
}

TEST_P(WatchTest, ARotationEndsTheStreamsOfTheOldToken)
{
    startWith({{"auth.static.tokens", ""}, {"auth.local_registration", "true"}});
    const std::string old =
        expectAnswer(client().post("/auth/register", R"({"username":"dora"})")).text("token");
    ASSERT_FALSE(old.empty());
    WatchReader reader("/events", old);
    ASSERT_EQ(reader.connect(_port), 200);
    EXPECT_EQ(expectAnswer(client(old).post("/auth/token/rotate", "")).status, 200);
    EXPECT_TRUE(reader.readToEnd());
    EXPECT_THAT(reader.text(), HasSubstr("revoked"));
}

void WatchTest::stopWithOpen(int each)
{
    startWith({{"elections.watch.streams_per_client", "100000"},
               {"elections.watch.streams_global", "100000"}});
    const std::string lease = acquire("jobs");
    std::vector<WatchReader> readers;
    for (int i = 0; i < each; ++i)
        switch (i % 3)
        {
        case 0:
            readers.emplace_back("/locks/jobs/watch", alice);
            break;
        case 1:
            readers.emplace_back("/elections/room-number-" + std::to_string(i) + "/watch", "");
            break;
        default:
            readers.emplace_back("/events", alice);
        }
    for (WatchReader& reader : readers)
        ASSERT_EQ(reader.connect(_port), 200);
    std::vector<std::unique_ptr<OpenConnection>> waiters;
    for (int i = 0; i < each; ++i)
    {
        waiters.push_back(std::make_unique<OpenConnection>(_port, bob));
        waiters.back()->ask("/locks/jobs/acquire", R"({"wait_seconds":300})");
    }
    ASSERT_TRUE(QueueScout(_port, carol, "jobs").sees(static_cast<std::size_t>(each)));
    _server->signal(SIGTERM);
    for (WatchReader& reader : readers)
    {
        ASSERT_TRUE(reader.readToEnd()) << reader.text();
        ASSERT_THAT(reader.text(), HasSubstr(": The server is stopping.\n\n"));
    }
    for (const auto& waiter : waiters)
        ASSERT_TRUE(waiter->answer().has_value());
    EXPECT_EQ(_server->waitForEnd(std::chrono::seconds(100)), 0) << _server->log();
}

TEST_P(WatchTest, AStopEndsOpenStreamsAndWaits)
{
    stopWithOpen(60);
}

/// A thread for each connection is not made for more.
TEST_P(WatchTest, AStopEndsAThousandStreamsAndWaits)
{
    stopWithOpen(std::string_view(GetParam()) == "beast" ? 1000 : 300);
}

} // namespace
} // namespace octostore::test
