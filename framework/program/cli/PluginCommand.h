// SPDX-License-Identifier: MIT
/// @file
/// `octostore plugin list|inspect FILE`: what a plugin says of itself, and whether it is taken.
#pragma once

#include "CommandLine.h"
#include "Options.h"

#include <vector>

namespace octostore::program
{

/// Every option that it takes.
std::vector<Option> pluginOptions();
/// inspect: ExitOk when the server would load the file; list: when it would load all that it is
/// configured to use. Else ExitFailure.
int pluginCommand(const Words& arguments);

} // namespace octostore::program
