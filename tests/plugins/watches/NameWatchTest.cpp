// SPDX-License-Identifier: MIT
#include "WatchFixture.h"

#include <gmock/gmock.h>

namespace octostore::test
{
namespace
{

using testing::HasSubstr;
using testing::Not;

class NameWatchTest : public WatchFixture
{
};

TEST_F(NameWatchTest, AWatchBeginsWithWhatIsNow)
{
    OpenStream stream = watchLock("jobs");
    EXPECT_EQ(stream.head().status, 200);
    EXPECT_EQ(*stream.head().headers.find("content-type"), "text/event-stream");
    EXPECT_EQ(*stream.head().headers.find("cache-control"), "no-cache");
    EXPECT_EQ(*stream.head().headers.find("x-accel-buffering"), "no");
    EXPECT_EQ(stream.read(),
              "data: {\"event\":\"released\",\"lock_name\":\"jobs\","
              "\"observed_at\":\"2026-08-03T01:02:03Z\",\"snapshot\":true}\nid: 0\n\n");
    acquire("jobs");
    EXPECT_EQ(watchLock("jobs").read(),
              "data: {\"event\":\"acquired\",\"lock_name\":\"jobs\",\"fencing_token\":1,"
              "\"expires_at\":\"2026-08-03T01:03:03Z\","
              "\"observed_at\":\"2026-08-03T01:02:03Z\",\"snapshot\":true}\nid: 1\n\n");
    EXPECT_EQ(watchRoom("room-of-nobody").read(),
              "event: state\nretry:1000\ndata: {\"schema_version\":1,"
              "\"election_id\":\"room-of-nobody\",\"status\":\"vacant\",\"leader\":null,"
              "\"retry_after_ms\":0,\"observed_at\":\"2026-08-03T01:02:03Z\","
              "\"snapshot\":true}\nid: 1\n\n");
}

TEST_F(NameWatchTest, EveryTransitionIsOneFrameInOrder)
{
    OpenStream stream = watchLock("jobs");
    stream.read();
    const std::string lease = acquire("jobs");
    advance(std::chrono::seconds(1));
    renew("jobs", lease);
    release("jobs", lease);
    EXPECT_EQ(stream.read(),
              "data: {\"event\":\"acquired\",\"lock_name\":\"jobs\",\"fencing_token\":1,"
              "\"expires_at\":\"2026-08-03T01:03:03Z\","
              "\"observed_at\":\"2026-08-03T01:02:03Z\"}\nid: 1\n\n"
              "data: {\"event\":\"renewed\",\"lock_name\":\"jobs\",\"fencing_token\":1,"
              "\"expires_at\":\"2026-08-03T01:03:04Z\","
              "\"observed_at\":\"2026-08-03T01:02:04Z\"}\n\n"
              "data: {\"event\":\"released\",\"lock_name\":\"jobs\","
              "\"observed_at\":\"2026-08-03T01:02:04Z\"}\nid: 3\n\n");
}

TEST_F(NameWatchTest, NothingOfOtherNamesIsSeen)
{
    OpenStream stream = watchLock("jobs");
    stream.read();
    release("other", acquire("other"));
    EXPECT_EQ(stream.read(), "");
}

TEST_F(NameWatchTest, ALeaseThatRanOutIsExpiredAndOneOfAClosedSessionReleased)
{
    OpenStream stream = watchLock("jobs");
    acquire("jobs", alice, R"({"ttl_seconds":1})");
    advance(std::chrono::seconds(2));
    EXPECT_EQ(wordsOf(stream.read()), "released acquired expired");
    const auto session = jsonOf(server.ask(http::Method::Post, "/sessions", alice, "{}"));
    const std::string id = *session.at("session_id").asString();
    acquire("jobs", alice, "{\"session_id\":\"" + id + "\",\"ephemeral\":true}");
    server.ask(http::Method::Delete, "/sessions/" + id, alice);
    advance(std::chrono::seconds(1));
    EXPECT_EQ(wordsOf(stream.read()), "acquired released");
}

TEST_F(NameWatchTest, AHandOverIsTwoFramesAndOnlyTheSecondHasTheId)
{
    const std::string lease = acquire("jobs");
    OpenStream stream = watchLock("jobs");
    stream.read();
    const auto waiter = server.begin({http::Method::Post,
                                      "/locks/jobs/acquire",
                                      {{"Authorization", "Bearer bob-token"}},
                                      R"({"wait_seconds":60})"});
    release("jobs", lease);
    EXPECT_EQ(jsonOf(waiter()).count("lease_id"), 1U);
    const std::vector<std::string> frames = framesIn(stream.read());
    ASSERT_EQ(frames.size(), 2U);
    EXPECT_EQ(wordsOf(frames[0]), "released");
    EXPECT_EQ(idOf(frames[0]), "");
    EXPECT_EQ(wordsOf(frames[1]), "acquired");
    EXPECT_EQ(idOf(frames[1]), newest());
    // A reader that was cut between them still names the event before: it gets both.
    EXPECT_EQ(framesIn(watchLock("jobs", "1").read()), frames);
    EXPECT_EQ(watchLock("jobs", newest()).read(), "");
}

TEST_F(NameWatchTest, AChangeOfLeaderIsVacantAndThenLed)
{
    const auto campaign = [this](const char* body) {
        return server.begin({http::Method::Post, "/elections/room-one/campaign", {}, body});
    };
    const auto first = jsonOf(campaign(R"({"candidate_id":"a","metadata":"m"})")());
    OpenStream stream = watchRoom("room-one");
    EXPECT_THAT(stream.read(),
                HasSubstr(R"("leader":{"candidate_id":"a","metadata":"m","term":1)"));
    const auto second = campaign(R"({"candidate_id":"b","wait_seconds":60})");
    server.ask(http::Method::Post, "/elections/room-one/resign", {},
               "{\"leader_token\":\"" + *first.at("leader_token").asString() + "\"}");
    EXPECT_EQ(second().status, 200);
    const std::vector<std::string> frames = framesIn(stream.read());
    ASSERT_EQ(frames.size(), 2U);
    EXPECT_THAT(frames[0], HasSubstr(R"("status":"vacant","leader":null)"));
    EXPECT_THAT(frames[0], Not(HasSubstr("id: ")));
    EXPECT_THAT(frames[1], HasSubstr(R"("leader":{"candidate_id":"b","term":2)"));
    EXPECT_EQ(idOf(frames[1]), "2");
}

TEST_F(NameWatchTest, ARenewalOfALeaseThatIsOverIsNotTold)
{
    acquire("jobs");
    OpenStream stream = watchLock("jobs");
    stream.read();
    event::Renewal renewal{event::ResourceKind::Lock, "jobs", "alice", {}, Term(1), {}, {}};
    publish({}, {renewal});
    EXPECT_EQ(wordsOf(stream.read()), "renewed");
    advance(std::chrono::minutes(2));
    EXPECT_EQ(wordsOf(stream.read()), "expired");
    // Renewals come from another queue: this one was committed before the lease ended.
    publish({}, {renewal});
    EXPECT_EQ(stream.read(), "");
    acquire("jobs");
    publish({}, {renewal});
    EXPECT_EQ(wordsOf(stream.read()), "acquired");
}

TEST_F(NameWatchTest, AnIdThatCannotBeHonouredBeginsWithAResetAndASnapshot)
{
    release("jobs", acquire("jobs"));
    release("jobs", acquire("jobs"));
    journal.trim(Sequence(2));
    for (const char* id : {"1", "99", "-1", "x", "2 ", "18446744073709551616"})
    {
        const std::string text = watchLock("jobs", id).read();
        EXPECT_EQ(framesIn(text).front(), "event: reset\ndata: {}") << id;
        EXPECT_THAT(text, HasSubstr(R"("snapshot":true)")) << id;
    }
    EXPECT_EQ(wordsOf(watchLock("jobs", "2").read()), "acquired released");
}

TEST_F(NameWatchTest, WhatIsCutOffWhileItIsReadIsAReset)
{
    release("jobs", acquire("jobs"));
    release("jobs", acquire("jobs"));
    journal.age(journal.newest());
    OpenStream stream = watchLock("jobs", "1");
    // The thread that reads may have been quicker; then nothing was cut off.
    journal.trim(Sequence(3));
    const std::string text = stream.readUntil("id: 4\n");
    EXPECT_THAT(text, testing::AnyOf(HasSubstr("event: reset"), HasSubstr("id: 2\n")));
}

TEST_F(NameWatchTest, AReaderThatIsTooSlowIsToldSo)
{
    OpenStream stream = watchLock("jobs");
    std::size_t acquired = 0;
    for (; acquired < 2000; ++acquired)
        release("jobs", acquire("jobs"));
    std::string text = stream.read();
    EXPECT_TRUE(stream.ended());
    EXPECT_TRUE(text.ends_with("event: lagged\ndata: {}\n\n")) << text.substr(text.size() - 100);
    EXPECT_LE(text.size(), 140U * 1024);
    // It comes back with what it has seen and misses nothing.
    const std::vector<std::string> frames = framesIn(text);
    const std::string last = idOf(frames[frames.size() - 2]);
    OpenStream next = watchLock("jobs", last);
    const std::string more = next.readUntil("id: " + newest() + "\n");
    EXPECT_EQ(framesIn(text).size() - 2 + framesIn(more).size(), 2 * acquired);
}

TEST_F(NameWatchTest, AQuietStreamShowsThatItLives)
{
    OpenStream lock = watchLock("jobs");
    OpenStream room = watchRoom("room-one");
    lock.read();
    room.read();
    advance(std::chrono::seconds(15));
    EXPECT_EQ(lock.readUntil("\n\n"), ":\n\n");
    EXPECT_EQ(room.readUntil("\n\n"), ": keepalive\n\n");
}

TEST_F(NameWatchTest, AStreamOfARoomLastsAsLongAsItMay)
{
    OpenStream room = watchRoom("room-one");
    OpenStream lock = watchLock("jobs");
    room.read();
    lock.read();
    advance(std::chrono::seconds(900));
    room.readUntil("connect again");
    EXPECT_TRUE(room.ended());
    EXPECT_FALSE(lock.ended());
}

TEST_F(NameWatchTest, ThereAreNotMoreStreamsThanThereMayBe)
{
    std::vector<OpenStream> streams;
    for (int i = 0; i < 3; ++i)
        streams.push_back(watchRoom("room-one"));
    EXPECT_EQ(watchRoom("room-two").head().status, 429);
    EXPECT_EQ(*watchRoom("room-two").head().headers.find("retry-after"), "30");
    streams.back().leave();
    EXPECT_EQ(watchRoom("room-two").head().status, 200);

    server.settings = FakeSettings(FakeSettings::Values{{"watch.streams_per_principal", "3"}});
    ASSERT_TRUE(watches.reload(server.settings));
    for (int i = 0; i < 3; ++i)
        streams.push_back(watchLock("jobs"));
    EXPECT_EQ(watchLock("jobs").head().status, 429);
    EXPECT_EQ(streamEvents("").head().status, 429);
    EXPECT_EQ(watchLock("jobs", {}, bob).head().status, 200);
}

TEST_F(NameWatchTest, AWatchIsRefusedInTheOrderOfTheContract)
{
    EXPECT_EQ(watchLock("jobs", {}, "").head().status, 401);
    EXPECT_EQ(watchLock("bad%20name", {}, "").head().status, 401);
    EXPECT_EQ(watchLock("bad%20name").head().status, 400);
    EXPECT_EQ(watchLock("jobs", {}, carol).head().status, 403);
    EXPECT_EQ(watchLock("team.jobs", {}, carol).head().status, 200);
    EXPECT_EQ(watchLock("__election%2Froom-one").head().status, 403);
    EXPECT_EQ(watchRoom("short").head().status, 400);
    server.settings = FakeSettings(FakeSettings::Values{{"elections.public", "false"}});
    ASSERT_TRUE(watches.reload(server.settings));
    EXPECT_EQ(watchRoom("short").head().status, 403);
}

TEST_F(NameWatchTest, AStopEndsEveryStreamWithAComment)
{
    OpenStream lock = watchLock("jobs");
    OpenStream room = watchRoom("room-one");
    OpenStream events = streamEvents("");
    const auto poll = server.begin(question("/events?wait_seconds=60", alice));
    watches.drain();
    for (OpenStream* stream : {&lock, &room, &events})
    {
        EXPECT_THAT(stream->read(), HasSubstr(": The server is stopping.\n\n"));
        EXPECT_TRUE(stream->ended());
    }
    EXPECT_EQ(poll().status, 503);
    EXPECT_EQ(watchLock("jobs").head().status, 503);
    EXPECT_EQ(watches.hub().subscribers(), 0U);
}

TEST_F(NameWatchTest, ARevokedCredentialEndsItsStreamsAndWaits)
{
    acquire("jobs", bob);
    OpenStream ends = watchLock("jobs");
    OpenStream events = streamEvents("");
    OpenStream stays = watchLock("jobs", {}, bob);
    OpenStream room = watchRoom("room-one");
    const auto waiter = server.begin({http::Method::Post,
                                      "/locks/jobs/acquire",
                                      {{"Authorization", "Bearer alice-token"}},
                                      R"({"wait_seconds":60})"});
    const auto poll = server.begin(question("/events?since=999&wait_seconds=60", alice));
    server.accounts.remove(alice);
    server.credentialsChanged();
    for (OpenStream* stream : {&ends, &events})
    {
        EXPECT_THAT(stream->read(), HasSubstr(": The credential was revoked or changed.\n\n"));
        EXPECT_TRUE(stream->ended());
    }
    EXPECT_FALSE(stays.ended());
    EXPECT_FALSE(room.ended());
    EXPECT_EQ(waiter().status, 401);
    EXPECT_EQ(poll().status, 401);
    EXPECT_THAT(waiter().body, HasSubstr("authentication_failed"));
}

TEST_F(NameWatchTest, AnotherRoleEndsAStreamToo)
{
    OpenStream stream = streamEvents("", root);
    stream.read();
    server.credentialsChanged();
    EXPECT_FALSE(stream.ended());
    server.accounts.add(root, "root", http::Role::User);
    server.credentialsChanged();
    EXPECT_TRUE(stream.ended());
}

} // namespace
} // namespace octostore::test
