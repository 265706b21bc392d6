// SPDX-License-Identifier: MIT
/// @file
/// Watches, locks and elections in one process, with a journal and a clock that obey the test.
#pragma once

#include "CoordinationApiPlugin.h"
#include "MemoryJournal.h"
#include "WatchesPlugin.h"
#include "support/InProcessServer.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace octostore::test
{

class WatchFixture : public testing::Test
{
protected:
    static constexpr std::string_view alice = "alice-token";
    static constexpr std::string_view bob = "bob-token";
    static constexpr std::string_view carol = "carol-token"; ///< namespace `team`
    static constexpr std::string_view root = "root-token";   ///< an administrator

    WatchFixture()
    {
        server.settings = FakeSettings({{"elections.public", "true"},
                                        {"elections.watch.streams_global", "4"},
                                        {"elections.watch.streams_per_client", "3"},
                                        {"elections.watch.max_seconds", "900"},
                                        {"watch.streams_per_principal", "1000"}});
        server.accounts.add(alice, "alice");
        server.accounts.add(bob, "bob");
        server.accounts.add(carol, "carol", http::Role::User, "team");
        server.accounts.add(root, "root", http::Role::Admin);
        server.setJournal(journal);
        server.coordinator().publishTo(
            [this](std::vector<event::Event> events, std::vector<event::Renewal> renewals)
            { publish(std::move(events), renewals); });
        EXPECT_TRUE(server.add(api));
        EXPECT_TRUE(server.add(watches));
        server.open("the-admin-key");
    }
    ~WatchFixture() override { watches.stop(); }

    void publish(std::vector<event::Event> events, const std::vector<event::Renewal>& renewals)
    {
        std::vector<event::EventPtr> batch;
        for (event::Event& event : events)
            batch.push_back(std::make_shared<const event::Event>(std::move(event)));
        journal.add(batch);
        for (event::Consumer* consumer : server.registry().all<event::Consumer>())
        {
            consumer->events(batch);
            consumer->renewals(renewals);
        }
    }

    static InProcessServer::Question question(std::string target, std::string_view token,
                                              std::string_view lastEventId = {},
                                              std::string_view accept = {})
    {
        InProcessServer::Question asked{http::Method::Get, std::move(target), {}, {}};
        const auto add = [&asked](const char* name, std::string value) {
            asked.headers.push_back({name, std::move(value)});
        };
        if (!token.empty())
            add("Authorization", "Bearer " + std::string(token));
        if (!lastEventId.empty())
            add("Last-Event-ID", std::string(lastEventId));
        if (!accept.empty())
            add("Accept", std::string(accept));
        return asked;
    }
    OpenStream watchLock(const std::string& name, std::string_view lastEventId = {},
                         std::string_view token = alice)
    {
        return server.stream(question("/locks/" + name + "/watch", token, lastEventId));
    }
    OpenStream watchRoom(const std::string& room, std::string_view lastEventId = {})
    {
        return server.stream(question("/elections/" + room + "/watch", {}, lastEventId));
    }
    OpenStream streamEvents(const std::string& query, std::string_view token = alice,
                            std::string_view lastEventId = {})
    {
        return server.stream(question("/events" + query, token, lastEventId, "text/event-stream"));
    }

    /// The lease ID.
    std::string acquire(const std::string& lock, std::string_view token = alice,
                        std::string body = "{}")
    {
        const auto answer =
            server.ask(http::Method::Post, "/locks/" + lock + "/acquire", token, std::move(body));
        const JsonValue::Object json = jsonOf(answer);
        const auto lease = json.find("lease_id");
        EXPECT_NE(lease, json.end()) << answer.body;
        return lease == json.end() ? std::string() : *lease->second.asString();
    }
    void renew(const std::string& lock, const std::string& lease, std::string_view token = alice)
    {
        EXPECT_EQ(server
                      .ask(http::Method::Post, "/locks/" + lock + "/renew", token,
                           "{\"lease_id\":\"" + lease + "\"}")
                      .status,
                  200);
    }
    void release(const std::string& lock, const std::string& lease, std::string_view token = alice)
    {
        EXPECT_EQ(server
                      .ask(http::Method::Post, "/locks/" + lock + "/release", token,
                           "{\"lease_id\":\"" + lease + "\"}")
                      .status,
                  200);
    }
    void advance(BootClock::duration duration)
    {
        server.clock().advance(duration);
        server.coordinator().run();
    }
    std::string newest() const { return std::to_string(journal.newest().value()); }

    coordination_api::CoordinationApiPlugin api;
    watches::WatchesPlugin watches;
    MemoryJournal journal;
    InProcessServer server;
};

/// The frames of a text, without the empty line that ends each.
inline std::vector<std::string> framesIn(const std::string& text)
{
    std::vector<std::string> frames;
    for (std::size_t at = 0; at < text.size();)
    {
        const std::size_t end = text.find("\n\n", at);
        frames.push_back(text.substr(at, end - at));
        at = end == std::string::npos ? text.size() : end + 2;
    }
    return frames;
}

/// The `event` of each lock frame: `released acquired`.
inline std::string wordsOf(const std::string& text)
{
    std::string words;
    constexpr std::string_view before = "data: {\"event\":\"";
    for (const std::string& frame : framesIn(text))
    {
        const auto at = frame.find(before);
        if (at == std::string::npos)
            continue;
        const auto begin = at + before.size();
        words += (words.empty() ? "" : " ") + frame.substr(begin, frame.find('"', begin) - begin);
    }
    return words;
}

/// What follows `id: ` in a frame; empty when there is none.
inline std::string idOf(const std::string& frame)
{
    const auto at = frame.find("\nid: ");
    return at == std::string::npos ? std::string() : frame.substr(at + 5);
}

} // namespace octostore::test
