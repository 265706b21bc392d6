// SPDX-License-Identifier: MIT
/// @file
/// `octostore events`: what happened, and what happens.
#pragma once

#include "CommandLine.h"
#include "Options.h"

#include <vector>

namespace octostore::program
{

std::vector<Option> eventsOptions();
int eventsCommand(const Words& arguments);

} // namespace octostore::program
