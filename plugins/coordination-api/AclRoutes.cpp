// SPDX-License-Identifier: MIT
#include "AclRoutes.h"

#include "AccessList.h"
#include "CallerRequest.h"
#include "RequestFields.h"

#include <octostore/coordination/Name.h>
#include <octostore/http/Reason.h>

#include <optional>
#include <string>
#include <utility>

namespace octostore::coordination_api
{

namespace
{

using coordination::Reply;
using http::ExchangePtr;

coordination::Request changeRequest(const http::Exchange& exchange, std::optional<AccessList> list,
                                    std::string reason)
{
    coordination::ChangeAcl change;
    change.principal = exchange.caller().principal;
    change.admin = exchange.caller().role == http::Role::Admin;
    change.acl = std::move(list);
    change.reason = std::move(reason);
    coordination::Request request = callerRequest(exchange);
    request.name = exchange.parameter("name");
    request.operation = coordination::Command(std::move(change));
    return request;
}

Result<AccessList> listOf(const http::Exchange& exchange)
{
    RequestFields fields(exchange.json());
    const auto entries = fields.accessList("acl");
    if (fields.fault())
        return *fields.fault();
    if (!entries)
        return Error{ErrorCode::Unprocessable, "`acl` is missing."};
    if (const auto named = coordination::checkLockName(exchange.parameter("name")); !named)
        return named.error();
    return readAccessList(*entries);
}

std::string replacedJson(const std::string& name, const AccessList& list)
{
    JsonWriter json;
    json.beginObject().field("name", name).key("acl");
    writeAccessList(json, list);
    json.endObject();
    return json.take();
}

} // namespace

std::vector<http::Route> AclRoutes::routes() const
{
    using http::Access;
    using http::Body;
    using http::Method;
    return {
        {Method::Put, "/locks/{name...}/acl", Access::User, Body::Json, false,
         [this](const ExchangePtr& exchange) { replace(exchange); }},
        {Method::Delete, "/locks/{name...}/acl", Access::User, Body::Ignored, false,
         [this](const ExchangePtr& exchange) { drop(exchange); }},
    };
}

void AclRoutes::replace(const ExchangePtr& exchange) const
{
    Result<AccessList> list = listOf(*exchange);
    if (!list)
        return exchange->respond(list.error());
    Result<std::string> reason = http::reasonOfAct(*exchange);
    if (!reason)
        return exchange->respond(reason.error());
    submit(_engine, exchange, changeRequest(*exchange, *list, *std::move(reason)),
           [name = exchange->parameter("name"),
            list = *list](const Reply& reply, BootTime) -> std::optional<http::Response>
           {
               if (!std::holds_alternative<coordination::AclChanged>(reply))
                   return std::nullopt;
               return http::jsonResponse(replacedJson(name, list));
           });
}

void AclRoutes::drop(const ExchangePtr& exchange) const
{
    if (const auto named = coordination::checkLockName(exchange->parameter("name")); !named)
        return exchange->respond(named.error());
    Result<std::string> reason = http::reasonOfAct(*exchange);
    if (!reason)
        return exchange->respond(reason.error());
    submit(_engine, exchange, changeRequest(*exchange, std::nullopt, *std::move(reason)),
           [](const Reply& reply, BootTime) -> std::optional<http::Response>
           {
               if (!std::holds_alternative<coordination::AclChanged>(reply))
                   return std::nullopt;
               return http::emptyResponse();
           });
}

} // namespace octostore::coordination_api
