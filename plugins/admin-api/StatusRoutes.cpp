// SPDX-License-Identifier: MIT
#include "StatusRoutes.h"

#include "ListQuery.h"
#include "Page.h"
#include "ReaderRoute.h"
#include "StatusDocument.h"

#include <octostore/plugin/PluginState.h>
#include <octostore/plugin/ServerControl.h>

#include <array>
#include <memory>
#include <utility>

#include <unistd.h>

namespace octostore::admin_api
{

namespace
{

using coordination::Counts;
using http::ExchangePtr;

std::string hostName()
{
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string_view layerName(config::Layer layer)
{
    switch (layer)
    {
    case config::Layer::Default:
        return "default";
    case config::Layer::File:
        return "file";
    case config::Layer::Credential:
        return "credential";
    case config::Layer::Environment:
        return "environment";
    case config::Layer::CommandLine:
        break;
    }
    return "command_line";
}

const std::string* knownTag(const http::Exchange& exchange)
{
    return exchange.request().headers.find("if-none-match");
}

/// Nothing in it counts down.
http::Response tagged(JsonWriter& json, const http::Exchange& exchange)
{
    std::string text = json.take();
    const std::string compared = text;
    return taggedAnswer(std::move(text), compared, knownTag(exchange));
}

} // namespace

std::vector<http::Route> StatusRoutes::routes() const
{
    const auto get = [this](const char* pattern, auto handler)
    { return readerRoute(*this, pattern, handler); };
    return {get("/admin/me", &StatusRoutes::me), get("/admin/status", &StatusRoutes::status),
            get("/admin/servers", &StatusRoutes::servers),
            get("/admin/config", &StatusRoutes::configuration),
            get("/admin/plugins", &StatusRoutes::plugins)};
}

void StatusRoutes::me(const ExchangePtr& exchange) const
{
    const http::Identity& caller = exchange->caller();
    JsonWriter json;
    json.beginObject()
        .field("auth", caller.principal.isNil() ? "key" : "token")
        .field("name", caller.name)
        .field("role", http::roleName(caller.role))
        .endObject();
    exchange->respond(http::jsonResponse(json.take()));
}

void StatusRoutes::status(const ExchangePtr& exchange) const
{
    auto document = std::make_shared<StatusDocument>();
    document->uptimeSeconds = uptimeSeconds();
    document->started = _around.started.wall;
    const auto finish =
        [this, document](const Surveys::TurnPtr& turn, const coordination::Reply& reply)
    {
        if (const auto* counts = std::get_if<Counts>(&reply))
            document->counts = *counts;
        document->accounts = allAccounts(_around.registry);
        document->now = _around.clock.bootTime();
        _surveys.render(turn, document->survey.names.size() + document->accounts.size(),
                        [document] { return http::jsonResponse(document->json()); });
    };
    const auto count =
        [this, document, finish](const Surveys::TurnPtr& turn, coordination::Reply reply)
    {
        if (auto* survey = std::get_if<coordination::NameSurvey>(&reply))
            document->survey = std::move(*survey);
        _surveys.ask(turn, coordination::GetCounts{},
                     [turn, finish](const coordination::Reply& counts) { finish(turn, counts); });
    };
    _surveys.enter(exchange,
                   [this, count](const Surveys::TurnPtr& turn)
                   {
                       _surveys.ask(turn, coordination::SurveyNames{},
                                    [turn, count](coordination::Reply reply)
                                    { count(turn, std::move(reply)); });
                   });
}

void StatusRoutes::servers(const ExchangePtr& exchange) const
{
    const auto query = http::Query::parse(exchange->request().query());
    const Result<ListQuery> list = query ? ListQuery::read(*query, {"id"}) : query.error();
    if (!list)
        return exchange->respond(list.error());
    const auto answer = [this, exchange, list = *list](const coordination::Reply& reply)
    {
        const auto* counts = std::get_if<Counts>(&reply);
        if (counts == nullptr)
            return exchange->respond(Error{ErrorCode::Internal, "not the counts asked for"});
        const std::string id = hostName();
        Page page(list);
        if (list.matches(id))
            page.add(id, id, 0);
        const auto write = [&](JsonWriter& json, std::size_t, std::optional<BootTime> now)
        {
            json.beginObject()
                .field("id", id)
                .field("version", OCTOSTORE_VERSION)
                .field("backend", _around.backendName)
                .field("started_at", toRfc3339(_around.started.wall))
                .field("uptime_seconds", now ? uptimeSeconds() : 0)
                .field("revision", counts->revision.value())
                .field("database_bytes", _around.backend ? _around.backend->sizeBytes() : 0)
                .field("locks", std::uint64_t{counts->locks})
                .field("elections", std::uint64_t{counts->rooms})
                .field("sessions", std::uint64_t{counts->sessions})
                .field("waiters",
                       std::uint64_t{counts->lockQueues.waiters + counts->roomQueues.waiters});
            optionalField(json, "grants_at", counts->grantsAt).endObject();
        };
        exchange->respond(page.answer(write, _around.clock.bootTime(), knownTag(*exchange)));
    };
    ask(_around, exchange, requestOf(*exchange, "", coordination::Query(coordination::GetCounts{})),
        answer);
}

void StatusRoutes::configuration(const ExchangePtr& exchange) const
{
    const auto controls = _around.registry.all<plugin::ServerControl>();
    if (controls.empty())
        return exchange->respond(Error{ErrorCode::NotFound, "This server shows nothing of it."});
    JsonWriter json;
    json.beginObject().key("items").beginArray();
    for (const config::Entry& entry : *controls.front()->configuration())
        json.beginObject()
            .field("key", entry.key)
            .field("value", entry.shown)
            .field("layer", layerName(entry.origin.layer))
            .field("origin", entry.origin.place)
            .field("reload", entry.reload == config::Reload::Hot ? "hot" : "restart")
            .endObject();
    json.endArray().endObject();
    exchange->respond(tagged(json, *exchange));
}

void StatusRoutes::plugins(const ExchangePtr& exchange) const
{
    JsonWriter json;
    json.beginObject().key("items").beginArray();
    for (const plugin::PluginStates* known : _around.registry.all<plugin::PluginStates>())
        for (const plugin::PluginState& state : known->states())
        {
            json.beginObject()
                .field("id", state.id)
                .field("version", state.version)
                .field("state", plugin::stateName(state.state));
            optionalField(json, "error", state.reason);
            json.key("provides").beginArray();
            for (std::size_t at = 0; at < state.provided.size();)
            {
                const std::size_t end = state.provided.find_first_of(" ,", at);
                const std::string point = state.provided.substr(at, end - at);
                if (!point.empty())
                    json.value(point);
                at = end == std::string::npos ? state.provided.size() : end + 1;
            }
            json.endArray().endObject();
        }
    json.endArray().endObject();
    exchange->respond(tagged(json, *exchange));
}

std::uint64_t StatusRoutes::uptimeSeconds() const
{
    return wholeMilliseconds(_around.clock.bootTime() - _around.started.boot) / 1000;
}

} // namespace octostore::admin_api
