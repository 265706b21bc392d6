// SPDX-License-Identifier: MIT
#include "ActionRoutes.h"

#include <octostore/base/Json.h>
#include <octostore/coordination/Name.h>
#include <octostore/http/Reason.h>
#include <octostore/plugin/ServerControl.h>

#include <cstdint>
#include <memory>
#include <utility>

namespace octostore::admin_api
{

using http::ExchangePtr;

namespace
{

/// A positive integer under `term`. Errors: InvalidInput.
Result<Term> readTerm(const JsonValue::Object& body)
{
    const JsonValue* value = JsonFields(body).find("term");
    const std::int64_t* term = value != nullptr ? value->asInteger() : nullptr;
    if (term == nullptr || *term <= 0)
        return Error{ErrorCode::InvalidInput,
                     "`term` is the term of the lease that is meant, a positive integer."};
    return Term(static_cast<std::uint64_t>(*term));
}

} // namespace

std::vector<http::Route> ActionRoutes::routes() const
{
    using http::Method;
    const auto act = [this](Method method, const char* pattern,
                            void (ActionRoutes::*handler)(const ExchangePtr&) const) -> http::Route
    {
        return {method,
                pattern,
                http::Access::Admin,
                http::Body::Json,
                false,
                [this, handler](const ExchangePtr& exchange) { (this->*handler)(exchange); }};
    };
    return {act(Method::Post, "/admin/locks/{name...}/force-release", &ActionRoutes::forceRelease),
            act(Method::Post, "/admin/elections/{id}/force-resign", &ActionRoutes::forceResign),
            act(Method::Delete, "/admin/sessions/{id}", &ActionRoutes::endSession),
            act(Method::Post, "/admin/reload", &ActionRoutes::reload)};
}

void ActionRoutes::forceRelease(const ExchangePtr& exchange) const
{
    const std::string& name = exchange->parameter("name");
    if (auto good = coordination::checkLockName(name); !good)
        return exchange->respond(good.error());
    if (coordination::isReservedLockName(name))
        return exchange->respond(
            Error{ErrorCode::Forbidden, "Rooms are ended with /admin/elections/ID/force-resign."});
    forceEnd(exchange, name,
             [name](Term term)
             {
                 JsonWriter json;
                 json.beginObject()
                     .field("status", "released")
                     .field("name", name)
                     .field("previous_term", term.value());
                 return json.endObject().take();
             });
}

void ActionRoutes::forceResign(const ExchangePtr& exchange) const
{
    const std::string& room = exchange->parameter("id");
    if (auto good = coordination::checkRoomId(room); !good)
        return exchange->respond(good.error());
    forceEnd(exchange, coordination::leaseNameOfRoom(room),
             [room](Term term)
             {
                 JsonWriter json;
                 json.beginObject()
                     .field("status", "vacant")
                     .field("election_id", room)
                     .field("previous_term", term.value());
                 return json.endObject().take();
             });
}

void ActionRoutes::forceEnd(const ExchangePtr& exchange, const std::string& name,
                            std::function<std::string(Term)> answer) const
{
    const Result<Term> term = readTerm(exchange->json());
    if (!term)
        return exchange->respond(term.error());
    const Result<std::string> reason = http::readReason(exchange->json());
    if (!reason)
        return exchange->respond(reason.error());
    ask(_around, exchange,
        requestOf(*exchange, name, coordination::Command(coordination::ForceEnd{*term, *reason})),
        [exchange, answer = std::move(answer)](const coordination::Reply& reply)
        {
            const auto* ended = std::get_if<coordination::Ended>(&reply);
            if (ended == nullptr)
                return exchange->respond(Error{ErrorCode::Internal, "no end of a lease"});
            exchange->respond(http::jsonResponse(answer(ended->term)));
        });
}

void ActionRoutes::endSession(const ExchangePtr& exchange) const
{
    const auto id = Uuid::parse(exchange->parameter("id"));
    if (!id)
        return exchange->respond(Error{ErrorCode::InvalidInput, "A session ID is a UUID."});
    const Result<std::string> reason = http::readReason(exchange->json());
    if (!reason)
        return exchange->respond(reason.error());
    const coordination::CloseSession close{SessionId{*id}, exchange->caller().principal, true,
                                           *reason};
    ask(_around, exchange, requestOf(*exchange, "", coordination::SessionCommand(close)),
        [exchange](const coordination::Reply&) { exchange->respond(http::emptyResponse()); });
}

void ActionRoutes::reload(const ExchangePtr& exchange) const
{
    const Result<std::string> reason = http::readReason(exchange->json());
    if (!reason)
        return exchange->respond(reason.error());
    const auto controls = _around.registry.all<plugin::ServerControl>();
    if (controls.empty())
        return exchange->respond(Error{ErrorCode::NotFound, "This server cannot do that."});
    const event::Actor actor{event::ActorKind::Admin, exchange->caller().name};
    controls.front()->reload(
        {actor, *reason, exchange->id()},
        [exchange, executor = exchange->executor()](Result<void> done)
        {
            executor->post(
                {[exchange, done = std::move(done)]
                 {
                     if (done)
                         return exchange->respond(http::jsonResponse(R"({"status":"reloaded"})"));
                     // What is written there is for the administrator, who can mend it.
                     const bool mistake = done.error().code == ErrorCode::Configuration;
                     exchange->respond(mistake ? Error{ErrorCode::Conflict, done.error().message}
                                               : done.error());
                 }});
        });
}

} // namespace octostore::admin_api
