// SPDX-License-Identifier: MIT
// Goal: of several faults in one request the client is told about the one the contract puts first.
// Method: start with every fault at once and mend one after the other.
#include "ApiTest.h"

#include <string>
#include <vector>

namespace octostore::test
{
namespace
{

class CheckOrderTest : public ApiTest
{
protected:
    struct Step
    {
        Ask ask;
        int status;
        std::string code;
    };

    void expectInOrder(const std::vector<Step>& steps)
    {
        for (const Step& step : steps)
        {
            SCOPED_TRACE(step.ask.target + " " + step.ask.body.value_or("-"));
            const Call call = _server.ask(step.ask);
            ASSERT_TRUE(call.answered());
            if (step.status == 200)
            {
                EXPECT_EQ(call.status(), 200) << call.body();
                continue;
            }
            const bool lost = step.code == "lease_not_current";
            expectError(call, step.status, step.code, lost ? "gone" : "");
        }
    }

    static Ask post(const std::string& target, std::string_view token, const std::string& body,
                    const std::string& type = "application/json")
    {
        return {http::Method::Post, target, std::string(token), body, type};
    }
    static std::string times(std::size_t count, char c) { return std::string(count, c); }
};

TEST_F(CheckOrderTest, Acquire)
{
    const std::string bad = "/locks/__election%2F%20/acquire";
    const std::string reserved = "/locks/__election/roomroom/acquire";
    const std::string foreign = "/locks/other/acquire";
    const std::string own = "/locks/team.a/acquire";
    const std::string longText = times(1025, 'm');
    expectInOrder({
        {post(bad, "", "{", "text/plain"), 401, "authentication_required"},
        {post(bad, "unknown", "{", "text/plain"), 401, "authentication_failed"},
        {post(bad, carol, "{", "text/plain"), 415, "invalid_input"},
        {post(bad, carol, "{"), 400, "invalid_input"},
        {post(bad, carol, R"({"ttl_seconds":"0"})"), 422, "invalid_input"},
        {post(bad, carol, R"({"ttl_seconds":0})"), 400, "invalid_lock_name"},
        {post(reserved, carol, R"({"ttl_seconds":0})"), 403, "forbidden"},
        {post(foreign, carol, R"({"ttl_seconds":0})"), 403, "forbidden"},
        {post(own, carol, R"({"ttl_seconds":0,"metadata":")" + longText + "\"}"), 400,
         "invalid_ttl"},
        {post(own, carol, R"({"ttl_seconds":3601,"metadata":")" + longText + "\"}"), 400,
         "invalid_ttl"},
        {post(own, carol, R"({"metadata":")" + longText + "\"}"), 400, "invalid_input"},
        {post(own, carol, R"({"ttl_seconds":3600,"metadata":")" + times(1024, 'm') + "\"}"), 200,
         ""},
    });
}

TEST_F(CheckOrderTest, TheDetailsOfAcquireNameTheFirstFault)
{
    const std::vector<std::pair<std::string, std::string>> cases = {
        {R"({"lock_delay_seconds":31,"wait_seconds":301,"ephemeral":true,"acl":{"acquire":[]}})",
         "lock_delay_seconds"},
        {R"({"wait_seconds":301,"ephemeral":true,"acl":{"acquire":[]}})", "wait_seconds"},
        {R"({"ephemeral":true,"acl":{"acquire":[]}})", "session_id"},
        {R"({"acl":{"acquire":[]}})", "1 to 100"},
        {R"({"acl":{"acquire":["user:alice","bob"]}})", "Entry 2"},
    };
    for (const auto& [body, detail] : cases)
    {
        const Call call = acquire("a", alice, body);
        expectError(call, 400, "invalid_input");
        EXPECT_NE(textOf(call.json(), "details").find(detail), std::string::npos) << call.body();
    }
    EXPECT_EQ(acquire("a", alice,
                      R"({"lock_delay_seconds":30,"wait_seconds":300,)"
                      R"("ephemeral":false,"session_id":null,"acl":null,"x":[]})")
                  .status(),
              200);
}

TEST_F(CheckOrderTest, RenewAndRelease)
{
    const std::string nil = Uuid{}.toString();
    for (const std::string& action : {std::string("/renew"), std::string("/release")})
    {
        expectInOrder({
            {post("/locks/%20" + action, "", "{}"), 401, "authentication_required"},
            {post("/locks/%20" + action, carol, "{}"), 422, "invalid_input"},
            {post("/locks/%20" + action, carol, R"({"lease_id":"x"})"), 422, "invalid_input"},
            {post("/locks/%20" + action, carol, R"({"lease_id":")" + nil + "\"}"), 400,
             "invalid_lock_name"},
            {post("/locks/__octostore/x" + action, root, R"({"lease_id":")" + nil + "\"}"), 403,
             "forbidden"},
            {post("/locks/a" + action, carol, R"({"lease_id":")" + nil + "\"}"), 403, "forbidden"},
            {post("/locks/team.a" + action, carol, R"({"lease_id":")" + nil + "\"}"), 404,
             "lease_not_current"},
        });
    }
    expectInOrder({
        {post("/locks/team.a/renew", carol, R"({"ttl_seconds":0,"lease_id":")" + nil + "\"}"), 400,
         "invalid_ttl"},
        {post("/locks/team.a/release", carol, R"({"ttl_seconds":0,"lease_id":")" + nil + "\"}"),
         404, "lease_not_current"},
    });
}

