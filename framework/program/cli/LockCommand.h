// SPDX-License-Identifier: MIT
/// @file
/// `octostore lock status|hold|watch`.
#pragma once

#include "CommandLine.h"

namespace octostore::program
{

int lockCommand(const Words& arguments);

} // namespace octostore::program
