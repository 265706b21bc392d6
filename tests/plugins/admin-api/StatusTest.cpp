// SPDX-License-Identifier: MIT
// Goal: the documents about the server have the shape their readers know.
#include "AdminApiTest.h"

namespace octostore::admin_api
{
namespace
{

using namespace std::chrono_literals;

class AdminStatusTest : public AdminApiTest
{
};

TEST_F(AdminStatusTest, TheStatusDocumentHasTheKeysOfTheContractInOrder)
{
    hold("a", alice, R"({"metadata":"m"})");
    hold("s", alice, "{\"session_id\":\"" + openSession() + "\",\"ephemeral\":true}");
    lead("room-0001", "alpha");
    server.clock().advance(2s);
    const http::Response answer = get("/admin/status");
    EXPECT_EQ(answer.status, 200);
    const JsonValue::Object body = jsonOf(answer);
    EXPECT_EQ(*body.at("active_locks").asInteger(), 3);
    EXPECT_EQ(body.at("locks").asArray()->size(), 3U);
    EXPECT_EQ(*body.at("total_users").asInteger(), 4);
    EXPECT_EQ(body.at("users").asArray()->size(), 4U);
    EXPECT_EQ(*body.at("uptime_seconds").asInteger(), 2);
    EXPECT_EQ(*body.at("total_acquires").asInteger(), 3);
    const JsonValue::Array& locks = *body.at("locks").asArray();
    const JsonValue::Object& room = *locks[0].asObject();
    EXPECT_EQ(*room.at("name").asString(), "__election/room-0001");
    EXPECT_EQ(*room.at("holder_username").asString(), "unknown");
    EXPECT_EQ(*room.at("metadata").asString(), R"({"candidate_id":"alpha","metadata":null})");
    EXPECT_EQ(*locks[1].asObject()->at("holder_username").asString(), "alice");
    EXPECT_EQ(*locks[1].asObject()->at("ttl_remaining_seconds").asInteger(), 58);
    EXPECT_EQ(*locks[2].asObject()->at("holder_username").asString(), "unknown") << "ephemeral";
    EXPECT_TRUE(locks[1].asObject()->at("expires_at").asString()->ends_with("+00:00"));
    std::size_t at = 0;
    for (const char* key : {"active_locks", "healthy", "locks", "total_acquires", "total_releases",
                            "total_users", "uptime_seconds", "users"})
    {
        const std::size_t found = answer.body.find(std::string("\"") + key + "\":", at);
        ASSERT_NE(found, std::string::npos) << key;
        at = found;
    }
}

TEST_F(AdminStatusTest, EverybodyLearnsItsOwnRole)
{
    EXPECT_EQ(get("/admin/me").body, R"({"auth":"token","name":"watcher","role":"observer"})");
    EXPECT_EQ(get("/admin/me", root).body, R"({"auth":"token","name":"root","role":"admin"})");
    EXPECT_EQ(get("/admin/me", "admin:the-admin-key").body,
              R"({"auth":"key","name":"admin","role":"admin"})");
    EXPECT_EQ(get("/admin/me", alice).status, 403);
}

TEST_F(AdminStatusTest, ThisServerIsTheOneInTheList)
{
    hold("a");
    const JsonValue::Object body = jsonOf(get("/admin/servers"));
    ASSERT_EQ(*body.at("total").asInteger(), 1);
    const JsonValue::Object& one = *(*body.at("items").asArray())[0].asObject();
    EXPECT_EQ(*one.at("backend").asString(), "memory");
    EXPECT_EQ(*one.at("locks").asInteger(), 1);
    EXPECT_TRUE(one.at("grants_at").isNull());
}

} // namespace
} // namespace octostore::admin_api
