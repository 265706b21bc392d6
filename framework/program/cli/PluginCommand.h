// SPDX-License-Identifier: MIT
/// @file
/// `octostore plugin list|inspect FILE`: what a plugin says of itself, and whether it is taken.
#pragma once

#include "CommandLine.h"

namespace octostore::program
{

/// inspect: ExitOk when the server would load the file, else ExitFailure.
int pluginCommand(const Words& arguments);

} // namespace octostore::program
