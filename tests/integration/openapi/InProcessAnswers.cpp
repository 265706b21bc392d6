// SPDX-License-Identifier: MIT
// Answers that need a clock, an engine or a store that obeys the test.
#include "Conversation.h"
#include "support/PluginServer.h"

#include <octostore/plugin/Plugin.h>
#include <octostore/plugin/ServerControl.h>

#include <chrono>
#include <memory>
#include <thread>
#include <vector>

namespace octostore::test
{

namespace
{

constexpr std::string_view alice = "alice-token";
constexpr std::string_view root = "root-token";

/// A server on which everybody is known.
std::unique_ptr<PluginServer> makeServer(const std::vector<std::string>& more = {})
{
    auto made = std::make_unique<PluginServer>(more);
    made->server().accounts.add(alice, "alice");
    made->server().accounts.add(root, "root", http::Role::Admin);
    return made;
}

/// Is not well.
class IllCheck final : public plugin::HealthCheck
{
public:
    std::string_view name() const noexcept override { return "ill"; }
    Result<void> ready() const noexcept override { return Error{ErrorCode::Unavailable, "ill"}; }
    Result<void> live() const noexcept override { return ready(); }
};

/// Answers every reload with an error.
class FailingControl final : public plugin::ServerControl
{
public:
    void reload(plugin::ReloadOrder, Reloaded done) noexcept override
    {
        done(Error{code, "the test"});
    }
    std::shared_ptr<const std::vector<config::Entry>> configuration() const noexcept override
    {
        return std::make_shared<const std::vector<config::Entry>>();
    }
    ErrorCode code = ErrorCode::Configuration;
};

} // namespace

void Conversation::refuseWhatIsOver()
{
    const auto plugins = makeServer();
    InProcessServer& server = plugins->server();
    server.open(DescribedServer::adminKey);
    // Renewed or released when the end is known by rule and not yet recorded.
    for (const std::string act : {"renew", "release"})
    {
        const std::string id =
            textOf(ask(server, "POST /sessions", "/sessions", 201, alice, R"({"ttl_seconds":10})"),
                   "session_id");
        const std::string inSession = R"({"ephemeral":true,"session_id":")" + id + "\"}";
        const std::string lock = "/locks/" + act;
        const auto taken =
            ask(server, "POST /locks/{name}/acquire", lock + "/acquire", 200, alice, inSession);
        server.clock().advance(std::chrono::seconds(10));
        ask(server, "POST /locks/{name}/" + act, lock + "/" + act, 410, alice,
            R"({"lease_id":")" + textOf(taken, "lease_id") + "\"}");
        ask(server, "POST /locks/{name}/acquire", "/locks/other/acquire", 410, alice, inSession);
        ask(server, "POST /sessions/{id}/keepalive", "/sessions/" + id + "/keepalive", 410, alice);
    }
}

