// SPDX-License-Identifier: MIT
/// @file
/// `octostore election create|status|hold|watch`.
#pragma once

#include "CommandLine.h"

namespace octostore::program
{

int electionCommand(const Words& arguments);

} // namespace octostore::program
