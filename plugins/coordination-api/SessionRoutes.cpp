// SPDX-License-Identifier: MIT
#include "SessionRoutes.h"

#include "CallerRequest.h"
#include "RequestFields.h"

#include <octostore/base/Json.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace octostore::coordination_api
{

namespace
{

using coordination::Reply;
using coordination::SessionView;
using http::ExchangePtr;
using Answer = std::optional<http::Response>;

constexpr std::uint64_t sessionSecondsMin = 10;
constexpr std::uint64_t sessionSecondsMax = 300;
constexpr std::uint64_t sessionSecondsDefault = 60;
constexpr int createdStatus = 201;

Result<SessionId> sessionIdOf(const http::Exchange& exchange)
{
    const auto id = Uuid::parse(exchange.parameter("id"));
    if (!id)
        return Error{ErrorCode::InvalidInput, "A session ID is a UUID."};
    return SessionId{*id};
}

coordination::Request requestTo(const http::Exchange& exchange, coordination::Operation operation)
{
    coordination::Request request = callerRequest(exchange);
    request.operation = std::move(operation);
    return request;
}

Answer openedAnswer(const Reply& reply, BootTime now)
{
    const auto* session = std::get_if<SessionView>(&reply);
    if (session == nullptr)
        return std::nullopt;
    const auto interval = std::chrono::duration_cast<std::chrono::seconds>(session->ttl) / 2;
    JsonWriter json;
    json.beginObject()
        .field("session_id", session->session.toString())
        .field("expires_at", toRfc3339(session->expiresAt))
        .field("keepalive_interval_secs", static_cast<std::uint64_t>(interval.count()))
        .field("authority_ms", authorityMs(*session, now))
        .endObject();
    return http::jsonResponse(json.take(), createdStatus);
}

Answer keptAliveAnswer(const Reply& reply, BootTime now)
{
    const auto* session = std::get_if<SessionView>(&reply);
    if (session == nullptr)
        return std::nullopt;
    JsonWriter json;
    json.beginObject()
        .field("session_id", session->session.toString())
        .field("expires_at", toRfc3339(session->expiresAt))
        .field("authority_ms", authorityMs(*session, now))
        .endObject();
    return http::jsonResponse(json.take());
}

Answer shownAnswer(const Reply& reply, BootTime)
{
    const auto* session = std::get_if<SessionView>(&reply);
    if (session == nullptr)
        return std::nullopt;
    JsonWriter json;
    json.beginObject()
        .field("session_id", session->session.toString())
        .field("user_id", session->principal.toString())
        .field("expires_at", toRfc3339(session->expiresAt))
        .field("lock_count", static_cast<std::uint64_t>(session->locks))
        .field("active", session->live)
        .endObject();
    return http::jsonResponse(json.take());
}

Answer closedAnswer(const Reply& reply, BootTime)
{
    if (!std::holds_alternative<coordination::SessionEnded>(reply))
        return std::nullopt;
    return http::emptyResponse();
}

} // namespace

std::vector<http::Route> SessionRoutes::routes() const
{
    using http::Access;
    using http::Body;
    using http::Method;
    return {
        {Method::Post, "/sessions", Access::User, Body::Json, false,
         std::bind_front(&SessionRoutes::open, this)},
        {Method::Post, "/sessions/{id}/keepalive", Access::User, Body::Ignored, false,
         std::bind_front(&SessionRoutes::keepAlive, this)},
        {Method::Get, "/sessions/{id}", Access::User, Body::Ignored, false,
         std::bind_front(&SessionRoutes::show, this)},
        {Method::Delete, "/sessions/{id}", Access::User, Body::Ignored, false,
         std::bind_front(&SessionRoutes::close, this)},
    };
}

void SessionRoutes::open(const ExchangePtr& exchange) const
{
    RequestFields fields(exchange->json());
    const std::optional<std::uint64_t> asked = fields.integer("ttl_seconds");
    if (fields.fault())
        return exchange->respond(*fields.fault());
    const std::uint64_t ttl =
        std::clamp(asked.value_or(sessionSecondsDefault), sessionSecondsMin, sessionSecondsMax);
    const http::Identity& caller = exchange->caller();
    const coordination::OpenSession open{SessionId{_random.uuid()}, caller.principal, caller.name,
                                         std::chrono::seconds(ttl)};
    submit(_engine, exchange, requestTo(*exchange, coordination::SessionCommand(open)),
           openedAnswer);
}

void SessionRoutes::keepAlive(const ExchangePtr& exchange) const
{
    const Result<SessionId> id = sessionIdOf(*exchange);
    if (!id)
        return exchange->respond(id.error());
    const coordination::KeepAlive keepAlive{*id, exchange->caller().principal};
    submit(_engine, exchange, requestTo(*exchange, coordination::SessionCommand(keepAlive)),
           keptAliveAnswer);
}

void SessionRoutes::show(const ExchangePtr& exchange) const
{
    const Result<SessionId> id = sessionIdOf(*exchange);
    if (!id)
        return exchange->respond(id.error());
    const coordination::GetSession get{*id, exchange->caller().principal};
    submit(_engine, exchange, requestTo(*exchange, coordination::Query(get)), shownAnswer);
}

void SessionRoutes::close(const ExchangePtr& exchange) const
{
    const Result<SessionId> id = sessionIdOf(*exchange);
    if (!id)
        return exchange->respond(id.error());
    // Also for administrators: here everybody closes only what is their own.
    const coordination::CloseSession close{*id, exchange->caller().principal, false, {}};
    submit(_engine, exchange, requestTo(*exchange, coordination::SessionCommand(close)),
           closedAnswer);
}

} // namespace octostore::coordination_api
