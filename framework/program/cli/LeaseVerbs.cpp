// SPDX-License-Identifier: MIT
#include "LeaseVerbs.h"

#include "ExitCode.h"
#include "OneShot.h"

#include <octostore/client/ServerUrl.h>

#include <charconv>

namespace octostore::program
{

namespace
{

[[noreturn]] void leaveRefused(const std::string& what)
{
    complain(what);
    leave(ExitUsage);
}

std::string under(const char* root, const std::string& name, const std::string& action)
{
    std::string path = root + client::encodeSegment(name);
    return action.empty() ? path : path + "/" + action;
}

} // namespace

std::string lockPath(const std::string& name, const std::string& action)
{
    return under("/locks/", name, action);
}

std::string electionPath(const std::string& room, const std::string& action)
{
    return under("/elections/", room, action);
}

std::string query(const std::vector<std::pair<std::string, std::string>>& parameters)
{
    std::string text;
    for (const auto& [key, value] : parameters)
        if (!value.empty())
            text += (text.empty() ? "?" : "&") + key + "=" + client::encodeSegment(value);
    return text;
}

Option saveOption(const std::string& what)
{
    return {"save", 0, "FILE", "where to keep " + what + " (mode 600); required"};
}

Option fromOption()
{
    return {"from", 0, "FILE", "what --save has kept; required"};
}

std::vector<Option> renewOptions(client::HoldKind kind)
{
    Option ttl = holdOptions(kind).front();
    ttl.help = ttl.help.substr(0, ttl.help.find("; default")) + "; default: as it was acquired";
    return {std::move(ttl), fromOption()};
}

std::vector<Option> acquireOptions(client::HoldKind kind)
{
    return {holdOptions(kind).front(),
            {"wait", 0, "DURATION", "how long the server lets it wait, 0..300s; default 0"},
            {"metadata", 0, "TEXT", "shown to everybody who asks"}};
}

std::string required(const Options& options, const std::string& name)
{
    std::string value = options.value(name);
    if (value.empty())
        leaveRefused("--" + name + " is required");
    return value;
}

Wish readWish(const Options& options, client::HoldKind kind)
{
    constexpr std::chrono::seconds waitMax{300};
    const auto hold = readHoldOptions(options, kind);
    if (!hold)
        leave(refuse(hold.error()));
    const std::chrono::seconds none{0};
    const auto wait = readSeconds(options, "wait", {none, waitMax, none});
    if (!wait)
        leave(refuse(wait.error()));
    return {hold->ttl, *wait, options.value("metadata"), options.value("save")};
}

SavedLease savedLease(const Options& options, const std::string& kind, const std::string& name)
{
    auto saved = load(required(options, "from"), kind, name);
    if (!saved)
        leave(refuse(saved.error()));
    if (saved->secret.empty())
        leaveRefused(options.value("from") + ": no lease was got");
    return *std::move(saved);
}

std::chrono::seconds renewalTtl(const Options& options, client::HoldKind kind,
                                const SavedLease& lease)
{
    const auto hold = readHoldOptions(options, kind);
    if (!hold)
        leave(refuse(hold.error()));
    return options.has("ttl") || lease.ttl.count() == 0 ? hold->ttl : lease.ttl;
}

std::string leaseFile(const Options& options, const std::string& kind, const std::string& name)
{
    std::string file = required(options, "save");
    if (const auto possible = trySaving(file, kind, name); !possible)
        leave(refuse(possible.error()));
    return file;
}

std::string secretFile(const Options& options, const std::function<bool(std::string_view)>& isOurs)
{
    std::string file = required(options, "save");
    if (const auto possible = tryReplacing(file, isOurs); !possible)
        leave(refuse(possible.error()));
    return file;
}

void saveOrLeave(const std::string& file, const SavedLease& lease)
{
    if (const auto saved = save(file, lease); !saved)
    {
        complain(saved.error().message);
        leave(ExitFailure);
    }
}

std::vector<Option> forceOptions()
{
    return {{"term", 0, "N", "the term that is meant; another one is left alone; required"},
            {"reason", 0, "TEXT", "for the journal; required"}};
}

std::string forceBody(const Options& options)
{
    const std::string term = required(options, "term");
    std::uint64_t number = 0;
    const auto read = std::from_chars(term.data(), term.data() + term.size(), number);
    if (read.ec != std::errc() || read.ptr != term.data() + term.size())
        leaveRefused("--term must be a number");
    JsonWriter json;
    json.beginObject()
        .field("term", number)
        .field("reason", required(options, "reason"))
        .endObject();
    return json.take();
}

JsonValue::Object withoutSecret(JsonValue::Object answer)
{
    answer.erase("leader_token");
    answer.erase("lease_id");
    return answer;
}

int explainLoss(const client::Failure& failure)
{
    const int code = explain(failure);
    return client::provesLoss(failure) && failure.code == "lease_not_current"
               ? int{ExitAuthorityEnded}
               : code;
}

} // namespace octostore::program
