// SPDX-License-Identifier: MIT
/// @file
/// `octostore config check|print|sample`: the server's configuration without the server.
#pragma once

#include "CommandLine.h"

namespace octostore::program
{

/// check: ExitOk, or ExitConfiguration with every mistake on a line of its own.
int configCommand(const Words& arguments);

} // namespace octostore::program