TEST_F(CheckOrderTest, StatusAndFenceOfALock)
{
    const auto get = [](const std::string& target, std::string_view token) {
        return Ask{http::Method::Get, target, std::string(token), std::nullopt};
    };
    expectInOrder({
        {get("/locks/%20", ""), 401, "authentication_required"},
        {get("/locks/%20", carol), 400, "invalid_lock_name"},
        {get("/locks/__election/x", root), 403, "forbidden"},
        {get("/locks/a", carol), 403, "forbidden"},
        {get("/locks/a", root), 200, ""},
        {get("/locks/team.a", carol), 200, ""},
        {get("/locks/%20/fence", carol), 400, "invalid_lock_name"},
        {get("/locks/a/fence", carol), 403, "forbidden"},
        {get("/locks/team.a/fence", carol), 400, "invalid_input"},
        {get("/locks/team.a/fence?term=", carol), 400, "invalid_input"},
        {get("/locks/team.a/fence?term=-1", carol), 400, "invalid_input"},
        {get("/locks/team.a/fence?term=9223372036854775808", carol), 400, "invalid_input"},
        {get("/locks/team.a/fence?term=1&term=1", carol), 400, "invalid_input"},
        {get("/locks/team.a/fence?term=9223372036854775807", carol), 200, ""},
    });
}

TEST_F(CheckOrderTest, Campaign)
{
    const std::string longText = times(1025, 'm');
    const std::string bad = "/elections/short/campaign";
    const std::string good = "/elections/room-0001/campaign";
    expectInOrder({
        {post(bad, "", "{", "text/plain"), 415, "invalid_input"},
        {post(bad, "", "{"), 400, "invalid_input"},
        {post(bad, "", "{}"), 422, "invalid_input"},
        {post(bad, "", R"({"candidate_id":"n","ttl_seconds":4})"), 400, "invalid_input"},
        {post(good, "", R"({"candidate_id":"","ttl_seconds":4})"), 400, "invalid_input"},
        {post(good, "", R"({"candidate_id":"n","ttl_seconds":4,"metadata":")" + longText + "\"}"),
         400, "invalid_input"},
        {post(good, "", R"({"candidate_id":"n","ttl_seconds":4,"candidate_key":"short"})"), 400,
         "invalid_ttl"},
        {post(good, "", R"({"candidate_id":"n","ttl_seconds":301})"), 400, "invalid_ttl"},
        {post(good, "", R"({"candidate_id":"n","candidate_key":"short"})"), 400, "invalid_input"},
        {post(good, "", R"({"candidate_id":"n","wait_seconds":301})"), 400, "invalid_input"},
        {post(good, "", R"({"candidate_id":"n","ttl_seconds":300,"wait_seconds":300})"), 200, ""},
    });
}

TEST_F(CheckOrderTest, RenewAndResignOfALeader)
{
    const std::string token = times(43, 'A');
    const auto body = [](const std::string& leaderToken, const std::string& more)
    { return "{\"leader_token\":\"" + leaderToken + "\"" + more + "}"; };
    expectInOrder({
        {post("/elections/short/renew", "", "{}"), 422, "invalid_input"},
        {post("/elections/short/renew", "", body("x", R"(,"ttl_seconds":4)")), 400,
         "invalid_input"},
        {post("/elections/room-0001/renew", "", body("x", R"(,"ttl_seconds":4)")), 400,
         "invalid_ttl"},
        {post("/elections/room-0001/renew", "", body("x", "")), 400, "invalid_input"},
        {post("/elections/room-0001/renew", "", body(token, "")), 404, "lease_not_current"},
        {post("/elections/short/resign", "", body("x", R"(,"ttl_seconds":-1)")), 422,
         "invalid_input"},
        {post("/elections/short/resign", "", body("x", "")), 400, "invalid_input"},
        {post("/elections/room-0001/resign", "", body("x", "")), 400, "invalid_input"},
        {post("/elections/room-0001/resign", "", body(token, R"(,"ttl_seconds":4)")), 404,
         "lease_not_current"},
    });
}

} // namespace
} // namespace octostore::test
