// SPDX-License-Identifier: MIT
/// @file
/// `octostore serve`: the server from start to end.
#pragma once

#include "CommandLine.h"
#include "Options.h"

#include <vector>

namespace octostore::program
{

/// Every option that it takes.
std::vector<Option> serveOptions();
/// Returns ExitUsage, ExitConfiguration, ExitFailure, or ExitOk after a clean stop.
int serve(const Words& arguments);

} // namespace octostore::program
