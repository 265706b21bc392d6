// SPDX-License-Identifier: MIT
// Webhooks that really deliver something.
#include "Conversation.h"
#include "support/ScriptedServer.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace octostore::test
{

void Conversation::deliverToAReceiver()
{
    ScriptedServer receiver(
        [](const SeenRequest& request)
        {
            ScriptedReply reply{204, {}, {}, {}, {}};
            reply.hang = request.path == "/silent";
            if (request.path == "/ill")
                reply.status = 500;
            return reply;
        });
    DescribedServer server(
        ServerProcess::Properties{{"webhooks.egress.allow.cidrs", "127.0.0.0/8"}});
    const std::string hooks = "/webhooks";
    const auto made =
        ask(server, "POST /webhooks", hooks, 201, _alice,
            R"({"url":")" + receiver.url() + R"(/hook","events":["lock.*"],"format":"octostore"})");
    const std::string hook = hooks + "/" + textOf(made, "id");
    ask(server, "GET /webhooks", hooks, 200, _alice);
    ask(server, "PATCH /webhooks/{id}", hook, 200, _alice, R"({"description":"d"})");
    ask(server, "PATCH /webhooks/{id}", hook, 400, _alice, R"({"secret":"s"})");
    ask(server, "POST /webhooks/{id}/ping", hook + "/ping", 200, _alice);
    ask(server, "POST /locks/{name}/acquire", "/locks/told/acquire", 200, _alice, "{}");
    ASSERT_TRUE(receiver.waitFor("POST", "/hook", std::chrono::seconds(60)));

    const std::string one = deliveryOf(server, hook, "succeeded", 1);
    ask(server, "GET /webhooks/{id}/deliveries/{delivery_id}", one, 200, _alice);
    ask(server, "POST /webhooks/{id}/deliveries/{delivery_id}/redeliver", one + "/redeliver", 202,
        _alice);
    ask(server, "GET /webhooks/{id}", hook, 200, _alice);
    ask(server, "POST /webhooks/{id}/recover", hook + "/recover", 202, _alice, R"({"since":0})");
    ask(server, "POST /webhooks/{id}/rotate-secret", hook + "/rotate-secret", 200, _alice, "{}");
    ask(server, "POST /webhooks/{id}/rotate-secret", hook + "/rotate-secret", 409, _alice, "{}");
    pingTooOften(server, receiver, hook);
    ask(server, "DELETE /webhooks/{id}", hook, 204, _alice);
    askAgainTooOften(server, receiver);
}

/// The newest of that state, once there are so many; they are written down a moment later.
std::string Conversation::deliveryOf(DescribedServer& server, const std::string& hook,
                                     const std::string& state, std::size_t least)
{
    const std::string list = hook + "/deliveries";
    for (int tries = 0; tries < 3'000; ++tries)
    {
        const auto page =
            ask(server, "GET /webhooks/{id}/deliveries", list + "?state=" + state, 200, _alice);
        if (const auto& items = *page.at("items").asArray(); items.size() >= least)
            return list + "/" + textOf(*items.front().asObject(), "id");
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    ADD_FAILURE() << "there are no " << least << " deliveries that " << state;
    return list + "/dlv_1";
}

/// What is asked for of a webhook that is not active waits until there is room for no more.
void Conversation::askAgainTooOften(DescribedServer& server, const ScriptedServer& receiver)
{
    // Each time so many are asked for again; from ten failures on the receiver is left alone.
    constexpr int failing = 5;
    const auto made = ask(server, "POST /webhooks", "/webhooks", 201, _alice,
                          R"({"url":")" + receiver.url() + R"(/ill","events":["lock.*"]})");
    const std::string hook = "/webhooks/" + textOf(made, "id");
    for (int i = 0; i < failing; ++i)
        ask(server, "POST /locks/{name}/acquire", "/locks/ill-" + std::to_string(i) + "/acquire",
            200, _alice, "{}");
    const std::string one = deliveryOf(server, hook, "failed", failing);
    ask(server, "PATCH /webhooks/{id}", hook, 200, _alice, R"({"active":false})");
    const auto recover = [&]
    {
        return numberOf(ask(server, "POST /webhooks/{id}/recover", hook + "/recover", 202, _alice,
                            R"({"since":0})"),
                        "redelivered");
    };
    for (int asked = 0; asked < 40'000 && recover() != "0";)
        asked += failing;
    ask(server, "POST /webhooks/{id}/deliveries/{delivery_id}/redeliver", one + "/redeliver", 503,
        _alice);
}

/// The store is there, but not what opens the secrets in it.
void Conversation::loseTheKeyOfSecrets()
{
    DescribedServer server;
    const std::string body = R"({"url":"https://example.org/hook"})";
    const auto made = ask(server, "POST /webhooks", "/webhooks", 201, _alice, body);
    server.restartWithout("octostore.db.webhooks.key");
    ask(server, "POST /webhooks", "/webhooks", 409, _alice, body);
    const std::string hook = "/webhooks/" + textOf(made, "id");
    ask(server, "POST /webhooks/{id}/ping", hook + "/ping", 409, _alice);
    ask(server, "POST /webhooks/{id}/deliveries/{delivery_id}/redeliver",
        hook + "/deliveries/dlv_42/redeliver", 409, _alice);
}

/// Two pings of an account wait for an answer: a third one is not sent.
void Conversation::pingTooOften(DescribedServer& server, const ScriptedServer& receiver,
                                const std::string& hook)
{
    ask(server, "PATCH /webhooks/{id}", hook, 200, _alice,
        R"({"url":")" + receiver.url() + R"(/silent"})");
    const std::string ping =
        requestOf(_description.operation("POST /webhooks/{id}/ping"), hook + "/ping", _alice, "");
    HttpClient first(server.port());
    HttpClient second(server.port());
    ASSERT_TRUE(first.send(ping) && second.send(ping));
    const auto underWay = [&receiver]
    {
        const auto seen = receiver.requests();
        return std::count_if(seen.begin(), seen.end(),
                             [](const SeenRequest& request) {
                                 return request.path == "/silent" &&
                                        request.body.find("webhook.ping") != std::string::npos;
                             });
    };
    for (int tries = 0; underWay() < 2 && tries < 3'000; ++tries)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ask(server, "POST /webhooks/{id}/ping", hook + "/ping", 503, _alice);
}

} // namespace octostore::test
