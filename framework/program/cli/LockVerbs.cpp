// SPDX-License-Identifier: MIT
#include "Claim.h"
#include "ExitCode.h"
#include "HttpStatus.h"
#include "LeaseVerbs.h"
#include "OneShot.h"
#include "Printing.h"
#include "Verb.h"

#include <iostream>

namespace octostore::program
{

namespace
{

using client::Failure;
using client::HoldKind;
using client::HttpAnswer;

constexpr const char* kind = "lock";
constexpr std::chrono::seconds lockDelayMax{30};

std::string acquireBody(const Options& options, const Wish& wish)
{
    JsonWriter json;
    json.beginObject()
        .field("ttl_seconds", std::int64_t{wish.ttl.count()})
        .field("wait_seconds", std::int64_t{wish.wait.count()});
    if (!wish.metadata.empty())
        json.field("metadata", wish.metadata);
    if (options.has("session"))
        json.field("session_id", options.value("session")).field("ephemeral", true);
    if (options.has("lock-delay"))
    {
        const std::chrono::seconds none{0};
        const auto delay = readSeconds(options, "lock-delay", {none, lockDelayMax, none});
        if (!delay)
            leave(refuse(delay.error()));
        json.field("lock_delay_seconds", std::int64_t{delay->count()});
    }
    json.endObject();
    return json.take();
}

/// `acquired`, `held` (200) or `delayed` (409, and no error). A failure ends the process.
JsonValue::Object readAcquire(const client::HttpOutcome& outcome)
{
    constexpr int conflict = 409;
    const auto* answer = std::get_if<HttpAnswer>(&outcome);
    if (answer != nullptr && answer->status == conflict)
        if (auto object = readJson(answer->body);
            object && textMember(*object, "status") == "delayed")
            return *std::move(object);
    auto read = client::readObject(outcome, httpOk);
    if (const auto* failure = std::get_if<Failure>(&read))
        leave(explain(*failure));
    return std::get<JsonValue::Object>(std::move(read));
}

std::string describeAcquire(const JsonValue::Object& answer)
{
    std::string line = textMember(answer, "status");
    if (line == "acquired")
        line += ", term " + std::to_string(numberMember(answer, "fencing_token").value_or(0));
    else if (line == "held")
        line += " by " + textMember(answer, "holder_id");
    const std::string until = textMember(answer, "expires_at");
    const std::string available = textMember(answer, "available_at");
    if (!until.empty())
        line += ", until " + until;
    return available.empty() ? line : line + ", not to be had before " + available;
}

std::string leaseBody(const SavedLease& lease, std::optional<std::chrono::seconds> ttl = {})
{
    JsonWriter json;
    json.beginObject().field("lease_id", lease.secret);
    if (ttl)
        json.field("ttl_seconds", std::int64_t{ttl->count()});
    json.endObject();
    return json.take();
}

/// A lease that cannot be kept can never be given back later: it is given back now.
void keepOrRelease(Remote& remote, const std::string& file, const SavedLease& lease)
{
    const auto saved = save(file, lease);
    if (saved)
        return;
    const auto released =
        remote.call("POST", lockPath(lease.name, "release"), 200, leaseBody(lease));
    complain(saved.error().message + (std::holds_alternative<Failure>(released)
                                          ? "; the lock is held until its TTL is over"
                                          : "; the lock is given back"));
    leave(ExitFailure);
}

int acquire(Remote& remote, const Options& options)
{
    const std::string& name = options.arguments().front();
    const Wish wish = readWish(options, HoldKind::Lock);
    const std::string file = leaseFile(options, kind, name);
    const std::string body = acquireBody(options, wish);
    remote.allow(wish.wait);
    const auto answer = readAcquire(remote.send("POST", lockPath(name, "acquire"), body));
    const bool acquired = textMember(answer, "status") == "acquired";
    if (acquired)
        keepOrRelease(remote, file,
                      {kind,
                       name,
                       textMember(answer, "lease_id"),
                       numberMember(answer, "fencing_token").value_or(0),
                       {},
                       {},
                       wish.ttl});
    std::cout << (remote.json() ? toJson(JsonValue(withoutSecret(answer)))
                                : describeAcquire(answer))
              << "\n";
    return acquired ? ExitOk : ExitAcquireTimedOut;
}

int renew(Remote& remote, const Options& options)
{
    const std::string& name = options.arguments().front();
    const SavedLease lease = savedLease(options, kind, name);
    const std::chrono::seconds ttl = renewalTtl(options, HoldKind::Lock, lease);
    const auto answer = client::readObject(
        remote.send("POST", lockPath(name, "renew"), leaseBody(lease, ttl)), 200);
    if (const auto* failure = std::get_if<Failure>(&answer))
        return explainLoss(*failure);
    const auto& object = std::get<JsonValue::Object>(answer);
    std::cout << (remote.json() ? toJson(JsonValue(withoutSecret(object)))
                                : "renewed, until " + textMember(object, "expires_at"))
              << "\n";
    return ExitOk;
}

int release(Remote& remote, const Options& options)
{
    const std::string& name = options.arguments().front();
    const SavedLease lease = savedLease(options, kind, name);
    const auto answer = remote.call("POST", lockPath(name, "release"), 200, leaseBody(lease));
    const auto* failure = std::get_if<Failure>(&answer);
    if (failure != nullptr && !confirmsEnd(*failure, lease.term))
        return explainLoss(*failure);
    const std::string term = std::to_string(lease.term);
    std::cout << (remote.json() ? R"({"status":"released","term":)" + term + "}"
                                : "released, term " + term)
              << "\n";
    return ExitOk;
}

int list(Remote& remote, const Options& options)
{
    const std::string prefix = options.arguments().empty() ? "" : options.arguments().front();
    JsonValue::Array locks;
    std::string after;
    do
    {
        const auto page =
            remote.object("GET", "/locks" + query({{"prefix", prefix}, {"after", after}}), 200);
        const auto found = page.find("locks");
        if (found != page.end() && found->second.asArray() != nullptr)
            locks.insert(locks.end(), found->second.asArray()->begin(),
                         found->second.asArray()->end());
        after = textMember(page, "next");
    } while (!after.empty());
    if (remote.json())
        for (const JsonValue& lock : locks)
            std::cout << toJson(lock) << "\n";
    else
        std::cout << table({{"NAME", "name"},
                            {"HOLDER", "holder_id"},
                            {"TERM", "fencing_token"},
                            {"UNTIL", "expires_at"}},
                           locks);
    return ExitOk;
}

int forceRelease(Remote& remote, const Options& options)
{
    const auto answer =
        remote.call("POST", "/admin" + lockPath(options.arguments().front(), "force-release"), 200,
                    forceBody(options));
    if (const auto* failure = std::get_if<Failure>(&answer))
        return explain(*failure);
    std::cout << (remote.json() ? toJson(std::get<JsonValue>(answer)) : "the lock is released")
              << "\n";
    return ExitOk;
}

} // namespace

const std::vector<Verb>& lockVerbs()
{
    static const std::vector<Verb> verbs = {
        {"acquire", "NAME", "take it, once; exits 11 when it is held", Credential::Token,
         acquireOptions(HoldKind::Lock) +
             std::vector<Option>{
                 {"session", 0, "ID", "the lock ends with this session of the caller's"},
                 {"lock-delay", 0, "DURATION", "nobody may have it for that long after, 0..30s"},
                 saveOption("the lease ID")},
         &acquire},
        {"renew", "NAME", "renew a lease; exits 20 when it is over", Credential::Token,
         renewOptions(HoldKind::Lock), &renew},
        {"release", "NAME", "give it back", Credential::Token, {fromOption()}, &release},
        {"list", "[PREFIX]", "every lock that is held", Credential::Token, {}, &list},
        {"force-release", "NAME", "end the lease of a term (administrators)", Credential::Token,
         forceOptions(), &forceRelease},
    };
    return verbs;
}

} // namespace octostore::program
