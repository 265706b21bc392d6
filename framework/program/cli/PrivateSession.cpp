// SPDX-License-Identifier: MIT
#include "PrivateSession.h"

#include "HttpStatus.h"

#include <octostore/base/Id.h>
#include <octostore/client/ServerUrl.h>

#include <utility>

namespace octostore::program
{

namespace
{

using client::Failure;
using client::HttpOutcome;
using client::HttpRequest;

constexpr int created = 201;
constexpr int noContent = 204;

} // namespace

HttpRequest PrivateSession::opening()
{
    JsonWriter json;
    json.beginObject().field("ttl_seconds", static_cast<std::int64_t>(ttl.count())).endObject();
    return request("POST", "/sessions", json.take());
}

ExtensionVerdict PrivateSession::readOpening(const HttpOutcome& outcome)
{
    auto read = client::readObject(outcome, created);
    if (auto* failure = std::get_if<Failure>(&read))
        return std::move(*failure);
    const auto& object = std::get<JsonValue::Object>(read);
    const std::string id = textMember(object, "session_id");
    if (!Uuid::parse(id))
        return client::invalidResponse("the new session has no identifier");
    // Its deadline is reckoned with the TTL that was asked for; a shorter one must not go unseen.
    const auto interval = numberMember(object, "keepalive_interval_secs");
    if (!interval || *interval * 2 + 1 < static_cast<std::uint64_t>(ttl.count()))
        return client::invalidResponse("the server made a session of another TTL than 30 s");
    _id = id;
    return Extended{textMember(object, "expires_at"), Milliseconds(0)};
}

HttpRequest PrivateSession::keepalive()
{
    return request("POST", "/sessions/" + client::encodeSegment(_id) + "/keepalive", "");
}

ExtensionVerdict PrivateSession::readKeepalive(const HttpOutcome& outcome)
{
    auto read = client::readObject(outcome, httpOk);
    if (auto* failure = std::get_if<Failure>(&read))
        return std::move(*failure);
    const auto& object = std::get<JsonValue::Object>(read);
    if (textMember(object, "session_id") != _id)
        return client::invalidResponse("the answer is about another session");
    return Extended{textMember(object, "expires_at"), Milliseconds(0)};
}

HttpRequest PrivateSession::ending()
{
    return request("DELETE", "/sessions/" + client::encodeSegment(_id), "");
}

std::optional<Failure> PrivateSession::readEnding(const HttpOutcome& outcome)
{
    const auto* answer = std::get_if<client::HttpAnswer>(&outcome);
    if (answer != nullptr && answer->status == noContent)
        return std::nullopt;
    return client::readFailure(outcome);
}

HttpRequest PrivateSession::request(const char* method, const std::string& path, std::string body)
{
    return {method, path, std::move(body), _token.token(), ""};
}

} // namespace octostore::program
