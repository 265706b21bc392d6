// SPDX-License-Identifier: MIT
/// @file
/// Which command a command line means. Decided before any Poco application exists: Poco's own
/// parser takes abbreviations and ends with other codes.
#pragma once

#include <octostore/base/Result.h>

#include <string>
#include <string_view>
#include <vector>

namespace octostore::program
{

using Words = std::vector<std::string>;

/// One command of the program.
struct Command
{
    std::string_view name;
    std::string_view summary; ///< one line for the help
    /// Gets what follows the command's name; returns the exit code.
    int (*run)(const Words& arguments);
};

/// A command and what follows its name.
struct Invocation
{
    const Command* command;
    Words arguments;
};

/// `words` is argv without the program's name. The first command of `commands` is meant when there
/// is no word or the first one is an option. Errors: InvalidInput, there is no such command.
Result<Invocation> findCommand(const std::vector<Command>& commands, const Words& words);

/// Whether the words ask for the program's help or its version.
bool asksForHelp(const Words& words);
bool asksForVersion(const Words& words);
std::string programHelp(const std::vector<Command>& commands);

/// One line on standard error, with where the help is: of `command`, as `lock acquire`, or of the
/// program. Returns ExitUsage.
int usageError(const std::string& what, const std::string& command = {});

/// Opens /dev/null in place of standard descriptors that are closed: else a socket or a database
/// would become what messages go to. To be called first.
void keepStandardDescriptors();
/// Complains that what was printed is lost. Returns ExitFailure.
int outputLost();
/// Flushes standard output. `exitCode`, or ExitFailure instead of ExitOk, and a complaint, when
/// what was printed is lost. That its reader has seen enough is no failure.
int finishOutput(int exitCode);

} // namespace octostore::program
