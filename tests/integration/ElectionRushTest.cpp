// SPDX-License-Identifier: MIT
// Goal: when a thousand clients behind one address rush to the elections, who leads keeps leading,
// and whoever is refused and waits as long as it is told gets in.
// Method: every plugin as the server loads it, its configuration as delivered, a clock that obeys.
#include "support/PluginServer.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace octostore::test
{
namespace
{

using namespace std::chrono_literals;
using http::Method;

class ElectionRushTest : public testing::Test
{
protected:
    static constexpr int clients = 1000;
    static constexpr int budget = 600; ///< elections.requests_per_minute, unless it is set

    ElectionRushTest()
    {
        server().filters = true;
        server().open();
    }
    InProcessServer& server() { return _plugins.server(); }
    FakeClock& clock() { return server().clock(); }

    http::Response campaign(const std::string& room, const std::string& candidate)
    {
        return server().ask(Method::Post, "/elections/" + room + "/campaign", {},
                            R"({"candidate_id":")" + candidate + "\"}");
    }
    /// Of the leader, which is never held up.
    http::Response lead(Method method, const std::string& what)
    {
        std::optional<std::string> body;
        if (method == Method::Post)
            body = R"({"leader_token":")" + _token + "\"}";
        const http::Response answer =
            server().ask(method, "/elections/nightly-jobs" + what, {}, body);
        EXPECT_EQ(answer.status, 200) << what << answer.body;
        EXPECT_EQ(answer.headers.find("ratelimit-limit"), nullptr) << what;
        return answer;
    }
    void becomeLeader()
    {
        const http::Response answer = campaign("nightly-jobs", "leader");
        ASSERT_EQ(answer.status, 200) << answer.body;
        _token = textOf(answer, "leader_token");
        ASSERT_FALSE(_token.empty());
    }
    static std::string textOf(const http::Response& answer, const std::string& key)
    {
        const JsonValue::Object body = jsonOf(answer);
        const auto text = JsonFields(body).optionalString(key);
        return text && *text ? **text : std::string();
    }
    static int numberIn(const http::Response& answer, const char* header)
    {
        const std::string* value = answer.headers.find(header);
        return value ? std::stoi(*value) : -1;
    }
    /// How long it is told to wait.
    std::chrono::seconds expectRefusal(const http::Response& answer)
    {
        EXPECT_EQ(answer.error, ErrorCode::RateLimited);
        EXPECT_EQ(numberIn(answer, "ratelimit-limit"), budget);
        EXPECT_EQ(numberIn(answer, "ratelimit-remaining"), 0);
        const int wait = numberIn(answer, "retry-after");
        EXPECT_EQ(numberIn(answer, "ratelimit-reset"), wait);
        EXPECT_GT(wait, 0);
        EXPECT_LE(wait, 60);
        return std::chrono::seconds(wait);
    }

    PluginServer _plugins;
    std::string _token;
};

TEST_F(ElectionRushTest, WhoLeadsKeepsLeadingAndWhoIsRefusedGetsInWhenItObeys)
{
    struct Refused
    {
        int client;
        BootTime comesBack;
    };
    std::vector<Refused> refused;
    becomeLeader();
    for (int i = 1; i < clients; ++i)
    {
        clock().advance(7ms);
        const http::Response answer = campaign("the-room-" + std::to_string(i), "candidate");
        if (answer.status == 429)
            refused.push_back({i, clock().bootTime() + expectRefusal(answer)});
        else
            EXPECT_EQ(textOf(answer, "status"), "leader") << answer.body;
        if (i % 20 == 0)
        {
            lead(Method::Post, "/renew");
            EXPECT_EQ(textOf(lead(Method::Get, ""), "status"), "leader");
        }
    }
    ASSERT_EQ(refused.size(), static_cast<std::size_t>(clients - budget));
    lead(Method::Post, "/resign");
    EXPECT_EQ(campaign("nightly-jobs", "another").status, 429);

    for (const Refused& one : refused)
    {
        if (one.comesBack > clock().bootTime())
            clock().advance(one.comesBack - clock().bootTime());
        const http::Response answer =
            campaign("the-room-" + std::to_string(one.client), "candidate");
        EXPECT_EQ(textOf(answer, "status"), "leader") << answer.body;
    }
}

} // namespace
} // namespace octostore::test
