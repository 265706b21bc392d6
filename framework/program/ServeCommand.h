// SPDX-License-Identifier: MIT
/// @file
/// `octostore serve`: the server from start to end.
#pragma once

#include "CommandLine.h"

namespace octostore::program
{

/// Returns ExitUsage, ExitConfiguration, ExitFailure, or ExitOk after a clean stop.
int serve(const Words& arguments);

} // namespace octostore::program
