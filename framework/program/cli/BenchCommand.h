// SPDX-License-Identifier: MIT
/// @file
/// `octostore bench KIND`: how much a server takes, and how fast it answers.
#pragma once

#include "CommandLine.h"
#include "Options.h"

#include <vector>

namespace octostore::program
{

std::vector<Option> benchOptions();
/// ExitOk when every request of the load succeeded, else ExitFailure; ExitUsage, also for a
/// credential that the server does not take.
int benchCommand(const Words& arguments);

} // namespace octostore::program
