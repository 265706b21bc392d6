// SPDX-License-Identifier: MIT
// Goal: administrators end what they mean and nothing else, and the journal says who did it.
#include "AdminApiTest.h"

#include <vector>

namespace octostore::admin_api
{
namespace
{

class AdminActionTest : public AdminApiTest
{
protected:
    struct Case
    {
        const char* what;
        Method method;
        std::string target;
        std::string body;
        int status;
        std::string code;
    };
    void check(const Case& one)
    {
        const http::Response answer = server.ask(one.method, one.target, root, one.body);
        EXPECT_EQ(answer.status, one.status) << one.what << ": " << answer.body;
        EXPECT_EQ(codeOf(answer), one.code) << one.what;
    }
    std::string holderOf(const std::string& name)
    {
        return valuesOf(get("/admin/locks?q=" + name), "holder");
    }
};

TEST_F(AdminActionTest, EveryMistakeHasItsAnswerAndEndsNothing)
{
    const std::int64_t term = hold("a");
    const std::int64_t roomTerm = lead("room-0001");
    const std::string session = openSession();
    const std::string good = end(term);
    const std::string locks = "/admin/locks/";
    const std::vector<Case> cases = {
        {"no JSON", Method::Post, locks + "a/force-release", "{", 400, "invalid_input"},
        {"no object", Method::Post, locks + "a/force-release", "[]", 422, "invalid_input"},
        {"a bad name before the body's fields", Method::Post, locks + "a%2F%2Fb/force-release",
         "{}", 400, "invalid_lock_name"},
        {"a room as a lock", Method::Post, locks + "__election%2Froom-0001/force-release", good,
         403, "forbidden"},
        {"no term", Method::Post, locks + "a/force-release", R"({"reason":"x"})", 400,
         "invalid_input"},
        {"term 0", Method::Post, locks + "a/force-release", end(0), 400, "invalid_input"},
        {"a negative term", Method::Post, locks + "a/force-release", end(-1), 400, "invalid_input"},
        {"a term that is text", Method::Post, locks + "a/force-release",
         R"({"term":"1","reason":"x"})", 400, "invalid_input"},
        {"no reason", Method::Post, locks + "a/force-release",
         "{\"term\":" + std::to_string(term) + "}", 400, "invalid_input"},
        {"an empty reason", Method::Post, locks + "a/force-release", end(term, ""), 400,
         "invalid_input"},
        {"a long reason", Method::Post, locks + "a/force-release", end(term, std::string(257, 'x')),
         400, "invalid_input"},
        {"another term", Method::Post, locks + "a/force-release", end(term + 1), 409, "conflict"},
        {"nobody holds it", Method::Post, locks + "free/force-release", good, 409, "conflict"},
        {"a bad room", Method::Post, "/admin/elections/x/force-resign", end(roomTerm), 400,
         "invalid_input"},
        {"another term of a room", Method::Post, "/admin/elections/room-0001/force-resign",
         end(roomTerm + 1), 409, "conflict"},
        {"no reason for a room", Method::Post, "/admin/elections/room-0001/force-resign",
         "{\"term\":" + std::to_string(roomTerm) + "}", 400, "invalid_input"},
        {"a bad session", Method::Delete, "/admin/sessions/x", R"({"reason":"x"})", 400,
         "invalid_input"},
        {"no reason for a session", Method::Delete, "/admin/sessions/" + session, "{}", 400,
         "invalid_input"},
        {"an unknown session", Method::Delete,
         "/admin/sessions/00000000-0000-4000-8000-000000000001", R"({"reason":"x"})", 404,
         "not_found"},
        {"no reason to reload", Method::Post, "/admin/reload", "{}", 400, "invalid_input"},
        {"a bad reason for a backup", Method::Post, "/admin/backup", R"({"reason":""})", 400,
         "invalid_input"},
        {"a store without snapshots", Method::Post, "/admin/backup", "", 404, "not_found"},
    };
    for (const Case& one : cases)
        check(one);
    EXPECT_EQ(holderOf("a"), "alice ");
    EXPECT_EQ(valuesOf(get("/admin/elections"), "election_id"), "room-0001 ");
    EXPECT_EQ(valuesOf(get("/admin/sessions"), "id"), session + " ");
    EXPECT_EQ(server
                  .ask({Method::Post,
                        "/admin/locks/a/force-release",
                        {{"Authorization", "Bearer " + std::string(root)}}})
                  .status,
              415);
}

TEST_F(AdminActionTest, WhoIsNoAdministratorIsRefusedBeforeTheBodyIsLookedAt)
{
    for (const char* target :
         {"/admin/locks/a/force-release", "/admin/elections/room-0001/force-resign",
          "/admin/reload", "/admin/backup"})
        for (const auto& [token, status] : {std::pair<std::string_view, int>{{}, 401},
                                            {"unknown", 401},
                                            {alice, 403},
                                            {watcher, 403}})
            EXPECT_EQ(post(target, "{", token).status, status) << target << " " << token;
}

TEST_F(AdminActionTest, AForcedReleaseIsInTheJournalWithWhoAndWhy)
{
    const std::int64_t term = hold("a");
    const http::Response ended = post("/admin/locks/a/force-release", end(term, "stuck for hours"));
    EXPECT_EQ(ended.status, 200);
    EXPECT_EQ(ended.body,
              R"({"status":"released","name":"a","previous_term":)" + std::to_string(term) + "}");
    EXPECT_EQ(holderOf("a"), "");
    const event::Draft last = server.coordinator().eventsOf("a").back();
    EXPECT_EQ(last.type, event::Type::LockForceReleased);
    EXPECT_EQ(last.actor, (event::Actor{event::ActorKind::Admin, "root"}));
    EXPECT_EQ(last.reason, "stuck for hours");
    EXPECT_EQ(post("/admin/locks/a/force-release", end(term)).status, 409) << "once only";
}

TEST_F(AdminActionTest, ALockThatChangedHandsMeanwhileIsLeftAlone)
{
    const std::int64_t seen = hold("a");
    post("/admin/locks/a/force-release", end(seen));
    const std::int64_t now = hold("a", root);
    EXPECT_GT(now, seen);
    EXPECT_EQ(post("/admin/locks/a/force-release", end(seen)).status, 409);
    EXPECT_EQ(holderOf("a"), "root ");
}

TEST_F(AdminActionTest, AForcedReleaseHandsOverInTheSameTransaction)
{
    const std::int64_t term = hold("a");
    const auto waiter = server.begin({Method::Post,
                                      "/locks/a/acquire",
                                      {{"Authorization", "Bearer " + std::string(root)}},
                                      R"({"wait_seconds":60})"});
    EXPECT_EQ(post("/admin/locks/a/force-release", end(term)).status, 200);
    EXPECT_EQ(*jsonOf(waiter()).at("status").asString(), "acquired");
    const std::vector<event::Draft> events = server.coordinator().eventsOf("a");
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[1].type, event::Type::LockHandedOver);
    EXPECT_EQ(events[1].facts, (std::vector<event::Type>{event::Type::LockForceReleased,
                                                         event::Type::LockAcquired}));
    EXPECT_EQ(events[1].reason, "stuck");
}

TEST_F(AdminActionTest, ALeaderIsMadeToResign)
{
    const std::int64_t term = lead("room-0001");
    const http::Response ended = post("/admin/elections/room-0001/force-resign", end(term));
    EXPECT_EQ(ended.body, R"({"status":"vacant","election_id":"room-0001","previous_term":)" +
                              std::to_string(term) + "}");
    EXPECT_EQ(server.coordinator().eventsOf("room-0001").back().type, event::Type::LeaderRemoved);
    EXPECT_EQ(valuesOf(get("/admin/elections"), "election_id"), "");
}

TEST_F(AdminActionTest, ASessionIsEndedWithItsLocks)
{
    const std::string session = openSession();
    hold("a", alice, "{\"session_id\":\"" + session + "\",\"ephemeral\":true}");
    const std::string target = "/admin/sessions/" + session;
    const std::string why = R"({"reason":"gone"})";
    EXPECT_EQ(server.ask(Method::Delete, target, root, why).status, 204);
    EXPECT_EQ(holderOf("a"), "");
    EXPECT_EQ(server.coordinator().eventsOf(session).back().reason, "gone");
    EXPECT_EQ(server.ask(Method::Delete, target, root, why).status, 204) << "again";
}

} // namespace
} // namespace octostore::admin_api
