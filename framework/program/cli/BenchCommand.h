// SPDX-License-Identifier: MIT
/// @file
/// `octostore bench KIND`: how much a server takes, and how fast it answers.
#pragma once

#include "CommandLine.h"

namespace octostore::program
{

/// ExitOk when every request of the load succeeded, else ExitFailure; ExitUsage.
int benchCommand(const Words& arguments);

} // namespace octostore::program
