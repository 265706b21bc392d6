// SPDX-License-Identifier: MIT
#include "LockClaim.h"

#include "HttpStatus.h"

#include <octostore/client/ServerUrl.h>

#include <utility>

namespace octostore::program
{

namespace
{

using client::Failure;
using client::HttpAnswer;
using client::HttpOutcome;
using client::HttpRequest;

constexpr int conflict = 409;

} // namespace

LockClaim::LockClaim(std::string name, std::chrono::seconds ttl, PrivateSession& session,
                     client::TokenSource& token)
    : _name(std::move(name)),
      _path("/locks/" + client::encodeSegment(_name)),
      _ttl(ttl),
      _session(session),
      _token(token)
{
}

HttpRequest LockClaim::attempt(std::chrono::seconds wait)
{
    JsonWriter json;
    json.beginObject()
        .field("ttl_seconds", static_cast<std::int64_t>(_ttl.count()))
        .field("session_id", _session.id())
        .field("ephemeral", true);
    if (wait.count() > 0)
        json.field("wait_seconds", static_cast<std::int64_t>(wait.count()));
    return post("/acquire", json.endObject().take());
}

AttemptVerdict LockClaim::readAttempt(const HttpOutcome& outcome)
{
    const auto* answer = std::get_if<HttpAnswer>(&outcome);
    // `delayed` comes with 409, like errors do.
    const int status = answer != nullptr && answer->status == conflict ? conflict : httpOk;
    auto read = client::readObject(outcome, status);
    if (const auto* object = std::get_if<JsonValue::Object>(&read))
    {
        if (status == httpOk || textMember(*object, "status") == "delayed")
            return readStatus(*object);
        return client::readFailure(outcome);
    }
    auto& failure = std::get<Failure>(read);
    if (client::meansSessionOver(failure))
        return SessionOver{};
    return std::move(failure);
}

AttemptVerdict LockClaim::readStatus(const JsonValue::Object& object)
{
    const std::string status = textMember(object, "status");
    const Milliseconds retryAfter = durationMember(object, "retry_after_ms");
    if (status == "held")
        return Refused{status, retryAfter, textMember(object, "holder_id"),
                       textMember(object, "expires_at")};
    if (status == "delayed")
        return Refused{status, retryAfter, "", textMember(object, "available_at")};
    const std::string lease = textMember(object, "lease_id");
    Granted granted{
        {numberMember(object, "fencing_token").value_or(0), textMember(object, "expires_at")},
        durationMember(object, "waited_ms")};
    if (status != "acquired" || lease.empty() || granted.lease.term == 0 ||
        granted.lease.expiresAt.empty())
        return client::invalidResponse("the answer to the acquisition is incomplete");
    _lease = lease;
    _term = granted.lease.term;
    return granted;
}

HttpRequest LockClaim::renewal()
{
    JsonWriter json;
    json.beginObject()
        .field("lease_id", _lease)
        .field("ttl_seconds", static_cast<std::int64_t>(_ttl.count()))
        .endObject();
    return post("/renew", json.take());
}

ExtensionVerdict LockClaim::readRenewal(const HttpOutcome& outcome)
{
    auto read = client::readObject(outcome, httpOk);
    if (auto* failure = std::get_if<Failure>(&read))
        return std::move(*failure);
    const auto& object = std::get<JsonValue::Object>(read);
    const std::string expiresAt = textMember(object, "expires_at");
    if (textMember(object, "lease_id") != _lease || expiresAt.empty())
        return client::invalidResponse("the answer is about another lease");
    return Extended{expiresAt, durationMember(object, "waited_ms")};
}

HttpRequest LockClaim::release()
{
    JsonWriter json;
    json.beginObject().field("lease_id", _lease).endObject();
    return post("/release", json.take());
}

std::optional<Failure> LockClaim::readRelease(const HttpOutcome& outcome)
{
    const auto* answer = std::get_if<HttpAnswer>(&outcome);
    if (answer != nullptr && answer->status == httpOk)
    {
        if (answer->body == "null")
            return std::nullopt;
        return client::invalidResponse("the answer to the release is not null");
    }
    Failure failure = client::readFailure(outcome);
    if (confirmsEnd(failure, _term))
        return std::nullopt;
    return failure;
}

HttpRequest LockClaim::status()
{
    return {"GET", _path, "", _token.token(), ""};
}

bool LockClaim::maybeOurs(const HttpOutcome& /*status*/)
{
    return true; // ending the session settles it
}

HttpRequest LockClaim::watch()
{
    return {"GET", _path + "/watch", "", _token.token(), ""};
}

bool LockClaim::contradicts(std::string_view frame, std::uint64_t term)
{
    const auto object = readJson(frame);
    if (!object || textMember(*object, "lock_name") != _name)
        return false;
    const auto token = numberMember(*object, "fencing_token");
    return !token || *token != term;
}

HttpRequest LockClaim::post(const std::string& action, std::string body)
{
    return {"POST", _path + action, std::move(body), _token.token(), ""};
}

} // namespace octostore::program
