// SPDX-License-Identifier: MIT
// Goal: nothing is lost, and nothing comes out of order, whatever befalls the server.
// Method: the real program delivers to a receiver of the test, which checks signatures. The server
// is killed again and again while leaders change; the receiver drops what it knows.
#include "Signature.h"
#include "support/HttpClient.h"
#include "support/ScriptedServer.h"
#include "support/ServerProcess.h"
#include "support/TemporaryDirectory.h"

#include <octostore/base/Json.h>

#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <set>
#include <thread>

#include <signal.h>

namespace octostore::test
{
namespace
{

constexpr int rounds = 20;
constexpr int changesEach = 6;
constexpr int rooms = 3;
constexpr auto patience = std::chrono::seconds(60);

/// Of the leaders of each room.
using Terms = std::map<std::string, std::vector<std::int64_t>>;

class DeliveryTest : public testing::Test
{
protected:
    void start()
    {
        const std::map<std::string, std::string> properties = {
            {"plugins.enabled",
             "accounts, auth-static, coordination-api, health, rate-limit, webhooks"},
            {"elections.requests_per_minute", "100000"},
            {"webhooks.egress.allow.cidrs", "127.0.0.0/8"},
            {"webhooks.retry", "50ms, 50ms, 50ms, 50ms, 50ms, 50ms, 50ms, 50ms"}};
        _server = std::make_unique<ServerProcess>(_directory.path(), properties);
        const auto port = _server->port();
        ASSERT_TRUE(port) << port.error().message;
        _port = *port;
    }
    JsonValue::Object post(const std::string& path, const std::string& body, int status)
    {
        HttpClient client(_port);
        client.patience = patience;
        client.post(path, body,
                    std::string("Content-Type: application/json\r\nAuthorization: Bearer ") +
                        ServerProcess::aliceToken + "\r\n");
        const auto answer = client.receive();
        EXPECT_TRUE(answer && answer->status == status) << (answer ? answer->body : "nothing");
        auto object =
            answer ? readJson(answer->body) : Result<JsonValue::Object>(JsonValue::Object());
        return object ? *object : JsonValue::Object();
    }
    /// A change of leader in the room; returns its term.
    std::int64_t change(const std::string& room, int number)
    {
        const auto elected =
            post("/elections/" + room + "/campaign",
                 "{\"candidate_id\":\"c" + std::to_string(number) + "\",\"ttl_seconds\":60}", 200);
        const auto leader = elected.find("leader");
        const auto token = elected.find("leader_token");
        if (leader == elected.end() || token == elected.end())
        {
            ADD_FAILURE() << "nobody leads";
            return 0;
        }
        post("/elections/" + room + "/resign",
             "{\"leader_token\":\"" + *token->second.asString() + "\"}", 200);
        return *leader->second.asObject()->at("term").asInteger();
    }
    bool waitUntil(const std::function<bool()>& condition) const
    {
        for (const auto end = std::chrono::steady_clock::now() + patience;
             std::chrono::steady_clock::now() < end;
             std::this_thread::sleep_for(std::chrono::milliseconds(5)))
            if (condition())
                return true;
        return false;
    }

    TemporaryDirectory _directory;
    std::unique_ptr<ServerProcess> _server;
    std::uint16_t _port = 0;
};

/// Keeps every delivery it has not seen; now and then it fails.
class Receiver
{
public:
    explicit Receiver() : _server([this](const SeenRequest& request) { return take(request); }) {}
    std::string url() const { return _server.url() + "/hook"; }
    void setSecret(std::string secret)
    {
        const std::lock_guard lock(_mutex);
        _secret = std::move(secret);
    }
    /// By room, in the order in which they came.
    Terms electedTerms() const
    {
        const std::lock_guard lock(_mutex);
        return _elected;
    }

private:
    ScriptedReply take(const SeenRequest& request)
    {
        const std::lock_guard lock(_mutex);
        if (++_count % 7 == 3)
            return jsonReply("{}", 503);
        const std::string id = request.headers.at("webhook-id");
        EXPECT_EQ(request.headers.at("webhook-signature"),
                  webhooks::signatureHeader({_secret}, id,
                                            std::stoll(request.headers.at("webhook-timestamp")),
                                            request.body));
        if (!_known.insert(id).second)
            return jsonReply("{}");
        const auto body = readJson(request.body);
        EXPECT_TRUE(body);
        if (!body || *body->at("type").asString() != "election.leader_elected")
            return jsonReply("{}");
        const JsonValue::Object& event = *body->at("data").asObject();
        _elected[*event.at("resource").asObject()->at("name").asString()].push_back(
            *event.at("current").asObject()->at("term").asInteger());
        return jsonReply("{}");
    }

    mutable std::mutex _mutex;
    int _count = 0;
    std::string _secret;
    std::set<std::string> _known;
    Terms _elected;
    ScriptedServer _server;
};

TEST_F(DeliveryTest, EveryChangeOfLeaderOfEveryRoomArrivesOnceAndInOrderThroughTwentyKills)
{
    Receiver receiver;
    start();
    const auto made =
        post("/webhooks",
             "{\"url\":\"" + receiver.url() +
                 "\",\"events\":[\"election.*\"],\"elections\":[\"room-0000\",\"room-0001\","
                 "\"room-0002\"],\"ordered\":true}",
             201);
    ASSERT_EQ(made.count("secret"), 1U);
    receiver.setSecret(*made.at("secret").asString());

    Terms terms;
    for (int round = 0; round < rounds; ++round)
    {
        for (int i = 0; i < changesEach; ++i)
        {
            const std::string room = "room-000" + std::to_string(i % rooms);
            terms[room].push_back(change(room, round * changesEach + i));
        }
        _server->signal(SIGKILL);
        _server->waitForEnd();
        start();
        if (HasFatalFailure())
            return;
    }
    waitUntil([&] { return receiver.electedTerms() == terms; });
    EXPECT_EQ(receiver.electedTerms(), terms);
}

} // namespace
} // namespace octostore::test
