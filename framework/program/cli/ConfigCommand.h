// SPDX-License-Identifier: MIT
/// @file
/// `octostore config check|print|sample`: the server's configuration without the server.
#pragma once

#include "CommandLine.h"
#include "Options.h"

#include <vector>

namespace octostore::program
{

/// Every option that it takes.
std::vector<Option> configOptions();
/// check: ExitOk, or ExitConfiguration with every mistake on a line of its own.
int configCommand(const Words& arguments);

} // namespace octostore::program
