// SPDX-License-Identifier: MIT
#include "ElectionClaim.h"

#include "HttpStatus.h"

#include <octostore/base/Base64.h>
#include <octostore/client/ServerUrl.h>

#include <utility>

namespace octostore::program
{

namespace
{

using client::Failure;
using client::HttpOutcome;
using client::HttpRequest;
using client::LeaseFacts;

const JsonValue::Object* leaderOf(const JsonValue::Object& object)
{
    const auto found = object.find("leader");
    return found == object.end() ? nullptr : found->second.asObject();
}

} // namespace

ElectionClaim::ElectionClaim(std::string room, std::string candidate, std::chrono::seconds ttl,
                             Random& random)
    : _room(std::move(room)),
      _path("/elections/" + client::encodeSegment(_room)),
      _candidate(std::move(candidate)),
      _key(toBase64Url(random.bytes<32>())),
      _ttl(ttl)
{
}

HttpRequest ElectionClaim::attempt(std::chrono::seconds wait)
{
    JsonWriter json;
    json.beginObject()
        .field("candidate_id", _candidate)
        .field("ttl_seconds", static_cast<std::int64_t>(_ttl.count()))
        .field("candidate_key", _key);
    if (wait.count() > 0)
        json.field("wait_seconds", static_cast<std::int64_t>(wait.count()));
    return {"POST", _path + "/campaign", json.endObject().take(), "", ""};
}

AttemptVerdict ElectionClaim::readAttempt(const HttpOutcome& outcome)
{
    auto read = client::readObject(outcome, httpOk);
    if (auto* failure = std::get_if<Failure>(&read))
        return std::move(*failure);
    const auto& object = std::get<JsonValue::Object>(read);
    const std::string status = textMember(object, "status");
    if (status == "follower")
    {
        Refused refused{"follower", durationMember(object, "retry_after_ms"), "", ""};
        if (const JsonValue::Object* leader = leaderOf(object))
        {
            refused.holder = textMember(*leader, "candidate_id");
            refused.until = textMember(*leader, "expires_at");
        }
        return refused;
    }
    auto leader = readLeader(object);
    if (auto* failure = std::get_if<Failure>(&leader))
        return std::move(*failure);
    const std::string token = textMember(object, "leader_token");
    if (status != "leader" || token.empty())
        return client::invalidResponse("the answer to the campaign is incomplete");
    _token = token;
    _term = std::get<LeaseFacts>(leader).term;
    return Granted{std::get<LeaseFacts>(std::move(leader)), durationMember(object, "waited_ms")};
}

HttpRequest ElectionClaim::renewal()
{
    JsonWriter json;
    json.beginObject()
        .field("leader_token", _token)
        .field("ttl_seconds", static_cast<std::int64_t>(_ttl.count()))
        .endObject();
    return {"POST", _path + "/renew", json.take(), "", ""};
}

ExtensionVerdict ElectionClaim::readRenewal(const HttpOutcome& outcome)
{
    auto read = client::readObject(outcome, httpOk);
    if (auto* failure = std::get_if<Failure>(&read))
        return std::move(*failure);
    const auto& object = std::get<JsonValue::Object>(read);
    if (isOfAnother(object))
    {
        Failure failure;
        failure.code = "lease_not_current";
        failure.status = 404; // what the server should have said
        failure.message = "the server renewed something else than term " + std::to_string(_term);
        return failure;
    }
    auto leader = readLeader(object);
    if (auto* failure = std::get_if<Failure>(&leader))
        return std::move(*failure);
    return Extended{std::get<LeaseFacts>(leader).expiresAt, durationMember(object, "waited_ms")};
}

bool ElectionClaim::isOfAnother(const JsonValue::Object& object) const
{
    const JsonValue::Object* leader = leaderOf(object);
    return leader != nullptr && numberMember(*leader, "term") &&
           (numberMember(*leader, "term") != _term ||
            textMember(*leader, "candidate_id") != _candidate ||
            textMember(object, "election_id") != _room);
}

HttpRequest ElectionClaim::release()
{
    JsonWriter json;
    json.beginObject().field("leader_token", _token).endObject();
    return {"POST", _path + "/resign", json.take(), "", ""};
}

std::optional<Failure> ElectionClaim::readRelease(const HttpOutcome& outcome)
{
    auto read = client::readObject(outcome, httpOk);
    if (auto* failure = std::get_if<Failure>(&read))
    {
        if (confirmsEnd(*failure, _term))
            return std::nullopt;
        return std::move(*failure);
    }
    const auto& object = std::get<JsonValue::Object>(read);
    if (textMember(object, "election_id") != _room || textMember(object, "status") != "vacant" ||
        numberMember(object, "previous_term") != _term)
        return client::invalidResponse("the answer to the resignation is about something else");
    return std::nullopt;
}

HttpRequest ElectionClaim::status()
{
    return {"GET", _path, "", "", ""};
}

bool ElectionClaim::maybeOurs(const HttpOutcome& status)
{
    const auto read = client::readObject(status, httpOk);
    const auto* object = std::get_if<JsonValue::Object>(&read);
    if (object == nullptr)
        return true;
    const JsonValue::Object* leader = leaderOf(*object);
    return leader != nullptr && textMember(*leader, "candidate_id") == _candidate;
}

HttpRequest ElectionClaim::watch()
{
    return {"GET", _path + "/watch", "", "", ""};
}

bool ElectionClaim::contradicts(std::string_view frame, std::uint64_t term)
{
    const auto object = readJson(frame);
    if (!object || textMember(*object, "election_id") != _room)
        return false;
    const JsonValue::Object* leader = leaderOf(*object);
    return leader == nullptr || numberMember(*leader, "term") != term;
}

std::variant<LeaseFacts, Failure> ElectionClaim::readLeader(const JsonValue::Object& object) const
{
    const JsonValue::Object* leader = leaderOf(object);
    if (leader == nullptr || textMember(object, "election_id") != _room)
        return client::invalidResponse("the answer is about another room");
    const auto term = numberMember(*leader, "term");
    LeaseFacts facts{term.value_or(0), textMember(*leader, "expires_at")};
    if (facts.term == 0 || facts.expiresAt.empty() ||
        textMember(*leader, "candidate_id") != _candidate)
        return client::invalidResponse("the answer is about another candidate");
    return facts;
}

} // namespace octostore::program
