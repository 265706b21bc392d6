// SPDX-License-Identifier: MIT
// Goal: nothing is lost, and nothing comes out of order, whatever befalls the server.
// Method: the real program delivers to a receiver of the test, which checks signatures and drops
// what it knows. Clients change leaders without a pause; the server is killed at moments drawn by
// lot, whatever is under way then. In the end the receiver has what the journal has, in its order.
#include "Signature.h"
#include "integration/ServerClient.h"
#include "support/ScriptedServer.h"
#include "support/ServerProcess.h"
#include "support/TemporaryDirectory.h"
#include "support/TestSeed.h"

#include <octostore/base/Json.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include <signal.h>

namespace octostore::test
{
namespace
{

constexpr int rounds = 20;
constexpr unsigned clients = 2;
/// Many: one whose leader lost its token with the server is not free again for five seconds.
constexpr unsigned roomsEach = 10;
constexpr int aliveMost = 80; // milliseconds after a start
constexpr auto patience = std::chrono::seconds(100);

/// By sequence; what happened where to which leader.
using Changes = std::vector<std::pair<std::int64_t, std::string>>;

std::string roomOf(unsigned client, unsigned turn)
{
    return "room-" + std::to_string(1'000 + client * roomsEach + turn % roomsEach);
}

std::string roomsJson()
{
    std::string text;
    for (unsigned i = 0; i < clients * roomsEach; ++i)
        text += (i == 0 ? "\"" : ",\"") + roomOf(i / roomsEach, i) + "\"";
    return "[" + text + "]";
}

std::int64_t termOf(const JsonValue::Object& object, const char* side)
{
    const auto found = object.find(side);
    const auto* holding = found == object.end() ? nullptr : found->second.asObject();
    return holding == nullptr ? 0 : *holding->at("term").asInteger();
}

std::string elected(const std::string& room, std::int64_t term)
{
    return "election.leader_elected " + room + " " + std::to_string(term);
}

/// An event as the journal and deliveries have it.
std::pair<std::int64_t, std::string> changeOf(const JsonValue::Object& event)
{
    const std::string room = *event.at("resource").asObject()->at("name").asString();
    const std::int64_t current = termOf(event, "current");
    return {*event.at("sequence").asInteger(),
            *event.at("type").asString() + " " + room + " " +
                std::to_string(current == 0 ? termOf(event, "previous") : current)};
}

/// Clients that elect leaders and let them resign, one after the other.
class Load
{
public:
    explicit Load(std::uint16_t port) : _port(port)
    {
        for (unsigned i = 0; i < clients; ++i)
            _threads.emplace_back([this, i] { run(i); });
    }
    ~Load() { end(); }
    /// Where the server is from now on.
    void setPort(std::uint16_t port) { _port = port; }
    void end()
    {
        _ending = true;
        for (std::thread& thread : _threads)
            if (thread.joinable())
                thread.join();
    }
    /// How often the server went away while it was to answer somebody.
    unsigned broken() const { return _broken; }
    /// Waits until it has been answered once more: then it has a connection to where the server is.
    bool goesOn()
    {
        const unsigned before = _answers;
        const auto end = std::chrono::steady_clock::now() + patience;
        while (_answers == before && std::chrono::steady_clock::now() < end)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return _answers != before;
    }
    /// The elections that were answered. After end().
    const std::set<std::string>& answered() const { return _answered; }

private:
    void run(unsigned client)
    {
        for (unsigned turn = 0; !_ending;)
        {
            ServerClient connection(_port, ServerProcess::aliceToken);
            for (bool open = false; !_ending && change(connection, roomOf(client, ++turn), open);)
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
            std::this_thread::sleep_for(std::chrono::milliseconds(2)); // it is starting
        }
    }
    /// False: the connection broke. `open`: something was answered on it.
    bool change(ServerClient& connection, const std::string& room, bool& open)
    {
        const auto won = connection.post("/elections/" + room + "/campaign",
                                         "{\"candidate_id\":\"c\",\"ttl_seconds\":5}");
        if (!won)
            return lost(open);
        open = true;
        ++_answers;
        const std::string token = won->text("leader_token");
        if (token.empty())
            return true; // the leader's token went with the server
        {
            const std::lock_guard lock(_mutex);
            _answered.insert(elected(room, termOf(won->json(), "leader")));
        }
        return connection.post("/elections/" + room + "/resign",
                               "{\"leader_token\":\"" + token + "\"}")
                   ? true
                   : lost(open);
    }
    bool lost(bool open)
    {
        _broken += open ? 1 : 0;
        return false;
    }

    std::atomic<std::uint16_t> _port;
    std::atomic<bool> _ending{false};
    std::atomic<unsigned> _broken{0};
    std::atomic<unsigned> _answers{0};
    std::mutex _mutex;
    std::set<std::string> _answered;
    std::vector<std::thread> _threads;
};

class DeliveryTest : public testing::Test
{
protected:
    void start()
    {
        const std::map<std::string, std::string> properties = {
            {"plugins.enabled",
             "accounts, auth-static, coordination-api, health, rate-limit, watches, webhooks"},
            {"elections.requests_per_minute", "1000000"},
            {"webhooks.egress.allow.cidrs", "127.0.0.0/8"},
            {"webhooks.retry", "10ms, 50ms, 50ms, 50ms, 50ms, 50ms, 50ms, 50ms"}};
        _server = std::make_unique<ServerProcess>(_directory.path(), properties);
        const auto port = _server->port();
        ASSERT_TRUE(port) << port.error().message;
        _port = *port;
    }
    /// What the journal has of all rooms.
    Changes journal() const
    {
        Changes all;
        ServerClient client(_port, ServerProcess::aliceToken);
        for (unsigned i = 0; i < clients * roomsEach; ++i)
            for (std::int64_t since = 0, next = -1; since != next;)
            {
                next = since;
                const auto page =
                    client.get("/events?type=election.*&limit=1000&resource=election:" +
                               roomOf(i / roomsEach, i) + "&since=" + std::to_string(since));
                EXPECT_TRUE(page && page->status == 200) << (page ? page->body : "no answer");
                if (!page || page->status != 200)
                    return {};
                since = page->number("next_since");
                const JsonValue::Object object = page->json();
                for (const JsonValue& event : *object.at("events").asArray())
                    all.push_back(changeOf(*event.asObject()));
            }
        std::sort(all.begin(), all.end());
        return all;
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
    /// In the order in which they came.
    Changes taken() const
    {
        const std::lock_guard lock(_mutex);
        return _taken;
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
        if (body)
            _taken.push_back(changeOf(*body->at("data").asObject()));
        return jsonReply("{}");
    }

    mutable std::mutex _mutex;
    int _count = 0;
    std::string _secret;
    std::set<std::string> _known;
    Changes _taken;
    ScriptedServer _server;
};

TEST_F(DeliveryTest, EveryChangeOfLeaderArrivesOnceAndInOrderThroughTwentyKillsAtAnyMoment)
{
    std::mt19937_64 random(testSeed());
    Receiver receiver;
    start();
    const auto made =
        ServerClient(_port, ServerProcess::aliceToken)
            .post("/webhooks", "{\"url\":\"" + receiver.url() +
                                   "\",\"events\":[\"election.*\"],\"elections\":" + roomsJson() +
                                   ",\"ordered\":true}");
    ASSERT_TRUE(made && made->status == 201) << (made ? made->body : "no answer");
    receiver.setSecret(made->text("secret"));

    Load load(_port);
    for (int round = 0; round < rounds; ++round)
    {
        // Now and then it must have served; else it may be killed whatever it was about.
        ASSERT_TRUE(round % 4 != 0 || load.goesOn());
        std::this_thread::sleep_for(
            std::chrono::milliseconds(std::uniform_int_distribution<int>(0, aliveMost)(random)));
        _server->signal(SIGKILL);
        _server->waitForEnd();
        start();
        if (HasFatalFailure())
            return;
        load.setPort(_port);
    }
    load.end();
    EXPECT_GT(load.broken(), 0U) << "nothing was under way when the server was killed";
    // Leaders whose token is lost run out meanwhile: both go on.
    Changes wanted = journal();
    Changes taken = receiver.taken();
    for (const auto end = std::chrono::steady_clock::now() + patience;
         taken != wanted && std::chrono::steady_clock::now() < end;)
    {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        wanted = journal();
        taken = receiver.taken();
    }
    EXPECT_EQ(taken, wanted);
    std::set<std::string> left = load.answered();
    EXPECT_GT(left.size(), 0U);
    for (const auto& change : wanted)
        left.erase(change.second);
    EXPECT_TRUE(left.empty()) << *left.begin() << " was answered, but the journal has it not";
}

} // namespace
} // namespace octostore::test
