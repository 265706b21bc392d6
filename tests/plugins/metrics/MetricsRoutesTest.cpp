// SPDX-License-Identifier: MIT
#include "CoordinationApiPlugin.h"
#include "MetricsPlugin.h"
#include "PromtoolCheck.h"
#include "support/InProcessServer.h"

#include <octostore/http/Transport.h>
#include <octostore/plugin/PluginState.h>

#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <string>

namespace octostore::test
{
namespace
{

using http::Method;

class MetricsRoutesTest : public ::testing::Test
{
protected:
    MetricsRoutesTest()
    {
        _server.settings = FakeSettings(FakeSettings::Values{{"elections.public", "true"}});
        _server.accounts.add("user-token", "alice");
        _server.accounts.add("observer-token", "olga", http::Role::Observer);
        EXPECT_TRUE(_server.add(_metrics));
        EXPECT_TRUE(_server.add(_api));
        _server.filters = true;
        _server.open("the-admin-key");
    }
    ~MetricsRoutesTest() override { _metrics.stop(); }

    JsonValue::Object json(const std::string& target)
    {
        return jsonOf(_server.ask(Method::Get, target, "observer-token"));
    }
    std::string text()
    {
        return _server.ask(Method::Get, "/metrics/prometheus", "observer-token").body;
    }
    void acquire(const std::string& name)
    {
        _server.ask(Method::Post, "/locks/" + name + "/acquire", "user-token", "{}");
    }
    /// A sample as if its time had come.
    void sample()
    {
        coordination::Counts counts;
        counts.locks = 2;
        _metrics.sampler().sample(counts);
    }

