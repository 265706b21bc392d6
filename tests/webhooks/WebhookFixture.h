// SPDX-License-Identifier: MIT
/// @file
/// Everything about webhooks in one process: routes, store, dispatcher, log and a real journal. The
/// clock and the receivers obey the test.
#pragma once

#include "CoordinationApiPlugin.h"
#include "DispatcherStage.h"
#include "EgressPolicy.h"
#include "MemoryBackend.h"
#include "SecretBox.h"
#include "WebhookRoutes.h"
#include "WebhookStore.h"
#include "event/Publisher.h"
#include "support/InProcessServer.h"
#include "support/JsonMembers.h"
#include "support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::test
{

/// Nothing is sent unless time passes (`pass`) or a ping is asked for.
class WebhookFixture : public testing::Test
{
protected:
    static constexpr std::string_view alice = "alice-token";
    static constexpr std::string_view bob = "bob-token";
    static constexpr std::string_view root = "root-token"; ///< an administrator
    static constexpr std::size_t queuedWhenSlow = 10;      ///< notes

    /// `slow`: instead of a file; then few notes may wait.
    explicit WebhookFixture(event::RetentionLimits limits = {},
                            std::unique_ptr<webhooks::DeliveryStore> slow = nullptr);
    ~WebhookFixture() override;

    /// The body of the answer, which must have this status; an array is under `items`.
    JsonValue::Object ask(http::Method method, const std::string& target, int status,
                          const std::optional<std::string>& body = {},
                          std::string_view token = alice);
    JsonValue::Object get(const std::string& target, int status = 200)
    {
        return ask(http::Method::Get, target, status);
    }
    JsonValue::Object post(const std::string& target, const std::string& body, int status)
    {
        return ask(http::Method::Post, target, status, body);
    }
    /// Its id. Delivered to https://receiver.example/; `more` are further members: `,"a":1`.
    std::string create(const std::string& more = {});
    /// Alice takes and gives back a lock: two events.
    void change(const std::string& lock);
    /// Time passes; whatever is due is delivered.
    void pass(BootClock::duration time);
    /// Time passes in steps.
    void passIn(BootClock::duration time, BootClock::duration step);
    /// Everything that was committed is in the journal.
    void settle();
    /// What has been noted is in the log.
    void flushLog();
    /// Passes a second at a time until it is so, or for a minute of real time.
    void until(const std::function<bool()>& condition);

    /// The reasons of the events of this type about webhooks, oldest first.
    std::vector<std::string> eventsOf(const std::string& id, event::Type type);
    /// `id:state` of each delivery in the log, oldest first.
    std::vector<std::string> log(const std::string& id, const std::string& query = {});
    /// The sequences of what the receiver took, in order.
    std::vector<std::int64_t> taken() const { return _taken; }
    /// What the receiver answers from now on.
    void answer(webhooks::Attempt attempt) { _answer = std::move(attempt); }
    FakeClock& clock() { return server.clock(); }

    TemporaryDirectory directory;
    InProcessServer server;
    memory::MemoryBackend backend{std::make_shared<memory::MemoryStore>()};
    event::Publisher journal;
    coordination_api::CoordinationApiPlugin api;
    webhooks::EgressPolicy policy;
    webhooks::SecretBox box{Digest{}};
    FakeRandom random;
    FakeSender sender;
    webhooks::Figures figures;
    std::unique_ptr<webhooks::DeliveryLog> deliveries;
    webhooks::WebhookStore store;
    webhooks::Dispatcher dispatcher;
    webhooks::WebhookRoutes routes;

    /// What the receiver does; keeps what it takes.
    webhooks::Attempt receive(const webhooks::Outgoing& message);

private:
    Sequence _last;
    webhooks::Attempt _answer;
    std::vector<std::int64_t> _taken;
};

} // namespace octostore::test
