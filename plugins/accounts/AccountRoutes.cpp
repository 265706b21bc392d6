// SPDX-License-Identifier: MIT
#include "AccountRoutes.h"

#include "AccountNames.h"

#include <octostore/base/Base64.h>
#include <octostore/base/Json.h>
#include <octostore/base/Text.h>
#include <octostore/http/Namespace.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace octostore::accounts
{

namespace
{

using backend::PrincipalRecord;
using http::ExchangePtr;

constexpr std::size_t tokenBytes = 32;
constexpr std::string_view bearerPrefix = "Bearer ";

struct Registration
{
    std::string name;
    std::string space;
};

Result<Registration> readRegistration(const JsonValue::Object& body)
{
    const JsonFields fields(body);
    Result<std::string> name = fields.string("username");
    if (!name)
        return name.error();
    Result<std::optional<std::string>> space = fields.optionalString("namespace");
    if (!space)
        return space.error();
    if (const auto checked = checkUserName(*name); !checked)
        return checked.error();
    Result<std::string> trimmed = http::readNamespace(space->value_or(""));
    if (!trimmed)
        return trimmed.error();
    return Registration{*std::move(name), *std::move(trimmed)};
}

/// `nameKey`: what the contract calls the account's name in this answer.
http::Response tokenAnswer(const std::string& token, const PrincipalRecord& account,
                           std::string_view nameKey)
{
    const std::optional<std::string> space =
        account.space.empty() ? std::nullopt : std::optional(account.space);
    JsonWriter json;
    json.beginObject()
        .field("token", token)
        .field("user_id", account.id.toString())
        .field(nameKey, account.name)
        .field("namespace", space)
        .endObject();
    http::Response response = http::jsonResponse(json.take());
    response.headers.add("cache-control", "no-store");
    response.headers.add("pragma", "no-cache");
    return response;
}

} // namespace

std::vector<http::Route> AccountRoutes::routes(bool registration) const
{
    using http::Access;
    using http::Body;
    using http::Method;
    std::vector<http::Route> all = {
        {Method::Post, "/auth/token/rotate", Access::User, Body::Ignored, false,
         [this](const ExchangePtr& exchange) { rotate(exchange); }},
    };
    if (registration)
        all.push_back({Method::Post, "/auth/register", Access::Public, Body::Json, false,
                       [this](const ExchangePtr& exchange) { registerAccount(exchange); }});
    return all;
}

bool AccountRoutes::isTaken(std::string_view name) const
{
    // Whoever has the admin key is called so.
    return equalIgnoringCase(name, "admin") || _around.table.hasName(name) ||
           std::any_of(_around.others.begin(), _around.others.end(),
                       [name](const http::AuthProvider* other) { return other->hasAccount(name); });
}

std::string AccountRoutes::freshToken() const
{
    return toBase64(_around.random.bytes<tokenBytes>());
}

void AccountRoutes::registerAccount(const ExchangePtr& exchange) const
{
    Result<Registration> wanted = readRegistration(exchange->json());
    if (!wanted)
        return exchange->respond(wanted.error());
    if (isTaken(wanted->name))
        return exchange->respond(Error{ErrorCode::Conflict, "The name is taken."});

    const std::string token = freshToken();
    const PrincipalRecord account{http::principalIdOf(wanted->name),
                                  wanted->name,
                                  "local",
                                  sha256(token),
                                  wanted->space,
                                  std::string(http::roleName(http::Role::User)),
                                  _around.clock.wallTime()};
    _around.store.create(exchange, account,
                         [exchange, token, account](const Result<void>& created)
                         {
                             if (!created)
                                 return exchange->respond(created.error());
                             exchange->respond(tokenAnswer(token, account, "username"));
                         });
}

void AccountRoutes::rotate(const ExchangePtr& exchange) const
{
    // Always the bearer's token: the admin key, which may have opened the route, has none to
    // rotate.
    const std::string* header = exchange->request().headers.find("authorization");
    if (header == nullptr || !header->starts_with(bearerPrefix))
        return exchange->respond(Error{ErrorCode::AuthenticationRequired,
                                       "Send the header `Authorization: Bearer TOKEN`."});
    const Digest presented = sha256(std::string_view(*header).substr(bearerPrefix.size()));
    const bool configured = std::any_of(_around.others.begin(), _around.others.end(),
                                        [&presented](const auto* other)
                                        { return other->authenticate(presented).has_value(); });
    if (configured)
        return exchange->respond(
            Error{ErrorCode::Conflict,
                  "This token is set by the configuration; it can only be changed there."});
    const std::optional<StoredAccount> account = _around.table.findByToken(presented);
    if (!account)
        return exchange->respond(
            Error{ErrorCode::AuthenticationFailed, "The bearer token is unknown."});

    const std::string token = freshToken();
    _around.store.replaceToken(exchange, *account, sha256(token),
                               [exchange, token, record = account->record,
                                changed = _around.credentialsChanged](const Result<void>& replaced)
                               {
                                   if (!replaced)
                                       return exchange->respond(replaced.error());
                                   changed();
                                   exchange->respond(tokenAnswer(token, record, "github_username"));
                               });
}

} // namespace octostore::accounts
