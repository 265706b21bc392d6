// SPDX-License-Identifier: MIT
#include "EventsCommand.h"

#include "Claim.h"
#include "ExitCode.h"
#include "LeaseVerbs.h"
#include "OneShot.h"
#include "Printing.h"

#include <octostore/base/Random.h>
#include <octostore/base/Text.h>
#include <octostore/client/Backoff.h>
#include <octostore/client/EventStreamReader.h>

#include <cerrno>
#include <cstdlib>
#include <iostream>
#include <thread>

#include <poll.h>
#include <unistd.h>

namespace octostore::program
{

namespace
{

std::string holdingText(const JsonValue::Object& event, std::string_view side)
{
    const auto found = event.find(side);
    if (found == event.end() || found->second.asObject() == nullptr)
        return "nobody";
    const JsonValue::Object& holding = *found->second.asObject();
    // A session has a holder and no term.
    const std::uint64_t term = numberMember(holding, "term").value_or(0);
    return textMember(holding, "holder") +
           (term == 0 ? std::string() : " (term " + std::to_string(term) + ")");
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
    return printable(cause.empty() ? line : line + ", " + cause);
}

void show(const JsonValue::Object& event, bool json)
{
    std::cout << (json ? toJson(JsonValue(event)) : describeEvent(event)) << "\n" << std::flush;
}

constexpr std::uint64_t pageMost = 1000;

std::string pathOf(const Options& options, const std::string& since, const std::string& limit = {})
{
    return "/events" + query({{"type", options.value("type")},
                              {"resource", options.value("resource")},
                              {"since", since},
                              {"limit", limit}});
}

/// Shows a page and says how many events it had.
std::uint64_t showPage(const JsonValue::Object& page, bool json)
{
    if (page.count("reset") != 0)
        complain("events are missing: the journal no longer reaches back that far");
    const auto events = page.find("events");
    if (events == page.end() || events->second.asArray() == nullptr)
        return 0;
    for (const JsonValue& event : *events->second.asArray())
        if (event.asObject() != nullptr)
            show(*event.asObject(), json);
    return events->second.asArray()->size();
}

/// Without a limit: page after page, until one has reached the end. A page ends early when it is
/// full, or when the server has looked at many events that do not match.
int once(Remote& remote, const Options& options)
{
    const bool limited = options.has("limit");
    const std::string limit = limited ? options.value("limit") : std::to_string(pageMost);
    std::string since = options.value("since");
    std::uint64_t reached = 0;
    for (bool more = true; more && std::cout.good();)
    {
        const auto page = remote.object("GET", pathOf(options, since, limit), 200);
        const std::uint64_t shown = showPage(page, remote.json());
        const std::uint64_t next = numberMember(page, "next_since").value_or(reached);
        more = !limited && next > reached && (shown == pageMost || next - reached >= pageMost);
        reached = next;
        since = std::to_string(next);
    }
    return ExitOk;
}

/// Ends the process when the reader of standard output has gone: on a quiet server nothing is
/// written that would tell.
void watchReader()
{
    std::thread(
        []
        {
            // No event is asked for: only errors and a hang-up are told.
            pollfd output{STDOUT_FILENO, 0, 0};
            while (::poll(&output, 1, -1) < 0 && errno == EINTR)
            {
            }
            if ((output.revents & (POLLERR | POLLHUP)) != 0)
                std::_Exit(ExitOk);
        })
        .detach();
}

/// Takes the stream up again where it broke off; ends with an interrupt or a lost reader.
int follow(Remote& remote, const Options& options)
{
    watchReader();
    SystemRandom random;
    client::Backoff backoff{Milliseconds(250), Milliseconds(10'000)};
    client::EventStreamReader reader;
    client::Cancellation never;
    std::string told;
    for (;;)
    {
        reader.restart();
        const auto sink = [&](std::string_view bytes)
        {
            const auto frames = reader.push(bytes);
            if (!frames)
                return false;
            backoff.reset();
            told.clear();
            for (const client::StreamEvent& frame : *frames)
            {
                if (frame.name == "reset")
                    complain("events are missing: the journal no longer reaches back that far");
                else if (const auto event = readJson(frame.data))
                    show(*event, remote.json());
            }
            return std::cout.good();
        };
        const client::HttpRequest request{"GET", pathOf(options, options.value("since")), "",
                                          remote.token(), reader.lastEventId()};
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
            complainOnce(failure, told);
            pause = backoff.next(random, failure.retryAfter);
        }
        std::this_thread::sleep_for(pause);
    }
}

} // namespace

std::vector<Option> eventsOptions()
{
    return std::vector<Option>{
               {"follow", 'f', "", "go on with what happens, until interrupted"},
               {"type", 0, "TYPE", "only these, * for a part: election.*"},
               {"resource", 0, "KIND:NAME",
                "only about this; a * at the end: election:ID, lock:a/*"},
               {"since", 0, "SEQUENCE", "only what came after"},
               {"limit", 0, "N", "the oldest N, 1..1000; default: all; not with --follow"},
           } +
           clientOptions();
}

int eventsCommand(const Words& arguments)
{
    const std::vector<Option> known = eventsOptions();
    const auto options = Options::parse(known, arguments);
    if (!options)
        return usageError(options.error().message, "events");
    if (options->has("help"))
    {
        std::cout << "octostore events: what the journal keeps of locks, elections, sessions and "
                     "accounts.\n\n"
                  << Options::describe(known);
        return ExitOk;
    }
    if (!options->arguments().empty())
        return usageError("events takes options only", "events");
    if (options->has("follow") && options->has("limit"))
        return usageError("--limit does not go with --follow", "events");
    auto remote = Remote::open(*options, Credential::Token);
    if (!remote)
        return refuse(remote.error());
    leave(options->has("follow") ? follow(*remote, *options) : once(*remote, *options));
}

} // namespace octostore::program