    metrics::MetricsPlugin _metrics;
    coordination_api::CoordinationApiPlugin _api;
    InProcessServer _server;
};

TEST_F(MetricsRoutesTest, TheReferencesDocumentCountsByEndpoint)
{
    acquire("a");
    acquire("b");
    acquire("bad..name!");
    _server.ask(Method::Get, "/locks/a", "user-token");
    _server.ask(Method::Get, "/locks", "user-token");
    _server.ask(Method::Get, "/elections/nightly-jobs", "");
    const JsonValue::Object all = json("/metrics");
    EXPECT_EQ(*all.at("active_locks").asInteger(), 2);
    EXPECT_EQ(*all.at("total_requests").asInteger(), 6);
    EXPECT_EQ(*all.at("total_users").asInteger(), 2);
    EXPECT_EQ(*all.at("lock_store").asObject()->at("total_acquires").asInteger(), 2);
    const JsonValue::Object& endpoints = *all.at("endpoints").asObject();
    EXPECT_EQ(endpoints.size(), 7U);
    const auto countOf = [&](const char* endpoint, const char* key)
    { return *endpoints.at(endpoint).asObject()->at(key).asInteger(); };
    EXPECT_EQ(countOf("acquire", "count"), 3);
    EXPECT_EQ(countOf("acquire", "errors"), 1);
    EXPECT_EQ(countOf("status", "count"), 1);
    EXPECT_EQ(countOf("list", "count"), 1);
    EXPECT_EQ(countOf("election", "count"), 1);
    EXPECT_EQ(countOf("renew", "min_ms"), 0);
}

TEST_F(MetricsRoutesTest, PercentilesReadAsNumbersHoweverSlowARequestWas)
{
    auto waiting = _server.begin(
        {Method::Post, "/locks/a/acquire", {{"Authorization", "Bearer user-token"}}, "{}"});
    _server.coordinator().run();
    waiting();
    for (const char* key : {"avg_ms", "p50_ms", "p95_ms", "p99_ms"})
    {
        const JsonValue::Object all = json("/metrics");
        const JsonValue::Object& endpoints = *all.at("endpoints").asObject();
        const std::string value = *endpoints.at("acquire").asObject()->at(key).asString();
        EXPECT_TRUE(std::regex_match(value, std::regex("[0-9]+[.][0-9]"))) << key << ": " << value;
    }
}

TEST_F(MetricsRoutesTest, ScrapersGetTextAndEverybodyElseJson)
{
    const auto typeFor = [this](std::vector<http::Header> headers)
    {
        headers.push_back({"X-Admin-Key", "the-admin-key"});
        return *_server.ask({Method::Get, "/metrics", headers}).headers.find("content-type");
    };
    EXPECT_EQ(typeFor({}), "application/json");
    EXPECT_EQ(typeFor({{"Accept", "*/*"}}), "application/json");
    EXPECT_EQ(typeFor({{"Accept", "application/json"}}), "application/json");
    const std::string prometheus = "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;"
                                   "version=0.0.4;q=0.3,*/*;q=0.1";
    EXPECT_EQ(typeFor({{"Accept", prometheus}}), "text/plain; version=0.0.4; charset=utf-8");
    EXPECT_EQ(typeFor({{"Accept", "Text/Plain"}}), "text/plain; version=0.0.4; charset=utf-8");
}

TEST_F(MetricsRoutesTest, ARouteIsALabelAndNoNameIs)
{
    acquire("secret-project");
    _server.ask(Method::Post, "/elections/secret-room/campaign", "", R"({"candidate_id":"me"})");
    const std::string all = text();
    EXPECT_NE(all.find("octostore_http_requests_total{route=\"/locks/{name...}/acquire\","
                       "method=\"POST\",code=\"200\"} 1\n"),
              std::string::npos);
    EXPECT_EQ(all.find("secret"), std::string::npos);
    EXPECT_EQ(all.find("alice"), std::string::npos);
}

TEST_F(MetricsRoutesTest, WhatMatchesNoRouteIsCountedUnderOneLabel)
{
    _server.ask(Method::Get, "/secret/path", "");
    _server.ask(Method::Delete, "/locks/secret", "");
    _server.ask(Method::Options, "/locks/secret", "");
    const JsonValue::Object all = json("/metrics");
    EXPECT_EQ(*all.at("total_requests").asInteger(), 2);
    const JsonValue::Object& endpoints = *all.at("endpoints").asObject();
    EXPECT_EQ(*endpoints.at("status").asObject()->at("errors").asInteger(), 1);
    const std::string metrics = text();
    for (const char* code : {"404", "405"})
        EXPECT_NE(
            metrics.find("octostore_http_requests_total{route=\"none\",method=\"any\",code=\"" +
                         std::string(code) + "\"} 1\n"),
            std::string::npos)
            << code;
    EXPECT_EQ(metrics.find("secret"), std::string::npos);
}

TEST_F(MetricsRoutesTest, EveryAnswerToWhoWantsALeaseHasItsResult)
{
    _server.accounts.add("bob-token", "bob");
    acquire("a");
    acquire("a");
    _server.ask(Method::Post, "/locks/a/acquire", "bob-token", "{}");
    _server.ask(Method::Post, "/elections/nightly-jobs/campaign", "", R"({"candidate_id":"me"})");
    const std::string all = text();
    for (const char* line :
         {"{kind=\"lock\",result=\"granted\"} 1\n", "{kind=\"election\",result=\"granted\"} 1\n",
          "{kind=\"lock\",result=\"same_holder\"} 1\n", "{kind=\"lock\",result=\"held\"} 1\n",
          "{kind=\"election\",result=\"held\"} 0\n", "{kind=\"lock\",result=\"delayed\"} 0\n"})
        EXPECT_NE(all.find(std::string("octostore_lock_acquire_total") + line), std::string::npos)
            << line;
}

TEST_F(MetricsRoutesTest, PromtoolAcceptsTheText)
{
    acquire("a");
    EXPECT_EQ(promtool("check metrics", text()), "");
}

TEST_F(MetricsRoutesTest, WhoIsRefusedForACredentialIsCountedByReason)
{
    _server.ask(Method::Get, "/locks", "");
    _server.ask(Method::Get, "/locks", "wrong");
    _server.ask(Method::Get, "/metrics", "user-token");
    const std::string all = text();
    for (const char* reason : {"missing", "unknown", "forbidden"})
        EXPECT_NE(
            all.find(std::string("octostore_auth_failures_total{reason=\"") + reason + "\"} 1\n"),
            std::string::npos)
            << reason;
    EXPECT_NE(all.find("octostore_http_inflight_requests 1\n"), std::string::npos)
        << "only the one that asks";
}

TEST_F(MetricsRoutesTest, WhoLeavesBeforeTheAnswerIsInFlightNoMoreAndCountedApart)
{
    _server.accounts.add("bob-token", "bob");
    acquire("a");
    OpenStream waiting = _server.stream({Method::Post,
                                         "/locks/a/acquire",
                                         {{"Authorization", "Bearer bob-token"}},
                                         R"({"wait_seconds":30})"});
    _server.coordinator().run();
    const std::string before = text();
    EXPECT_NE(before.find("octostore_http_inflight_requests 2\n"), std::string::npos);
    EXPECT_NE(before.find("octostore_lock_waiters{kind=\"lock\"} 1\n"), std::string::npos);
    const auto requests = *json("/metrics").at("total_requests").asInteger();
    waiting.leave();
    _server.coordinator().run();
    EXPECT_EQ(*json("/metrics").at("total_requests").asInteger(), requests + 1) << "this one";
    const std::string all = text();
    EXPECT_NE(all.find("octostore_http_inflight_requests 1\n"), std::string::npos);
    EXPECT_NE(all.find("octostore_http_requests_total{route=\"/locks/{name...}/acquire\","
                       "method=\"POST\",code=\"499\"} 1\n"),
              std::string::npos);
    EXPECT_NE(all.find("octostore_lock_waiters{kind=\"lock\"} 0\n"), std::string::npos);
}

TEST_F(MetricsRoutesTest, WhatIsTurnedAwayIsCountedByReason)
{
    _server.coordinator().refuseAll(ErrorCode::Draining);
    acquire("a");
    _server.coordinator().refuseAll(std::nullopt);
    const std::string all = text();
    for (const char* line :
         {"{reason=\"draining\"} 1\n", "{reason=\"too_large\"} 0\n", "{reason=\"overloaded\"} 0\n",
          "{reason=\"capacity\"} 0\n", "{reason=\"connections\"} 0\n"})
        EXPECT_NE(all.find(std::string("octostore_http_rejected_total") + line), std::string::npos)
            << line;
}

/// A transport at work.
class BusyTransport final : public http::Transport
{
public:
    std::string_view name() const noexcept override { return "busy"; }
    Result<void> start(const http::TransportOptions&, http::Dispatcher&, const Clock&,
                       Random&) noexcept override
    {
        return {};
    }
    std::uint16_t port() const noexcept override { return 0; }
    std::size_t connections() const noexcept override { return 7; }
    http::TransportLoad load() const noexcept override { return {3, 1, 5}; }
    void drain() noexcept override {}
    void stop(Milliseconds) noexcept override {}
};

/// A server with one plugin that has failed twice.
class OnePlugin final : public plugin::PluginStates
{
public:
    std::vector<plugin::PluginState> states() const noexcept override
    {
        return {{"shaky", "1.0.0", {}, plugin::State::Started, {}, 2}};
    }
};

TEST_F(MetricsRoutesTest, ThreadsQueuesAndFaultsComeFromThoseWhoHaveThem)
{
    BusyTransport transport;
    OnePlugin plugins;
    _server.registry().contribute<http::Transport>("busy", transport);
    _server.registry().contribute<plugin::PluginStates>("server", plugins);
    const std::string all = text();
    for (const char* line :
         {"octostore_http_threads{state=\"busy\"} 3\n",
          "octostore_http_threads{state=\"idle\"} 1\n", "octostore_http_queue_length 5\n",
          "octostore_http_connections{transport=\"busy\"} 7\n",
          "octostore_plugin_callback_errors_total{id=\"shaky\"} 2\n"})
        EXPECT_NE(all.find(std::string("\n") + line), std::string::npos) << line;
}

TEST_F(MetricsRoutesTest, ARoomWithoutALeaderSaysWhetherItWantedThat)
{
    _server.ask(Method::Post, "/elections/room-0001/campaign", "",
                R"({"candidate_id":"me","ttl_seconds":10})");
    const JsonValue::Object led =
        jsonOf(_server.ask(Method::Post, "/elections/room-0002/campaign", "",
                           R"({"candidate_id":"me","ttl_seconds":10})"));
    _server.ask(Method::Post, "/elections/room-0002/resign", "",
                R"({"leader_token":")" + *led.at("leader_token").asString() + "\"}");
    _server.clock().advance(std::chrono::seconds(11));
    _server.coordinator().run();
    const std::string all = text();
    for (const char* line : {"{reason=\"lost\"} 1\n", "{reason=\"resigned\"} 1\n"})
        EXPECT_NE(all.find(std::string("\noctostore_elections_without_leader") + line),
                  std::string::npos)
            << line;
}

TEST_F(MetricsRoutesTest, TheBuildSaysWhichCommitItIs)
{
    EXPECT_TRUE(std::regex_search(
        text(),
        std::regex("\noctostore_build_info\\{version=\"[0-9.]+\",revision=\"(unknown|[0-9a-f]"
                   "{12})\",compiler=\"[^\"]+\"\\} 1\n")));
}

TEST_F(MetricsRoutesTest, AStaleTermAndAKeptSessionAreCounted)
{
    acquire("a");
    _server.ask(Method::Get, "/locks/a/fence?term=1", "user-token");
    _server.ask(Method::Get, "/locks/a/fence?term=999", "user-token");
    const JsonValue::Object opened =
        jsonOf(_server.ask(Method::Post, "/sessions", "user-token", "{}"));
    const std::string session = "/sessions/" + *opened.at("session_id").asString();
    _server.ask(Method::Get, session, "user-token");
    _server.ask(Method::Post, session + "/keepalive", "user-token");
    const std::string all = text();
    EXPECT_NE(all.find("\noctostore_fencing_rejections_total 1\n"), std::string::npos);
    EXPECT_NE(all.find("\noctostore_session_renewals_total 1\n"), std::string::npos);
}

TEST_F(MetricsRoutesTest, TheHistoriesAnswerInTheirShapes)
{
    sample();
    _server.clock().advance(std::chrono::seconds(60));
    sample();
    const JsonValue::Object minutes = json("/admin/metrics/timeseries");
    EXPECT_EQ(*minutes.at("window").asString(), "1h");
    for (const char* name :
         {"timestamps", "request_volume", "acquire_rates", "release_rates", "active_locks"})
        EXPECT_EQ(minutes.at(name).asArray()->size(), 1U) << name;
    const std::map<std::string, int> steps{{"10m", 5}, {"1h", 60}, {"8h", 600}, {"24h", 1800}};
    for (const auto& [range, step] : steps)
    {
        const std::string target = "/admin/metrics/timeseries?range=" + range;
        EXPECT_EQ(json(target).at("timestamps").asArray()->size(), step > 60 ? 0U : 1U) << range;
    }
    _server.clock().advance(std::chrono::seconds(1740));
    sample();
    for (const auto& [range, step] : steps)
    {
        const JsonValue::Object series = json("/admin/metrics/timeseries?range=" + range);
        EXPECT_EQ(*series.at("range").asString(), range);
        EXPECT_EQ(*series.at("step_seconds").asInteger(), step);
        EXPECT_EQ(series.at("series").asObject()->size(), 8U);
        const std::size_t points = series.at("timestamps").asArray()->size();
        EXPECT_EQ(points, step > 60 ? 1U : 2U) << range;
        for (const auto& [name, values] : *series.at("series").asObject())
            EXPECT_EQ(values.asArray()->size(), points) << name << " of " << range;
    }
}

TEST_F(MetricsRoutesTest, WhoWantsToWaitIsNotInTheChartOfDurations)
{
    acquire("a");
    const auto lastP99 = [this]
    {
        _server.clock().advance(std::chrono::seconds(5));
        sample();
        const JsonValue::Object answer = json("/admin/metrics/timeseries?range=10m");
        return answer.at("series").asObject()->at("request_p99_ms").asArray()->back();
    };
    sample();
    _server.ask(Method::Get, "/locks?wait_seconds=0", "user-token");
    EXPECT_FALSE(lastP99().isNull());
    _server.clock().advance(std::chrono::seconds(5));
    sample(); // what was asked to look at the chart
    _server.ask(Method::Get, "/locks?wait_seconds=5", "user-token");
    _server.ask(Method::Post, "/locks/a/acquire", "user-token", R"({"wait_seconds":5})");
    EXPECT_TRUE(lastP99().isNull());
}

TEST_F(MetricsRoutesTest, WindowsAndRangesThatThereAreNotAreRefused)
{
    for (const char* target :
         {"/admin/metrics/timeseries?window=2h", "/admin/metrics/timeseries?window=",
          "/admin/metrics/timeseries?range=7d", "/admin/metrics/timeseries?range=1h&range=1h",
          "/admin/metrics/timeseries?range=1h&window=1h"})
        EXPECT_EQ(_server.ask(Method::Get, target, "observer-token").status, 400) << target;
    EXPECT_EQ(_server.ask(Method::Get, "/admin/metrics/timeseries?window=2h", "user-token").status,
              403)
        << "the gate comes first";
}

} // namespace
} // namespace octostore::test
