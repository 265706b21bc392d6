// SPDX-License-Identifier: MIT
// Goal: why an administrator touched a webhook is known afterwards.
// Method: the routes are asked in one process; the journal says what it was told.
#include "WebhookFixture.h"

namespace octostore::test
{
namespace
{

using event::Type;
using http::Method;

class WebhookReasonTest : public WebhookFixture
{
protected:
    std::string pathOf(const std::string& id) { return "/webhooks/" + id; }
};

TEST_F(WebhookReasonTest, WhyAnAdministratorTouchedAWebhookIsInTheJournal)
{
    const auto made = ask(Method::Post, "/webhooks", 201,
                          R"({"url":"https://receiver.example/","reason":"a"})", root);
    const std::string path = pathOf(textOf(made, "id"));
    ask(Method::Patch, path, 400, R"({"active":false,"reason":""})", root);
    ask(Method::Patch, path, 200, R"({"active":false,"reason":"b"})", root);
    ask(Method::Patch, path, 200, R"({"active":true})", root);
    ask(Method::Post, path + "/rotate-secret", 200, R"({"reason":"c"})", root);
    EXPECT_EQ(server.ask(Method::Delete, path, root, R"({"reason":7})").status, 400);
    EXPECT_EQ(server.ask(Method::Delete, path, root, R"({"reason":"d"})").status, 204);
    const auto reasons = [&](Type type) { return eventsOf(textOf(made, "id"), type); };
    EXPECT_EQ(reasons(Type::WebhookCreated), std::vector<std::string>{"a"});
    EXPECT_EQ(reasons(Type::WebhookChanged), (std::vector<std::string>{"b", "", "c"}));
    EXPECT_EQ(reasons(Type::WebhookRemoved), std::vector<std::string>{"d"});
}

TEST_F(WebhookReasonTest, AnOwnerIsAskedForNoReason)
{
    const std::string id = create(R"(,"reason":7)");
    EXPECT_EQ(server.ask(Method::Delete, pathOf(id), alice, R"({"reason":7})").status, 204);
    EXPECT_EQ(eventsOf(id, Type::WebhookCreated), std::vector<std::string>{""});
    EXPECT_EQ(eventsOf(id, Type::WebhookRemoved), std::vector<std::string>{""});
}

} // namespace
} // namespace octostore::test
