// SPDX-License-Identifier: MIT
#include "WatchFixture.h"

#include <gmock/gmock.h>

namespace octostore::test
{
namespace
{

using testing::HasSubstr;
using testing::Not;

class EventsTest : public WatchFixture
{
protected:
    EventsTest()
    {
        release("jobs/a", acquire("jobs/a"));                   // 1, 2
        acquire("team.b", bob);                                 // 3
        server.ask(http::Method::Post, "/sessions", bob, "{}"); // 4
        server.ask(http::Method::Post, "/elections/room-one/campaign", {},
                   R"({"candidate_id":"a"})"); // 5
    }

    http::Response get(const std::string& query, std::string_view token = alice)
    {
        return server.ask(question("/events" + query, token));
    }
    /// The sequences of a page: `1 2`.
    std::string sequences(const std::string& query, std::string_view token = alice)
    {
        const http::Response answer = get(query, token);
        EXPECT_EQ(answer.status, 200) << answer.body;
        std::string found;
        const JsonValue::Object page = jsonOf(answer);
        for (const JsonValue& event : *page.at("events").asArray())
            found += (found.empty() ? "" : " ") +
                     std::to_string(*event.asObject()->at("sequence").asInteger());
        return found;
    }
    std::int64_t next(const std::string& query)
    {
        return *jsonOf(get(query)).at("next_since").asInteger();
    }
};

TEST_F(EventsTest, APageSaysWhereTheNextBegins)
{
    EXPECT_EQ(sequences("?limit=2", root), "1 2");
    EXPECT_EQ(sequences("?limit=2&since=2", root), "3 4");
    EXPECT_EQ(next("?limit=1"), 1);
    EXPECT_EQ(next("?since=5"), 5);
    EXPECT_EQ(sequences("?since=5", root), "");
}

TEST_F(EventsTest, FiltersTakeStarsForParts)
{
    EXPECT_EQ(sequences("?type=lock.acquired", root), "1 3");
    EXPECT_EQ(sequences("?type=lock.*", root), "1 2 3");
    EXPECT_EQ(sequences("?type=*.created", root), "4");
    EXPECT_EQ(sequences("?type=*", root), "1 2 3 4 5");
    EXPECT_EQ(sequences("?resource=lock:jobs/a", root), "1 2");
    EXPECT_EQ(sequences("?resource=lock:jobs/*", root), "1 2");
    EXPECT_EQ(sequences("?resource=lock:*&type=lock.released", root), "2");
    EXPECT_EQ(sequences("?resource=election:*", root), "5");
}

TEST_F(EventsTest, AFilterMatchesEitherFactOfAHandOver)
{
    const std::string lease = acquire("jobs/a");
    const auto waiter = server.begin({http::Method::Post,
                                      "/locks/jobs/a/acquire",
                                      {{"Authorization", "Bearer bob-token"}},
                                      R"({"wait_seconds":60})"});
    release("jobs/a", lease);
    EXPECT_EQ(waiter().status, 200);
    for (const char* type : {"lock.released", "lock.acquired", "lock.handed_over"})
        EXPECT_THAT(get("?since=6&type=" + std::string(type), root).body,
                    HasSubstr(R"("type":"lock.handed_over")"))
            << type;
    EXPECT_EQ(sequences("?since=6&type=lock.expired", root), "");
}

TEST_F(EventsTest, EverybodySeesOnlyWhatItMay)
{
    EXPECT_EQ(sequences("", root), "1 2 3 4 5");
    EXPECT_EQ(sequences("", alice), "1 2 3") << "no sessions of others, no rooms";
    EXPECT_EQ(sequences("", bob), "1 2 3 4");
    EXPECT_EQ(sequences("", carol), "3") << "its namespace";
    EXPECT_EQ(sequences("?resource=election:room-one", carol), "5") << "who knows its ID";
    EXPECT_EQ(sequences("?resource=election:room-two", carol), "");
    EXPECT_EQ(get("?resource=election:room*", alice).status, 403);
    EXPECT_EQ(get("?resource=server:*", alice).status, 403);
    EXPECT_EQ(get("?resource=server:*", root).status, 200);
    EXPECT_EQ(get("", "").status, 401);
}

TEST_F(EventsTest, BadParametersAreRefused)
{
    for (const char* query :
         {"?limit=0", "?limit=1001", "?limit=x", "?since=-1", "?since=1.5", "?wait_seconds=301",
          "?type=", "?type=lock", "?type=lock.acquired.now", "?type=lock.taken", "?resource=lock",
          "?resource=thing:x", "?resource=lock:", "?limit=1&limit=2"})
        EXPECT_EQ(get(query).status, 400) << query;
}

TEST_F(EventsTest, APollIsAnsweredWhenSomethingItAskedForHappens)
{
    const auto poll =
        server.begin(question("/events?since=5&wait_seconds=60&type=lock.acquired", alice));
    server.ask(http::Method::Post, "/sessions", alice, "{}");
    const auto other = server.begin(question("/events?since=5&wait_seconds=60", bob));
    acquire("jobs/a");
    EXPECT_THAT(poll().body, HasSubstr(R"("type":"lock.acquired")"));
    EXPECT_THAT(poll().body, HasSubstr(R"("next_since":7)"));
    EXPECT_THAT(other().body, HasSubstr(R"("type":"lock.acquired")"));
    EXPECT_EQ(watches.hub().subscribers(), 0U);
}

TEST_F(EventsTest, APollThatWaitedInVainIsEmpty)
{
    OpenStream poll = server.stream(question("/events?since=5&wait_seconds=10", alice));
    advance(std::chrono::seconds(11));
    // It is the plugin's own thread that notices.
    for (int i = 0; i < 6000 && watches.hub().subscribers() > 0; ++i)
    {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        poll.read();
    }
    EXPECT_EQ(poll.head().body, R"({"events":[],"next_since":5})");
}

TEST_F(EventsTest, WhatIsForgottenIsSaid)
{
    journal.trim(Sequence(3));
    EXPECT_THAT(get("?since=2", root).body, HasSubstr(R"("reset":true)"));
    EXPECT_THAT(get("?since=3", root).body, Not(HasSubstr("reset")));
    EXPECT_EQ(sequences("", root), "4 5");
}

TEST_F(EventsTest, APollAboveTheNewestEventIsEmptyBecauseACommitWithoutAnEventMayBeThere)
{
    EXPECT_EQ(get("?since=6", root).body, R"({"events":[],"next_since":6})");
    journal.trim(Sequence(5));
    EXPECT_EQ(get("?since=6", root).body, R"({"events":[],"next_since":6})");
}

TEST_F(EventsTest, AStreamBeginsNowOrBehindASequence)
{
    OpenStream now = streamEvents("", root);
    OpenStream since = streamEvents("?since=3", root);
    OpenStream resumed = streamEvents("?since=1", root, "4");
    EXPECT_EQ(now.read(), "");
    EXPECT_THAT(since.read(), testing::StartsWith("event: session.created\ndata: {\"sequence\":4"));
    EXPECT_THAT(resumed.read(),
                testing::StartsWith("event: election.leader_elected\ndata: {\"sequence\":5"));
    acquire("jobs/a");
    for (OpenStream* stream : {&now, &since, &resumed})
    {
        const std::string text = stream->read();
        EXPECT_THAT(text, testing::StartsWith("event: lock.acquired\ndata: {\"sequence\":6"));
        EXPECT_TRUE(text.ends_with("\nid: 6\n\n")) << text;
    }
}

TEST_F(EventsTest, AStreamReadsWhatIsNotInMemoryAndSaysWhatIsForgotten)
{
    journal.age(journal.newest());
    OpenStream old = streamEvents("?since=0&type=lock.*", root);
    EXPECT_EQ(framesIn(old.readUntil("id: 3\n\n")).size(), 3U);
    journal.trim(Sequence(3));
    for (const char* id : {"2", "77", "rubbish"})
    {
        OpenStream stream = streamEvents("", root, id);
        const std::string text = stream.readUntil("id: 5\n\n");
        EXPECT_THAT(text, testing::StartsWith("event: reset\n")) << id;
        EXPECT_EQ(framesIn(text).size(), 3U) << id;
    }
}

TEST_F(EventsTest, WhoReadsAllTheTimeIsNeverTooFarBehind)
{
    // A page of events of this length is more than a reader may be behind.
    const std::string part(60, 'n');
    const std::string lock = part + "/" + part + "/" + part;
    for (int i = 0; i < 300; ++i)
        release(lock, acquire(lock));
    for (const bool inMemory : {true, false})
    {
        if (!inMemory)
            journal.age(journal.newest());
        OpenStream stream = streamEvents("", root, "1");
        const std::string text = stream.readUntil("id: " + newest() + "\n\n");
        EXPECT_THAT(text, Not(HasSubstr("event: lagged")));
        EXPECT_EQ(framesIn(text).size(), journal.newest().value() - 1);
        EXPECT_GT(text.size(), 300'000U);
    }
}

} // namespace
} // namespace octostore::test
