// SPDX-License-Identifier: MIT
#include "CommandLine.h"

#include "ExitCode.h"

#include <algorithm>
#include <iostream>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace octostore::program
{

Result<Invocation> findCommand(const std::vector<Command>& commands, const Words& words)
{
    if (words.empty() || words.front().compare(0, 1, "-") == 0)
        return Invocation{&commands.front(), words};
    const auto found =
        std::find_if(commands.begin(), commands.end(),
                     [&](const Command& command) { return command.name == words.front(); });
    if (found == commands.end())
        return Error{ErrorCode::InvalidInput, "there is no command \"" + words.front() + "\""};
    return Invocation{&*found, Words(words.begin() + 1, words.end())};
}

bool asksForHelp(const Words& words)
{
    return !words.empty() &&
           (words.front() == "--help" || words.front() == "-h" || words.front() == "help");
}

bool asksForVersion(const Words& words)
{
    return !words.empty() && (words.front() == "--version" || words.front() == "-V");
}

std::string programHelp(const std::vector<Command>& commands)
{
    constexpr std::size_t summaryColumn = 14;
    std::string text = "Elections and locks over plain HTTP.\n\n"
                       "Usage: octostore [COMMAND] [OPTIONS]\n\nCommands:\n";
    for (const Command& command : commands)
    {
        std::string line = "  " + std::string(command.name);
        line.resize(std::max(line.size() + 2, summaryColumn), ' ');
        text += line + std::string(command.summary) + "\n";
    }
    text += "\nWithout a command it is the server. Each command has --help.\n"
            "  --version   print the version\n";
    return text;
}

int usageError(const std::string& what, const std::string& command)
{
    std::cerr << "octostore: " << what << "; see octostore " << command
              << (command.empty() ? "" : " ") << "--help\n";
    return ExitUsage;
}

void keepStandardDescriptors()
{
    int descriptor = 0;
    do
        descriptor = ::open("/dev/null", O_RDWR); // the lowest that is free
    while (descriptor >= 0 && descriptor < STDERR_FILENO);
    if (descriptor > STDERR_FILENO)
        ::close(descriptor);
}

int outputLost()
{
    std::cerr << "octostore: standard output cannot be written\n";
    return ExitFailure;
}

int finishOutput(int exitCode)
{
    std::cout << std::flush;
    if (std::cout.good())
        return exitCode;
    pollfd output{STDOUT_FILENO, 0, 0};
    if (::poll(&output, 1, 0) > 0 && (output.revents & POLLERR) != 0)
        return exitCode;
    const int lost = outputLost();
    return exitCode == ExitOk ? lost : exitCode;
}

} // namespace octostore::program
