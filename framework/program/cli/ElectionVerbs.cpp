// SPDX-License-Identifier: MIT
#include "Claim.h"
#include "ExitCode.h"
#include "LeaseVerbs.h"
#include "OneShot.h"
#include "Printing.h"
#include "Subject.h"
#include "Verb.h"

#include <octostore/base/Random.h>

#include <iostream>

namespace octostore::program
{

namespace
{

using client::Failure;
using client::HoldKind;

constexpr const char* kind = "election";

/// A campaign whose answer was lost is repeated with the same key, and gets the same term.
SavedLease campaignOf(const std::string& file, const std::string& room,
                      const std::string& candidate)
{
    if (auto earlier = load(file, kind, room);
        earlier && earlier->candidate == candidate && !earlier->candidateKey.empty())
        return *std::move(earlier);
    SystemRandom random;
    SavedLease fresh{kind, room, {}, 0, candidate, {}, {}};
    for (const std::uint8_t byte : random.bytes<16>())
    {
        constexpr const char* digits = "0123456789abcdef";
        fresh.candidateKey += digits[byte >> 4];
        fresh.candidateKey += digits[byte & 15];
    }
    return fresh;
}

std::string campaignBody(const SavedLease& lease, const Wish& wish)
{
    JsonWriter json;
    json.beginObject()
        .field("candidate_id", lease.candidate)
        .field("candidate_key", lease.candidateKey)
        .field("ttl_seconds", std::int64_t{wish.ttl.count()})
        .field("wait_seconds", std::int64_t{wish.wait.count()});
    if (!wish.metadata.empty())
        json.field("metadata", wish.metadata);
    json.endObject();
    return json.take();
}

int campaign(Remote& remote, const Options& options)
{
    const std::string& room = options.arguments().front();
    const Wish wish = readWish(options, HoldKind::Election);
    const std::string candidate = required(options, "candidate");
    const std::string file = leaseFile(options, kind, room);
    SavedLease lease = campaignOf(file, room, candidate);
    lease.ttl = wish.ttl;
    saveOrLeave(file, lease);
    remote.allow(wish.wait);
    const auto answer =
        remote.object("POST", electionPath(room, "campaign"), 200, campaignBody(lease, wish));
    const bool leads = textMember(answer, "status") == "leader";
    if (leads)
    {
        lease.secret = textMember(answer, "leader_token");
        if (const auto leader = answer.find("leader"); leader != answer.end())
            if (const auto* facts = leader->second.asObject())
                lease.term = numberMember(*facts, "term").value_or(0);
        saveOrLeave(file, lease);
    }
    std::cout << (remote.json() ? toJson(JsonValue(withoutSecret(answer))) : describeStatus(answer))
              << "\n";
    return leads ? ExitOk : ExitAcquireTimedOut;
}

std::string tokenBody(const SavedLease& lease, std::optional<std::chrono::seconds> ttl = {})
{
    JsonWriter json;
    json.beginObject().field("leader_token", lease.secret);
    if (ttl)
        json.field("ttl_seconds", std::int64_t{ttl->count()});
    json.endObject();
    return json.take();
}

int renew(Remote& remote, const Options& options)
{
    const std::string& room = options.arguments().front();
    const SavedLease lease = savedLease(options, kind, room);
    const std::chrono::seconds ttl = renewalTtl(options, HoldKind::Election, lease);
    const auto answer = client::readObject(
        remote.send("POST", electionPath(room, "renew"), tokenBody(lease, ttl)), 200);
    if (const auto* failure = std::get_if<Failure>(&answer))
        return explainLoss(*failure);
    const auto& object = std::get<JsonValue::Object>(answer);
    std::cout << (remote.json() ? toJson(JsonValue(withoutSecret(object))) : describeStatus(object))
              << "\n";
    return ExitOk;
}

int resign(Remote& remote, const Options& options)
{
    const std::string& room = options.arguments().front();
    const SavedLease lease = savedLease(options, kind, room);
    const auto answer = client::readObject(
        remote.send("POST", electionPath(room, "resign"), tokenBody(lease)), 200);
    const auto* failure = std::get_if<Failure>(&answer);
    if (failure != nullptr && !confirmsEnd(*failure, lease.term))
        return explainLoss(*failure);
    const std::string term = std::to_string(lease.term);
    if (!remote.json())
        std::cout << "resigned, term " << term << "\n";
    else if (failure == nullptr)
        std::cout << toJson(JsonValue(std::get<JsonValue::Object>(answer))) << "\n";
    else
        std::cout << R"({"status":"vacant","previous_term":)" << term << "}\n";
    return ExitOk;
}

int forceResign(Remote& remote, const Options& options)
{
    const auto answer =
        remote.call("POST", "/admin" + electionPath(options.arguments().front(), "force-resign"),
                    200, forceBody(options));
    if (const auto* failure = std::get_if<Failure>(&answer))
        return explain(*failure);
    std::cout << (remote.json() ? toJson(std::get<JsonValue>(answer)) : "the leader is removed")
              << "\n";
    return ExitOk;
}

} // namespace

const std::vector<Verb>& electionVerbs()
{
    static const std::vector<Verb> verbs = {
        {"campaign", "ROOM", "become the leader, once; exits 11 when another leads",
         Credential::Secret,
         acquireOptions(HoldKind::Election) +
             std::vector<Option>{{"candidate", 0, "ID", "the candidate; required"},
                                 saveOption("the leader token")},
         &campaign},
        {"renew", "ROOM", "renew the lease of a campaign; exits 20 when it is over",
         Credential::Secret, renewOptions(HoldKind::Election), &renew},
        {"resign", "ROOM", "give the room back", Credential::Secret, {fromOption()}, &resign},
        {"force-resign", "ROOM", "remove the leader of a term (administrators)", Credential::Token,
         forceOptions(), &forceResign},
    };
    return verbs;
}

} // namespace octostore::program
