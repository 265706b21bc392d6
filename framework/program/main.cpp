// SPDX-License-Identifier: MIT
/// @file
/// One program: the server and the commands that go with it.
#include "CommandLine.h"
#include "ExitCode.h"
#include "ServeCommand.h"
#include "cli/BackupCommand.h"
#include "cli/BenchCommand.h"
#include "cli/CompletionCommand.h"
#include "cli/ConfigCommand.h"
#include "cli/DoctorCommand.h"
#include "cli/ElectionCommand.h"
#include "cli/EventsCommand.h"
#include "cli/LockCommand.h"
#include "cli/PluginCommand.h"
#include "cli/RestoreCommand.h"
#include "cli/RunCommand.h"
#include "cli/Verb.h"

#include <exception>
#include <iostream>

namespace octostore::program
{

namespace
{

int run(const Words& words)
{
    // The first one is meant when none is named.
    const std::vector<Command> commands = {
        {"serve", "the server", &serve},
        {"bench", "how much a server takes, and how fast it answers", &benchCommand},
        {"election", "lead a room, or see who leads it", &electionCommand},
        {"lock", "hold a lock, or see who holds it", &lockCommand},
        {"run", "run a command only while the lease is ours", &runCommand},
        {"session", "open, keep alive or end a session", &sessionCommand},
        {"webhook", "who is told of changes", &webhookCommand},
        {"events", "what happened, and what happens", &eventsCommand},
        {"token", "replace the caller's token", &tokenCommand},
        {"admin", "how the server does", &adminCommand},
        {"backup", "a copy of the store of a running server", &backupCommand},
        {"restore", "a store made from a backup", &restoreCommand},
        {"doctor", "check this machine, the way to the server and the token", &doctorCommand},
        {"config", "check or print the server's configuration", &configCommand},
        {"plugin", "list or inspect plugins", &pluginCommand},
        {"completion", "a script that lets bash complete commands", &completionCommand},
    };
    if (asksForHelp(words))
    {
        std::cout << programHelp(commands);
        return ExitOk;
    }
    if (asksForVersion(words))
    {
        std::cout << "octostore " OCTOSTORE_VERSION "\n";
        return ExitOk;
    }
    const auto found = findCommand(commands, words);
    return found ? found->command->run(found->arguments) : usageError(found.error().message);
}

} // namespace

} // namespace octostore::program

int main(int argc, char** argv)
{
    using namespace octostore::program;
    keepStandardDescriptors();
    try
    {
        return finishOutput(run(Words(argv + (argc > 0 ? 1 : 0), argv + argc)));
    }
    catch (const std::exception& e)
    {
        std::cerr << "octostore: " << e.what() << "\n";
        return ExitFailure;
    }
}
