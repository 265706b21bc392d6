// SPDX-License-Identifier: MIT
#include "LockCommand.h"

#include "ExitCode.h"
#include "Subject.h"
#include "Verb.h"

#include <iostream>

namespace octostore::program
{

namespace
{

constexpr const char* help =
    "octostore lock COMMAND: one holder of a named lock.\n\n"
    "  status NAME                 who holds it; exits 0 when somebody does, else 1\n"
    "  hold NAME                   hold it for as long as this runs\n"
    "  watch NAME                  print every change\n";

constexpr const char* credentials =
    "\nEach has --help. The server is --server URL or OCTOSTORE_URL; the token comes from\n"
    "OCTOSTORE_TOKEN_FILE (mode 600; - is standard input) or OCTOSTORE_TOKEN.\n";

} // namespace

int lockCommand(const Words& arguments)
{
    const std::string what = arguments.empty() ? "" : arguments.front();
    const Words rest(arguments.begin() + (arguments.empty() ? 0 : 1), arguments.end());
    if (what == "status")
        return statusCommand(rest, client::HoldKind::Lock);
    if (what == "hold")
        return holdCommand(rest, client::HoldKind::Lock);
    if (what == "watch")
        return watchCommand(rest, client::HoldKind::Lock);
    if (asksForHelp(arguments))
    {
        std::cout << help << describeVerbs(lockVerbs()) << credentials;
        return ExitOk;
    }
    if (what.empty())
        return usageError("lock needs a command", "lock");
    return runVerb({"lock", "one holder of a named lock", lockVerbs()}, arguments);
}

} // namespace octostore::program
