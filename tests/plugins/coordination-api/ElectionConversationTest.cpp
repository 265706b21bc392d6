// SPDX-License-Identifier: MIT
// Goal: every outcome a candidate can meet, as JSON, status and headers.
// Method: whole conversations against a real engine whose clock stands still.
#include "ApiTest.h"

#include <set>

namespace octostore::test
{
namespace
{

using namespace std::chrono_literals;

class ElectionConversationTest : public ApiTest
{
protected:
    static constexpr const char* room = "room-0001";
    static constexpr const char* key = R"(,"candidate_key":"0123456789abcdef")";

    std::string tokenOf(const Call& call) { return textOf(call.json(), "leader_token"); }
    Call renew(const std::string& token, const std::string& more = {})
    {
        return _server.post(std::string("/elections/") + room + "/renew",
                            "{\"leader_token\":\"" + token + "\"" + more + "}");
    }
    Call resign(const std::string& token)
    {
        return _server.post(std::string("/elections/") + room + "/resign",
                            "{\"leader_token\":\"" + token + "\"}");
    }
    Call status() { return _server.get(std::string("/elections/") + room); }
};

TEST_F(ElectionConversationTest, ANewRoomIsAnIdAndThreePaths)
{
    const Call call = _server.post("/elections", "anything at all");
    EXPECT_EQ(call.status(), 201);
    const std::string id = textOf(call.json(), "election_id");
    EXPECT_EQ(id.size(), 32U);
    EXPECT_EQ(call.body(), "{\"election_id\":\"" + id + "\",\"campaign_path\":\"/elections/" + id +
                               "/campaign\",\"status_path\":\"/elections/" + id +
                               "\",\"watch_path\":\"/elections/" + id + "/watch\"}");
    EXPECT_EQ(call.response().headers.find("location"), nullptr);
    EXPECT_EQ(campaign(id, "node-1").status(), 200);
    EXPECT_NE(textOf(_server.post("/elections", "").json(), "election_id"), id);
}

TEST_F(ElectionConversationTest, NoRoomIdLooksLikeAnOption)
{
    std::set<char> first;
    for (int i = 0; i < 2000; ++i)
        first.insert(textOf(_server.post("/elections", "").json(), "election_id").front());
    EXPECT_EQ(first.size(), 63U) << "every character but the dash";
    EXPECT_FALSE(first.count('-'));
}

TEST_F(ElectionConversationTest, TheFirstCandidateLeads)
{
    const Call call = campaign(room, "node-1", R"(,"ttl_seconds":15,"metadata":"10.0.0.1")");
    EXPECT_EQ(call.status(), 200);
    const std::string token = tokenOf(call);
    EXPECT_EQ(token.size(), 43U);
    EXPECT_EQ(call.body(),
              "{\"status\":\"leader\",\"election_id\":\"room-0001\",\"leader\":{\"candidate_id\":"
              "\"node-1\",\"metadata\":\"10.0.0.1\",\"term\":1,\"expires_at\":"
              "\"2026-08-03T01:02:18Z\"},\"leader_token\":\"" +
                  token + "\",\"renew_after_ms\":7500,\"authority_ms\":15000,\"waited_ms\":0}");
}

TEST_F(ElectionConversationTest, EverybodyElseFollowsAlsoUnderTheSameName)
{
    campaign(room, "node-1");
    _server.advance(1s);
    for (const char* candidate : {"node-1", "node-2"})
    {
        const Call call = campaign(room, candidate);
        EXPECT_EQ(call.status(), 200);
        EXPECT_EQ(call.body(),
                  R"({"status":"follower","election_id":"room-0001","leader":{"candidate_id":)"
                  R"("node-1","term":1,"expires_at":"2026-08-03T01:02:33Z"},)"
                  R"("retry_after_ms":29000})");
    }
}

TEST_F(ElectionConversationTest, AKeyedCampaignCanBeAskedAgain)
{
    const Call first = campaign(room, "node-1", key);
    _server.advance(20s);
    const Call again = campaign(room, "node-1", key);
    EXPECT_EQ(textOf(again.json(), "status"), "leader");
    EXPECT_EQ(tokenOf(again), tokenOf(first));
    EXPECT_EQ(numberOf(objectOf(again.json(), "leader"), "term"), 1);
    EXPECT_EQ(numberOf(again.json(), "authority_ms"), 30'000);

    const std::string other = R"(,"candidate_key":"fedcba9876543210")";
    EXPECT_EQ(textOf(campaign(room, "node-1", other).json(), "status"), "follower");
    EXPECT_EQ(textOf(campaign(room, "node-2", key).json(), "status"), "follower");
    EXPECT_EQ(textOf(campaign(room, "node-1").json(), "status"), "follower");
}

TEST_F(ElectionConversationTest, ALeaderRenewsItsTermAlsoForLess)
{
    const std::string token = tokenOf(campaign(room, "node-1", R"(,"metadata":"m")"));
    const Call call = renew(token, R"(,"ttl_seconds":5)");
    EXPECT_EQ(call.status(), 200);
    EXPECT_EQ(call.body(), "{\"status\":\"leader\",\"election_id\":\"room-0001\",\"leader\":{"
                           "\"candidate_id\":\"node-1\",\"metadata\":\"m\",\"term\":1,"
                           "\"expires_at\":\"2026-08-03T01:02:08Z\"},\"leader_token\":\"" +
                               token +
                               "\",\"renew_after_ms\":2500,\"authority_ms\":5000,\"waited_ms\":0}");
    EXPECT_EQ(numberOf(renew(token).json(), "authority_ms"), 30'000)
        << "the default, not the first";
}

TEST_F(ElectionConversationTest, ALeaderResignsAndTheNextTermIsHigher)
{
    const std::string token = tokenOf(campaign(room, "node-1"));
    const Call call = resign(token);
    EXPECT_EQ(call.status(), 200);
    EXPECT_EQ(call.body(), R"({"election_id":"room-0001","status":"vacant","previous_term":1})");

    const Call again = resign(token);
    expectError(again, 404, "lease_not_current", "gone");
    EXPECT_EQ(textOf(objectOf(again.json(), "ended"), "cause"), "resigned");
    EXPECT_GT(numberOf(objectOf(campaign(room, "node-2").json(), "leader"), "term"), 1);
    expectError(renew(token), 400, "lease_not_current", "mismatch");
    expectError(resign(token), 400, "lease_not_current", "mismatch");
}

TEST_F(ElectionConversationTest, ATermEndsAtItsDeadlineAndIsTakenOverAtOnce)
{
    const std::string token = tokenOf(campaign(room, "node-1"));
    _server.advance(30s);
    const Call late = renew(token);
    expectError(late, 404, "lease_not_current", "expired");
    EXPECT_EQ(textOf(objectOf(late.json(), "ended"), "cause"), "ttl");
    EXPECT_EQ(status().body(),
              R"({"election_id":"room-0001","status":"vacant","retry_after_ms":0})");
    EXPECT_EQ(textOf(campaign(room, "node-2").json(), "status"), "leader");
}

TEST_F(ElectionConversationTest, ARoomNobodyEverLedHasNoCurrentLease)
{
    const std::string token(43, 'A');
    expectError(renew(token), 404, "lease_not_current", "gone");
    expectError(resign(token), 404, "lease_not_current", "gone");
}

TEST_F(ElectionConversationTest, StatusShowsTheLeaderButNeverItsToken)
{
    EXPECT_EQ(status().body(),
              R"({"election_id":"room-0001","status":"vacant","retry_after_ms":0})");
    const std::string token = tokenOf(campaign(room, "node-1", R"(,"metadata":"m")"));
    _server.advance(500us);
    EXPECT_EQ(status().body(),
              R"({"election_id":"room-0001","status":"leader","leader":{"candidate_id":"node-1",)"
              R"("metadata":"m","term":1,"expires_at":"2026-08-03T01:02:33Z"},)"
              R"("retry_after_ms":29999})");
}

TEST_F(ElectionConversationTest, AFenceKnowsTheTermThatIsLive)
{
    campaign(room, "node-1");
    EXPECT_EQ(_server.get("/elections/room-0001/fence?term=1").body(),
              R"({"election_id":"room-0001","term":1,"current":true,"live_term":1})");
    EXPECT_EQ(_server.get("/elections/room-0001/fence?term=2").body(),
              R"({"election_id":"room-0001","term":2,"current":false,"live_term":1})");
    EXPECT_EQ(_server.get("/elections/room-0002/fence?term=1").body(),
              R"({"election_id":"room-0002","term":1,"current":false,"live_term":null})");
}

TEST_F(ElectionConversationTest, AWaitingCandidateLeadsWhenTheLeaderResigns)
{
    const std::string token = tokenOf(campaign(room, "node-1"));
    const Call waiting = campaign(room, "node-2", R"(,"wait_seconds":60)");
    const Call behind = campaign(room, "node-3", R"(,"wait_seconds":10)");
    _server.advance(4s);
    EXPECT_FALSE(waiting.answered());
    resign(token);
    ASSERT_TRUE(waiting.answered());
    EXPECT_EQ(textOf(waiting.json(), "status"), "leader");
    EXPECT_EQ(numberOf(waiting.json(), "waited_ms"), 4000);
    EXPECT_EQ(numberOf(waiting.json(), "authority_ms"), 30'000);

    _server.advance(6s);
    ASSERT_TRUE(behind.answered());
    EXPECT_EQ(textOf(behind.json(), "status"), "follower");
    EXPECT_EQ(numberOf(behind.json(), "queue_position"), 0);
}

TEST_F(ElectionConversationTest, ARoomTooManyIsRefusedAtOnce)
{
    ApiServer::Options options;
    options.limits.liveRoomsMax = 1;
    ApiServer server(options);
    const std::string body = R"({"candidate_id":"n","wait_seconds":60})";
    EXPECT_EQ(server.post("/elections/room-0001/campaign", body).status(), 200);
    const Call full = server.post("/elections/room-0002/campaign", body);
    expectError(full, 409, "capacity_exceeded");
    EXPECT_EQ(*full.response().headers.find("retry-after"), "30");
    server.advance(30s);
    EXPECT_EQ(server.post("/elections/room-0002/campaign", body).status(), 200);
}

TEST_F(ElectionConversationTest, ALostAnswerGivesTheTermBack)
{
    _server.loseAnswers();
    campaign(room, "node-1");
    EXPECT_EQ(textOf(status().json(), "status"), "vacant");
    const std::vector<event::Draft> events = _server.coordinator().eventsOf(room);
    ASSERT_FALSE(events.empty());
    EXPECT_EQ(events.front().actor, (event::Actor{event::ActorKind::Candidate, "node-1"}));
    EXPECT_EQ(events.back().cause, event::Cause::Undelivered);
}

TEST_F(ElectionConversationTest, AServerWithoutElectionsRefusesAllOfThem)
{
    ApiServer::Options options;
    options.elections = false;
    ApiServer server(options);
    const std::string token = "{\"leader_token\":\"" + std::string(43, 'A') + "\"}";
    expectError(server.post("/elections", ""), 403, "forbidden");
    expectError(server.get("/elections/x"), 403, "forbidden");
    expectError(server.get("/elections/x/fence"), 403, "forbidden");
    expectError(server.post("/elections/x/campaign", R"({"candidate_id":""})"), 403, "forbidden");
    expectError(server.post("/elections/x/renew", token), 403, "forbidden");
    expectError(server.post("/elections/x/resign", token), 403, "forbidden");
    // The shape of the body comes first.
    expectError(server.post("/elections/x/campaign", "{}"), 422, "invalid_input");
}

TEST_F(ElectionConversationTest, ElectionsAreSwitchedWhileTheServerRuns)
{
    _server.reload(false);
    expectError(campaign(room, "node-1"), 403, "forbidden");
    _server.reload(true);
    EXPECT_EQ(campaign(room, "node-1").status(), 200);
}

} // namespace
} // namespace octostore::test
