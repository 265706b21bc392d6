// SPDX-License-Identifier: MIT
#include "Subject.h"

#include "Claim.h"
#include "ExitCode.h"
#include "OneShot.h"
#include "Printing.h"

#include <octostore/base/Text.h>
#include <octostore/base/Time.h>
#include <octostore/client/Failure.h>
#include <octostore/client/ServerUrl.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <iostream>
#include <optional>
#include <utility>

namespace octostore::program
{

namespace
{

using client::HoldKind;

std::string pathOf(HoldKind kind, const std::string& name)
{
    return (kind == HoldKind::Election ? "/elections/" : "/locks/") + client::encodeSegment(name);
}

} // namespace

client::HttpRequest Subject::statusRequest()
{
    return {"GET", pathOf(kind, name), "", token ? token->token() : "", ""};
}

client::HttpRequest Subject::watchRequest()
{
    return {"GET", pathOf(kind, name) + "/watch", "", token ? token->token() : "", ""};
}

SubjectOrExit openSubject(const Options& options, HoldKind kind, Secrecy secrecy)
{
    const std::vector<std::string>& names = options.arguments();
    if (names.size() != 1 || names.front().empty())
        return {nullptr, usageError("give one " + std::string(nameOf(kind)),
                                    std::string(client::toText(kind)))};
    auto read = readClientOptions(options, kind, secrecy);
    if (!read)
        return {nullptr, refuse(read.error())};
    std::unique_ptr<Subject> subject(
        new Subject{kind, names.front(), *std::move(read), nullptr, std::nullopt});
    auto http = makeHttpClient(subject->options);
    if (!http)
        return {nullptr, refuse(http.error())};
    subject->http = *http;
    if (kind == HoldKind::Lock)
    {
        auto token = openToken();
        if (!token)
            return {nullptr, refuse(token.error())};
        subject->token = *std::move(token);
    }
    return {std::move(subject), 0};
}

bool isTaken(const JsonValue::Object& status)
{
    const std::string text = textMember(status, "status");
    return text == "leader" || text == "held";
}

namespace
{

/// As the server says; of a lock, which it does not say it of, by the clock of this machine.
std::optional<std::int64_t> secondsLeft(const JsonValue::Object& status, const std::string& until)
{
    if (const auto left = numberMember(status, "retry_after_ms"))
        return *left > 0 ? std::optional(static_cast<std::int64_t>(*left / 1000)) : std::nullopt;
    std::tm end{};
    if (textMember(status, "status") != "held" ||
        ::strptime(until.c_str(), "%Y-%m-%dT%H:%M:%S", &end) == nullptr)
        return std::nullopt;
    const auto now = std::chrono::system_clock::to_time_t(SystemClock().wallTime());
    return std::max<std::int64_t>(::timegm(&end) - now, 0);
}

} // namespace

std::string describeStatus(const JsonValue::Object& status)
{
    const std::string text = textMember(status, "status");
    const auto leader = status.find("leader");
    std::string line = text;
    std::string until = textMember(status, "expires_at");
    if (leader != status.end() && leader->second.asObject() != nullptr)
    {
        const JsonValue::Object& object = *leader->second.asObject();
        line += " " + textMember(object, "candidate_id") + ", term " +
                std::to_string(numberMember(object, "term").value_or(0));
        until = textMember(object, "expires_at");
    }
    else if (text == "held")
        line += " by " + textMember(status, "holder_id") + ", term " +
                std::to_string(numberMember(status, "fencing_token").value_or(0));
    if (!until.empty())
        line += ", until " + until;
    if (const auto left = secondsLeft(status, until))
        line += ", " + std::to_string(*left) + " s left";
    if (const auto queue = numberMember(status, "queue_length"))
        line += ", " + std::to_string(*queue) + " waiting";
    if (const std::string available = textMember(status, "available_at"); !available.empty())
        line += ", not to be had before " + available;
    return printable(line);
}

std::string_view nameOf(HoldKind kind)
{
    return kind == HoldKind::Election ? "ROOM" : "NAME";
}

SubjectOrExit openSubject(const Words& arguments, HoldKind kind, const std::string& verb,
                          std::string_view summary)
{
    const std::string command = std::string(client::toText(kind)) + " " + verb;
    const auto options = Options::parse(clientOptions(), arguments);
    if (!options)
        return {nullptr, usageError(options.error().message, command)};
    if (options->has("help"))
    {
        std::cout << "octostore " << command << " " << nameOf(kind) << ": " << summary << "\n\n"
                  << Options::describe(clientOptions());
        return {nullptr, ExitOk};
    }
    return openSubject(*options, kind, kind == HoldKind::Lock ? Secrecy::Secret : Secrecy::Nothing);
}

int statusCommand(const Words& arguments, HoldKind kind)
{
    const auto opened =
        openSubject(arguments, kind, "status", "exits 0 when it is taken and 1 when it is free.");
    if (!opened.subject)
        return opened.exitCode;
    Subject& subject = *opened.subject;
    const auto read =
        client::readObject(ask(subject.http, subject.statusRequest(), subject.options), 200);
    if (const auto* failure = std::get_if<client::Failure>(&read))
        leave(explain(*failure));
    const auto& status = std::get<JsonValue::Object>(read);
    std::cout << (subject.options.json ? toJson(JsonValue(status)) : describeStatus(status))
              << "\n";
    leave(isTaken(status) ? ExitOk : ExitFree);
}

} // namespace octostore::program
