// SPDX-License-Identifier: MIT
/// @file
/// `octostore doctor`: what of this machine, this configuration and the server is in order.
#pragma once

#include "CommandLine.h"

namespace octostore::program
{

/// ExitOk when everything that is needed is there, else ExitFailure.
int doctorCommand(const Words& arguments);

} // namespace octostore::program
