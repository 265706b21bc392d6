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

constexpr int ok = 200, created = 201, noContent = 204;

std::string pathOf(const Options& options, const std::string& action = {})
{
    return "/sessions/" + client::encodeSegment(options.arguments().front()) + action;
}

void print(Remote& remote, const JsonValue::Object& answer)
{
    std::cout << (remote.json() ? toJson(JsonValue(answer)) + "\n" : describe(answer));
}

int create(Remote& remote, const Options& options)
{
    using std::chrono::seconds;
    const auto ttl = readSeconds(options, "ttl", {seconds(10), seconds(300), seconds(60)});
    if (!ttl)
        return refuse(ttl.error());
    JsonWriter json;
    json.beginObject().field("ttl_seconds", std::int64_t{ttl->count()}).endObject();
    const auto answer = remote.object("POST", "/sessions", created, json.take());
    std::cout << (remote.json() ? toJson(JsonValue(answer)) : textMember(answer, "session_id"))
              << "\n";
    return ExitOk;
}

int keepAlive(Remote& remote, const Options& options)
{
    const auto answer = client::readObject(remote.send("POST", pathOf(options, "/keepalive")), ok);
    if (const auto* failure = std::get_if<Failure>(&answer))
    {
        const int code = explain(*failure);
        return client::meansSessionOver(*failure) ? int{ExitAuthorityEnded} : code;
    }
    print(remote, std::get<JsonValue::Object>(answer));
    return ExitOk;
}

int show(Remote& remote, const Options& options)
{
    print(remote, remote.object("GET", pathOf(options), ok));
    return ExitOk;
}

int end(Remote& remote, const Options& options)
{
    const auto answer = remote.call("DELETE", pathOf(options), noContent);
    if (const auto* failure = std::get_if<Failure>(&answer))
        return explain(*failure);
    if (remote.json())
        std::cout << endedLine("ended", "session_id", options);
    return ExitOk;
}

} // namespace

const std::vector<Verb>& sessionVerbs()
{
    static const std::vector<Verb> verbs = {
        {"create",
         "",
         "open a session and print its ID",
         Credential::Token,
         {{"ttl", 0, "DURATION", "how long it lives without a keepalive, 10..300s; default 60s"}},
         &create},
        {"keepalive",
         "ID",
         "keep it alive; exits 20 when it is over",
         Credential::Token,
         {},
         &keepAlive},
        {"show", "ID", "until when it lives, and its locks", Credential::Token, {}, &show},
        {"end", "ID", "close it; its ephemeral locks end with it", Credential::Token, {}, &end},
    };
    return verbs;
}

} // namespace octostore::program
