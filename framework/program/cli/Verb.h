// SPDX-License-Identifier: MIT
/// @file
/// A command of two words that asks the server and ends: `lock acquire`, `session end`, ...
#pragma once

#include "CommandLine.h"
#include "Remote.h"

#include <string>
#include <string_view>
#include <vector>

namespace octostore::program
{

/// Declares what a command takes; runVerb() does what all of them have in common.
struct Verb
{
    std::string_view name;
    std::string_view arguments; ///< as in the help: `NAME`, `[PREFIX]`, `ID DELIVERY`
    std::string_view summary;
    Credential credential = Credential::Nothing;
    std::vector<Option> options; ///< beside clientOptions()
    /// Gets as many arguments as `arguments` names. Returns the exit code.
    int (*run)(Remote& remote, const Options& options);
};

/// The verbs of one first word, and its help.
struct VerbGroup
{
    std::string_view name;
    std::string_view summary;
    const std::vector<Verb>& verbs;
};

/// Finds the verb, shows help, checks the arguments, opens the server, runs. Does not return after
/// a request has been made.
int runVerb(const VerbGroup& group, const Words& words);
/// The lines of the group's help that list its verbs.
std::string describeVerbs(const std::vector<Verb>& verbs);

/// What a verb that has no answer prints with --json, `{"ID":"...","status":"..."}` and a line end:
/// what became of what its first argument names.
std::string endedLine(std::string_view status, std::string_view id, const Options& options);

/// The verbs of `election` and `lock` beside those that hold and watch.
const std::vector<Verb>& electionVerbs();
const std::vector<Verb>& lockVerbs();
const std::vector<Verb>& sessionVerbs();
const std::vector<Verb>& webhookVerbs();
const std::vector<Verb>& tokenVerbs();
const std::vector<Verb>& adminVerbs();

int sessionCommand(const Words& arguments);
int webhookCommand(const Words& arguments);
int tokenCommand(const Words& arguments);
int adminCommand(const Words& arguments);

} // namespace octostore::program
