// SPDX-License-Identifier: MIT
/// @file
/// `octostore run --election ROOM --candidate ID -- COMMAND` and `octostore run --lock NAME --
/// COMMAND`: a command that runs only while the lease is ours.
#pragma once

#include "CommandLine.h"

namespace octostore::program
{

int runCommand(const Words& arguments);

} // namespace octostore::program