void Conversation::refuseWhileStopping()
{
    const auto plugins = makeServer();
    InProcessServer& server = plugins->server();
    server.open(DescribedServer::adminKey);
    const auto webhook = ask(server, "POST /webhooks", "/webhooks", 201, root,
                             R"({"url":"https://example.org/hook"})");
    const auto zoe =
        ask(server, "POST /auth/register", "/auth/register", 200, {}, R"({"username":"zoe"})");
    plugins->drain();
    ask(server, "POST /auth/register", "/auth/register", 503, {}, R"({"username":"yan"})");
    ask(server, "POST /auth/token/rotate", "/auth/token/rotate", 503, textOf(zoe, "token"));
    for (const Operation& operation : _description.operations())
    {
        // Probes, reloads, copies, pings and redeliveries need more than the engine.
        const bool elsewhere =
            operation.path.find("/livez") == 0 || operation.path.find("/readyz") == 0 ||
            operation.path.find("/auth/") == 0 || operation.path == "/admin/reload" ||
            operation.path == "/admin/backup" || operation.path == "/webhooks/{id}/ping" ||
            operation.path == "/webhooks/{id}/deliveries/{delivery_id}/redeliver";
        if (elsewhere || !operation.describes(503))
            continue;
        std::string target = operation.exampleTarget();
        if (operation.path.find("/webhooks/{id}") == 0)
            target = "/webhooks/" + textOf(webhook, "id") +
                     operation.path.substr(std::string("/webhooks/{id}").size());
        if (operation.path == "/admin/queues")
            target += "?name=a";
        ask(server, operation.name(), target, 503, root, operation.exampleBody());
    }
}

void Conversation::refuseWhatChangedMeanwhile()
{
    const auto plugins = makeServer();
    InProcessServer& server = plugins->server();
    server.open(DescribedServer::adminKey);
    const auto webhook = ask(server, "POST /webhooks", "/webhooks", 201, root,
                             R"({"url":"https://example.org/hook"})");
    const std::string target = "/webhooks/" + textOf(webhook, "id");
    const InProcessServer::Question first{http::Method::Patch,
                                          target,
                                          {{"Authorization", "Bearer " + std::string(root)}},
                                          R"({"active":false})"};
    server.coordinator().holdCommits();
    const InProcessServer::Answer changed = server.begin(first);
    const InProcessServer::Answer late = server.begin(first);
    server.coordinator().releaseCommits();
    EXPECT_EQ(changed().status, 200);
    judge(_description.operation("PATCH /webhooks/{id}"), received(late()), 409);
}

void Conversation::refuseMoreThanOneCopy()
{
    const auto plugins = makeServer();
    InProcessServer& server = plugins->server();
    server.open(DescribedServer::adminKey);
    const Operation& backup = _description.operation("POST /admin/backup");
    const InProcessServer::Answer first =
        server.begin({http::Method::Post,
                      backup.path,
                      {{"Authorization", "Bearer " + std::string(root)}},
                      "{}"});
    // Until it is told the fate of its copy it is under way.
    ask(server, backup.name(), backup.path, 409, root, "{}");
    for (int tries = 0; !first.hasCome() && tries < 6'000; ++tries)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    judge(backup, received(first()), 404); // this store is not copied
}

void Conversation::refuseMoreNamesThanMayBeWatched()
{
    constexpr int namesMax = 16'384;
    const auto plugins =
        makeServer({"watch.streams_per_principal=20000", "elections.watch.streams_global=20000",
                    "elections.watch.streams_per_client=20000"});
    InProcessServer& server = plugins->server();
    server.open(DescribedServer::adminKey);
    std::vector<OpenStream> open;
    open.reserve(namesMax);
    InProcessServer::Question question;
    for (int i = 0; i < namesMax; ++i)
    {
        question.target = "/elections/room-" + std::to_string(10'000 + i) + "/watch";
        open.push_back(server.stream(question));
    }
    ASSERT_EQ(open.back().head().status, 200);
    ask(server, "GET /elections/{id}/watch", "/elections/one-more/watch", 409, {});
    ask(server, "GET /locks/{name}/watch", "/locks/one-more/watch", 409, alice);
    ask(server, "GET /events", "/events?wait_seconds=1", 409, alice);
}

void Conversation::reportWhatFails()
{
    const auto plugins = makeServer();
    InProcessServer& server = plugins->server();
    IllCheck ill;
    FailingControl control;
    server.registry().contribute<plugin::HealthCheck>("test", ill);
    server.registry().contribute<plugin::ServerControl>("test", control);
    server.open(DescribedServer::adminKey);
    for (const char* probe : {"livez", "readyz"})
    {
        const std::string path = std::string("/") + probe;
        ask(server, "GET " + path, path, 503, {});
        ask(server, "GET " + path + "/{check}", path + "/ill", 503, {});
    }
    const std::string because = R"({"reason":"a test"})";
    ask(server, "POST /admin/reload", "/admin/reload", 409, root, because);
    control.code = ErrorCode::Draining;
    ask(server, "POST /admin/reload", "/admin/reload", 503, root, because);
}

} // namespace octostore::test
