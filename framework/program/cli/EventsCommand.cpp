// SPDX-License-Identifier: MIT
#include "EventsCommand.h"

#include "Claim.h"
#include "ExitCode.h"
#include "LeaseVerbs.h"
#include "OneShot.h"
#include "Printing.h"

#include <octostore/base/Random.h>
#include <octostore/client/Backoff.h>
#include <octostore/client/EventStreamReader.h>

#include <iostream>
#include <thread>

namespace octostore::program
{

namespace
{

std::vector<Option> eventsOptions()
{
    return std::vector<Option>{
               {"follow", 'f', "", "go on with what happens, until interrupted"},
               {"type", 0, "TYPE", "only these, * for a part: election.*"},
               {"resource", 0, "KIND:NAME",
                "only about this; a * at the end: election:ID, lock:a/*"},
               {"since", 0, "SEQUENCE", "only what came after"},
               {"limit", 0, "N", "at most so many, 1..1000; not with --follow"},
           } +
           clientOptions();
}

std::string holdingText(const JsonValue::Object& event, std::string_view side)
{
    const auto found = event.find(side);
    if (found == event.end() || found->second.asObject() == nullptr)
        return "nobody";
    const JsonValue::Object& holding = *found->second.asObject();
    return textMember(holding, "holder") + " (term " +
           std::to_string(numberMember(holding, "term").value_or(0)) + ")";
}

/// A line for people.
std::string describeEvent(const JsonValue::Object& event)
{
    std::string line = textMember(event, "time") + " #" +
                       std::to_string(numberMember(event, "sequence").value_or(0)) + " " +
                       textMember(event, "type");
    const auto resource = event.find("resource");
    if (resource != event.end() && resource->second.asObject() != nullptr)
        line += " " + textMember(*resource->second.asObject(), "name");
    const auto current = event.find("current"), previous = event.find("previous");
    const bool holds = (current != event.end() && !current->second.isNull()) ||
                       (previous != event.end() && !previous->second.isNull());
    if (holds)
        line += ": " + holdingText(event, "previous") + " -> " + holdingText(event, "current");
    const std::string cause = textMember(event, "cause");
    return cause.empty() ? line : line + ", " + cause;
}

void show(const JsonValue::Object& event, bool json)
{
    std::cout << (json ? toJson(JsonValue(event)) : describeEvent(event)) << "\n" << std::flush;
}

std::string pathOf(const Options& options)
{
    return "/events" + query({{"type", options.value("type")},
                              {"resource", options.value("resource")},
                              {"since", options.value("since")},
                              {"limit", options.value("limit")}});
}

int once(Remote& remote, const Options& options)
{
    const auto answer = remote.object("GET", pathOf(options), 200);
    const auto events = answer.find("events");
    if (events != answer.end() && events->second.asArray() != nullptr)
        for (const JsonValue& event : *events->second.asArray())
            if (event.asObject() != nullptr)
                show(*event.asObject(), remote.json());
    return ExitOk;
}

/// Takes the stream up again where it broke off; ends with an interrupt or a lost reader.
int follow(Remote& remote, const Options& options)
{
    SystemRandom random;
    client::Backoff backoff{Milliseconds(250), Milliseconds(10'000)};
    client::EventStreamReader reader;
    client::Cancellation never;
    for (;;)
    {
        reader.restart();
        const auto sink = [&](std::string_view bytes)
        {
            const auto frames = reader.push(bytes);
            if (!frames)
                return false;
            backoff.reset();
            for (const client::StreamEvent& frame : *frames)
            {
                if (frame.name == "reset")
                    complain("events are missing: the journal no longer reaches back that far");
                else if (const auto event = readJson(frame.data))
                    show(*event, remote.json());
            }
            return std::cout.good();
        };
        const client::HttpRequest request{"GET", pathOf(options), "", remote.token(),
                                          reader.lastEventId()};
        const auto ended = remote.http()->stream(request, remote.options().requestTimeout,
                                                 client::streamSilenceMax, sink, never);
        if (!std::cout.good())
            return ExitOk;
        const auto* answer = std::get_if<client::HttpAnswer>(&ended);
        Milliseconds pause = reader.retry().value_or(client::streamPause);
        if (answer == nullptr || answer->status != 200)
        {
            const client::Failure failure = client::readFailure(ended);
            if (!client::worthRetrying(failure))
                return explain(failure);
            pause = backoff.next(random, failure.retryAfter);
        }
        std::this_thread::sleep_for(pause);
    }
}

} // namespace

int eventsCommand(const Words& arguments)
{
    const std::vector<Option> known = eventsOptions();
    const auto options = Options::parse(known, arguments);
    if (!options)
        return usageError(options.error().message);
    if (options->has("help"))
    {
        std::cout << "octostore events: what the journal keeps of locks, elections, sessions and "
                     "accounts.\n\n"
                  << Options::describe(known);
        return ExitOk;
    }
    if (!options->arguments().empty())
        return usageError("events takes options only");
    if (options->has("follow") && options->has("limit"))
        return usageError("--limit does not go with --follow");
    auto remote = Remote::open(*options, Credential::Token);
    if (!remote)
        return refuse(remote.error());
    leave(options->has("follow") ? follow(*remote, *options) : once(*remote, *options));
}

} // namespace octostore::program
