// SPDX-License-Identifier: MIT
#include "ElectionCommand.h"

#include "Claim.h"
#include "ExitCode.h"
#include "OneShot.h"
#include "Printing.h"
#include "Subject.h"
#include "Verb.h"

#include <octostore/client/Failure.h>

#include <iostream>

namespace octostore::program
{

namespace
{

constexpr const char* help =
    "octostore election COMMAND: one leader of a room, without an account.\n\n"
    "  create                      print the ID of a new room\n"
    "  status ROOM                 who leads; exits 0 when somebody does, else 1\n"
    "  hold ROOM                   lead it for as long as this runs\n"
    "  watch ROOM                  print every change\n";

constexpr const char* servers =
    "\nEach has --help. The server is --server URL, else OCTOSTORE_URL, else "
    "http://localhost:3000.\n";

int create(const Words& arguments)
{
    const auto options = Options::parse(clientOptions(), arguments);
    if (!options)
        return usageError(options.error().message, "election create");
    if (options->has("help"))
    {
        std::cout << "octostore election create: prints the ID of a new room.\n\n"
                  << Options::describe(clientOptions());
        return ExitOk;
    }
    if (!options->arguments().empty())
        return usageError("election create takes no argument", "election create");
    const auto read = readClientOptions(*options, client::HoldKind::Election, Secrecy::Nothing);
    if (!read)
        return refuse(read.error());
    const auto http = makeHttpClient(*read);
    if (!http)
        return refuse(http.error());
    constexpr int created = 201;
    const auto answer =
        client::readObject(ask(*http, {"POST", "/elections", "", "", ""}, *read), created);
    if (const auto* failure = std::get_if<client::Failure>(&answer))
        leave(explain(*failure));
    const auto& object = std::get<JsonValue::Object>(answer);
    std::cout << (read->json ? toJson(JsonValue(object)) : textMember(object, "election_id"))
              << "\n";
    leave(ExitOk);
}

} // namespace

int electionCommand(const Words& arguments)
{
    const std::string what = arguments.empty() ? "" : arguments.front();
    const Words rest(arguments.begin() + (arguments.empty() ? 0 : 1), arguments.end());
    if (what == "create")
        return create(rest);
    if (what == "status")
        return statusCommand(rest, client::HoldKind::Election);
    if (what == "hold")
        return holdCommand(rest, client::HoldKind::Election);
    if (what == "watch")
        return watchCommand(rest, client::HoldKind::Election);
    if (asksForHelp(arguments))
    {
        std::cout << help << describeVerbs(electionVerbs()) << servers;
        return ExitOk;
    }
    if (what.empty())
        return usageError("election needs a command", "election");
    return runVerb({"election", "one leader of a room", electionVerbs()}, arguments);
}

} // namespace octostore::program
