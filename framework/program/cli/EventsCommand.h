// SPDX-License-Identifier: MIT
/// @file
/// `octostore events`: what happened, and what happens.
#pragma once

#include "CommandLine.h"

namespace octostore::program
{

int eventsCommand(const Words& arguments);

} // namespace octostore::program
