// SPDX-License-Identifier: MIT
#include "Claim.h"
#include "ExitCode.h"
#include "LeaseVerbs.h"
#include "OneShot.h"
#include "Printing.h"
#include "Verb.h"

#include <octostore/client/ServerUrl.h>

#include <iostream>

namespace octostore::program
{

namespace
{

using client::Failure;

constexpr int ok = 200, created = 201, accepted = 202, noContent = 204;

std::string pathOf(const Options& options, const std::string& action = {})
{
    return "/webhooks/" + client::encodeSegment(options.arguments().front()) + action;
}

bool isSecret(std::string_view line)
{
    return line.starts_with("whsec_") && line.find_first_of(" \t\r\n") == std::string_view::npos;
}

/// A secret that is shown once is kept, not printed.
void keepSecret(const std::string& file, JsonValue::Object& answer)
{
    const std::string secret = textMember(answer, "secret");
    answer.erase("secret");
    if (const auto saved = writeSecret(file, secret + "\n"); !saved)
    {
        complain("the secret of webhook " + textMember(answer, "id") + " could not be kept: " +
                 saved.error().message + "; rotate-secret makes a new one");
        leave(ExitFailure);
    }
}

void print(Remote& remote, const JsonValue::Object& answer)
{
    std::cout << (remote.json() ? toJson(JsonValue(answer)) + "\n" : describe(answer));
}

void field(JsonWriter& json, const std::string& name, const std::vector<std::string>& values)
{
    if (values.empty())
        return;
    json.key(name).beginArray();
    for (const std::string& value : values)
        json.value(std::string_view(value));
    json.endArray();
}

std::string addBody(const Options& options)
{
    JsonWriter json;
    json.beginObject().field("url", options.arguments().front());
    field(json, "events", options.values("event"));
    field(json, "elections", options.values("election"));
    // Without it a request that names only what the reference knows asks for the legacy format.
    json.field("format", options.has("format") ? options.value("format") : "octostore");
    for (const auto& [name, option] :
         {std::pair{"lock_pattern", "lock-pattern"}, std::pair{"description", "description"}})
        if (options.has(option))
            json.field(name, options.value(option));
    if (options.has("ordered"))
        json.field("ordered", true);
    json.endObject();
    return json.take();
}

int add(Remote& remote, const Options& options)
{
    // What is there is the secret of another webhook, if it is one.
    const std::string file = secretFile(options, [](std::string_view) { return false; });
    auto answer = remote.object("POST", "/webhooks", created, addBody(options));
    keepSecret(file, answer);
    if (remote.json())
        print(remote, answer);
    else
        std::cout << textMember(answer, "id") << "\n";
    return ExitOk;
}

int list(Remote& remote, const Options&)
{
    const auto answer = remote.call("GET", "/webhooks", ok);
    if (const auto* failure = std::get_if<Failure>(&answer))
        return explain(*failure);
    const JsonValue& value = std::get<JsonValue>(answer);
    const JsonValue::Array none;
    const JsonValue::Array& hooks = value.asArray() != nullptr ? *value.asArray() : none;
    if (!remote.json())
    {
        std::cout << table(
            {{"ID", "id"}, {"URL", "url"}, {"ACTIVE", "active"}, {"EVENTS", "events"}}, hooks);
        return ExitOk;
    }
    for (const JsonValue& hook : hooks)
        std::cout << toJson(hook) << "\n";
    return ExitOk;
}

int show(Remote& remote, const Options& options)
{
    print(remote, remote.object("GET", pathOf(options), ok));
    return ExitOk;
}

int ping(Remote& remote, const Options& options)
{
    const auto answer = remote.object("POST", pathOf(options, "/ping"), ok);
    print(remote, answer);
    const auto found = answer.find("delivered");
    const bool* delivered = found == answer.end() ? nullptr : found->second.asBool();
    return delivered != nullptr && *delivered ? ExitOk : ExitFailure;
}

int redeliver(Remote& remote, const Options& options)
{
    const std::string path = pathOf(
        options, "/deliveries/" + client::encodeSegment(options.arguments()[1]) + "/redeliver");
    print(remote, remote.object("POST", path, accepted));
    return ExitOk;
}

int rotateSecret(Remote& remote, const Options& options)
{
    using std::chrono::hours;
    // The server takes more; a duration has a day at most.
    const auto grace = readSeconds(options, "grace", {hours(0), hours(24), hours(24)});
    if (!grace)
        return refuse(grace.error());
    const std::string file = secretFile(options, isSecret);
    JsonWriter json;
    json.beginObject().field("grace_seconds", std::int64_t{grace->count()}).endObject();
    auto answer = remote.object("POST", pathOf(options, "/rotate-secret"), ok, json.take());
    keepSecret(file, answer);
    print(remote, answer);
    return ExitOk;
}

int removeWebhook(Remote& remote, const Options& options)
{
    const auto answer = remote.call("DELETE", pathOf(options), noContent);
    if (const auto* failure = std::get_if<Failure>(&answer))
        return explain(*failure);
    if (remote.json())
        std::cout << endedLine("removed", "id", options);
    return ExitOk;
}

std::vector<Option> addOptions()
{
    return {
        {"event", 0, "TYPE", "an event type, * for a part; may be repeated; default: all", true},
        {"election", 0, "ROOM", "a room to be told of; may be repeated", true},
        {"lock-pattern", 0, "GLOB", "which locks; * within a component, ** across"},
        {"format", 0, "FORMAT", "octostore (default), cloudevents or legacy"},
        {"description", 0, "TEXT", "for people"},
        {"ordered", 0, "", "one delivery after the other"},
        saveOption("the signing secret")};
}

} // namespace

const std::vector<Verb>& webhookVerbs()
{
    static const std::vector<Verb> verbs = {
        {"add", "URL", "tell this address of changes; prints the ID", Credential::Token,
         addOptions(), &add},
        {"list", "", "the caller's webhooks", Credential::Token, {}, &list},
        {"show", "ID", "one of them", Credential::Token, {}, &show},
        {"ping",
         "ID",
         "deliver a test event now, and say what came back; exits 70 when it was not taken",
         Credential::Token,
         {},
         &ping},
        {"redeliver", "ID DELIVERY", "deliver something again", Credential::Token, {}, &redeliver},
        {"rotate-secret",
         "ID",
         "a new secret; the old one stays good for a while",
         Credential::Token,
         {{"grace", 0, "DURATION", "how long the old one stays good; default 24h"},
          saveOption("the new secret")},
         &rotateSecret},
        {"remove", "ID", "tell it no more", Credential::Token, {}, &removeWebhook},
    };
    return verbs;
}

} // namespace octostore::program
