// SPDX-License-Identifier: MIT
// Goal: the real program remembers what it delivered, and tells how it does.
// Method: it delivers to a receiver of the test, is killed, and is asked again.
#include "integration/ServerTest.h"
#include "support/ScriptedServer.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <signal.h>

namespace octostore::test
{
namespace
{

class WebhookProgramTest : public ServerTest
{
protected:
    WebhookProgramTest() : receiver([](const SeenRequest&) { return jsonReply("{}"); })
    {
        startServer();
    }

    void startServer()
    {
        start({{"auth.admin_key", "the-admin-key"},
               {"webhooks.egress.allow.cidrs", "127.0.0.0/8"},
               {"webhooks.retry", "50ms, 50ms, 50ms"}});
    }
    ServerAnswer ask(const ServerQuestion& question, int status)
    {
        ServerClient asking = client(alice);
        const ServerAnswer answer = expectAnswer(asking.ask(question));
        EXPECT_EQ(answer.status, status) << question.target << ": " << answer.body;
        return answer;
    }
    ServerAnswer post(const std::string& target, const std::string& body, int status)
    {
        return ask({.method = "POST", .target = target, .body = body}, status);
    }
    /// Its path.
    std::string create()
    {
        return "/webhooks/" + post("/webhooks",
                                   "{\"url\":\"" + receiver.url() +
                                       "/hook\",\"events\":[\"lock.*\"],\"ordered\":true}",
                                   201)
                                  .text("id");
    }
    std::size_t delivered(const std::string& path)
    {
        const auto page = ask({.target = path + "/deliveries?state=succeeded"}, 200).json();
        const auto items = page.find("items");
        return items == page.end() ? 0 : items->second.asArray()->size();
    }
    /// When it was, and what came back, as text.
    std::string firstAttempt(const std::string& path)
    {
        const auto page = ask({.target = path + "/deliveries"}, 200).json();
        const auto& first = *page.at("items").asArray()->at(0).asObject();
        const std::string shown =
            ask({.target = path + "/deliveries/" + *first.at("id").asString()}, 200).body;
        const std::size_t begin = shown.find("\"attempt_log\":[");
        return shown.substr(begin, shown.find('}', begin) - begin);
    }
    static bool waitUntil(const std::function<bool()>& condition)
    {
        constexpr int patience = 6000; // of 10 ms: only what never comes is found by it
        for (int i = 0; i < patience && !condition(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return condition();
    }

    ScriptedServer receiver;
};

TEST_F(WebhookProgramTest, WhatWasDeliveredIsStillKnownAfterAKill)
{
    const std::string path = create();
    post("/locks/a/acquire", "{}", 200);
    ASSERT_TRUE(waitUntil([&] { return delivered(path) == 1; }));
    const std::string before = firstAttempt(path);
    killServer();
    startServer();
    // It may come once more: the cursor is saved later than the log.
    EXPECT_EQ(firstAttempt(path), before);
    EXPECT_TRUE(waitUntil([&] { return delivered(path) == 1; }));
}

TEST_F(WebhookProgramTest, AWebhookWhoseKeyIsMissingIsInactiveUntilItIsBack)
{
    namespace fs = std::filesystem;
    const std::string path = create();
    const fs::path key = _directory.path() / "octostore.db.webhooks.key";
    const fs::path elsewhere = _directory.path() / "kept.key";
    killServer();
    ASSERT_TRUE(fs::exists(key));
    fs::rename(key, elsewhere);
    startServer();
    const ServerAnswer shown = ask({.target = path}, 200);
    EXPECT_NE(shown.body.find("\"active\":false"), std::string::npos) << shown.body;
    EXPECT_NE(shown.body.find("was sealed with a key"), std::string::npos) << shown.body;
    EXPECT_FALSE(fs::exists(key)) << "the old one may come back";
    ask({.method = "PATCH", .target = path, .body = R"({"active":true})"}, 409);
    ask({.method = "POST", .target = path + "/ping"}, 409);
    ask({.method = "POST", .target = path + "/rotate-secret", .body = "{}"}, 409);
    post("/webhooks", "{\"url\":\"" + receiver.url() + "/hook\",\"events\":[\"lock.*\"]}", 409);
    ServerQuestion events{.target = "/events?type=webhook.disabled"};
    events.headers = {{"X-Admin-Key", "the-admin-key"}};
    EXPECT_TRUE(waitUntil(
        [&]
        {
            const ServerAnswer answer = expectAnswer(client().ask(events));
            return answer.body.find("was sealed with a key") != std::string::npos;
        }));

    killServer();
    fs::rename(elsewhere, key);
    startServer();
    ask({.method = "PATCH", .target = path, .body = R"({"active":true})"}, 200);
    post("/locks/a/acquire", "{}", 200);
    EXPECT_TRUE(waitUntil([&] { return delivered(path) == 1; }));
}

TEST_F(WebhookProgramTest, ASecretThatCannotBeReadAnyMoreMayBeRotated)
{
    const std::string path = create();
    killServer();
    const std::string other(43, 'A'); // 32 bytes in base64, without the end
    start({{"auth.admin_key", "the-admin-key"},
           {"webhooks.egress.allow.cidrs", "127.0.0.0/8"},
           {"webhooks.secret_key", other + "="}});
    ask({.method = "PATCH", .target = path, .body = R"({"active":true})"}, 409);
    ask({.method = "POST", .target = path + "/rotate-secret", .body = "{}"}, 200);
    ask({.method = "PATCH", .target = path, .body = R"({"active":true})"}, 200);
    post("/locks/a/acquire", "{}", 200);
    EXPECT_TRUE(waitUntil([&] { return delivered(path) == 1; }));
}

TEST_F(WebhookProgramTest, EveryFigureIsOffered)
{
    const std::string path = create();
    const std::string paused = create();
    ask({.method = "PATCH", .target = paused, .body = R"({"active":false})"}, 200);
    post("/locks/a/acquire", "{}", 200);
    ASSERT_TRUE(waitUntil([&] { return delivered(path) == 1; }));
    const auto read = [&]
    {
        return "\n" +
               ask({.target = "/metrics/prometheus", .headers = {{"X-Admin-Key", "the-admin-key"}}},
                   200)
                   .body;
    };
    const std::vector<std::string> lines{"queue_length 0",
                                         "deliveries_total{result=\"succeeded\"} 1",
                                         "deliveries_total{result=\"exhausted\"} 0",
                                         "deliveries_total{result=\"expired\"} 0",
                                         "deliveries_total{result=\"cancelled\"} 0",
                                         "attempts_total{outcome=\"success\"} 1",
                                         "attempts_total{outcome=\"failure\"} 0",
                                         "attempt_duration_seconds_count 1",
                                         "oldest_pending_seconds 0",
                                         "endpoints{state=\"active\"} 1",
                                         "endpoints{state=\"paused\"} 1",
                                         "endpoints{state=\"disabled\"} 0",
                                         "breaker_open 0",
                                         "egress_denied_total 0",
                                         "disabled_total 0",
                                         "log_dropped_total 0",
                                         "in_flight 0"};
    const auto missing = [&]
    {
        const std::string text = read();
        std::string all;
        for (const std::string& line : lines)
            if (text.find("\noctostore_webhook_" + line + "\n") == std::string::npos)
                all += line + "\n";
        return all;
    };
    // Some are set once a turn.
    EXPECT_TRUE(waitUntil([&] { return missing().empty(); })) << missing();
}

} // namespace
} // namespace octostore::test
