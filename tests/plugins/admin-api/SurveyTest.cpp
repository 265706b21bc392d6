// SPDX-License-Identifier: MIT
// Goal: however many ask for long lists, only a few are made at once, and for those who wait for
// them.
// Method: the engine is held, so that everything that asks it piles up.
#include "AdminApiTest.h"
#include "framework/http/FakeChannel.h"

#include <deque>
#include <memory>

namespace octostore::admin_api
{
namespace
{

/// A request and its client, who may leave.
struct Client
{
    std::shared_ptr<test::FakeChannel> channel = std::make_shared<test::FakeChannel>();
    std::weak_ptr<http::Exchange> exchange;

    void leave() const
    {
        if (const http::ExchangePtr open = exchange.lock())
            open->abandoned();
    }
    /// 0: not answered.
    int status() const
    {
        channel->manual->run();
        return channel->sent.empty() ? 0 : channel->sent.front().status;
    }
};

class AdminSurveyTest : public AdminApiTest
{
protected:
    /// As many as may ask the engine at once, and as many as may wait for that.
    static constexpr std::size_t asking = 2, waiting = 32;

    AdminSurveyTest() : routes(server.routes()) {}

    Client begin(const std::string& path)
    {
        Client client;
        const auto exchange = std::make_shared<http::Exchange>(
            http::Request(), RequestId(), std::static_pointer_cast<http::Channel>(client.channel));
        exchange->setIdentity(http::Identity());
        client.exchange = exchange;
        for (const http::Route& route : routes)
            if (route.pattern == path && route.method == Method::Get)
                route.handler(exchange);
        return client;
    }
    std::size_t held() { return server.coordinator().heldRequests(); }
    /// All have come after a few rounds: each answer lets the next one begin.
    static bool allCame(const std::deque<Client>& clients)
    {
        for (std::size_t round = 0; round <= clients.size(); ++round)
        {
            std::size_t came = 0;
            for (const Client& client : clients)
                came += client.status() == 200 ? 1 : 0;
            if (came == clients.size())
                return true;
        }
        return false;
    }

    std::vector<http::Route> routes;
};

TEST_F(AdminSurveyTest, AFewAskTheEngineSomeWaitAndTheRestIsRefused)
{
    hold("a");
    server.coordinator().holdRequests();
    std::deque<Client> clients;
    for (const char* path : {"/admin/locks", "/admin/elections", "/admin/sessions",
                             "/admin/accounts", "/admin/status"})
        for (std::size_t i = 0; clients.size() < asking + waiting && i < 7; ++i)
            clients.push_back(begin(path));
    ASSERT_EQ(clients.size(), asking + waiting);
    EXPECT_EQ(held(), asking);
    for (const char* path : {"/admin/locks", "/admin/status", "/admin/accounts"})
    {
        const Client refused = begin(path);
        EXPECT_EQ(refused.status(), 503) << path;
        const http::Response& answer = refused.channel->sent.front();
        EXPECT_EQ(*jsonOf(answer).at("reason").asString(), "overloaded");
        EXPECT_NE(answer.headers.find("retry-after"), nullptr);
    }
    EXPECT_EQ(clients.front().status(), 0);

    server.coordinator().releaseRequests();
    EXPECT_TRUE(allCame(clients));
    EXPECT_EQ(get("/admin/status").status, 200) << "there is room again";
}

TEST_F(AdminSurveyTest, WhoLeavesGivesItsPlaceToTheNextOne)
{
    server.coordinator().holdRequests();
    std::deque<Client> clients;
    for (std::size_t i = 0; i < asking + waiting; ++i)
        clients.push_back(begin("/admin/locks"));
    // All but the last one, some of them before it was their turn.
    for (std::size_t i = clients.size() - 1; i > 0; --i)
        clients[i - 1].leave();
    EXPECT_EQ(clients.back().status(), 0);
    EXPECT_EQ(held(), 1U) << "nothing is asked for those who have left";
    server.coordinator().releaseRequests();
    EXPECT_EQ(clients.back().status(), 200);
    for (std::size_t i = 0; i + 1 < clients.size(); ++i)
        EXPECT_NE(clients[i].status(), 200);
}

TEST_F(AdminSurveyTest, WhoWaitsWhenTheServerStopsIsTold)
{
    server.coordinator().holdRequests();
    std::deque<Client> clients;
    for (std::size_t i = 0; i < asking + 1; ++i)
        clients.push_back(begin("/admin/elections"));
    plugin.drain();
    EXPECT_EQ(clients.back().status(), 503);
    EXPECT_EQ(clients.front().status(), 0);
    server.coordinator().releaseRequests();
    EXPECT_EQ(clients.front().status(), 200) << "it had begun";
    EXPECT_EQ(clients[1].status(), 200);
}

} // namespace
} // namespace octostore::admin_api
