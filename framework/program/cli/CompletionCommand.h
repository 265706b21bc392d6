// SPDX-License-Identifier: MIT
/// @file
/// `octostore completion bash`: what a shell needs to complete commands.
#pragma once

#include "CommandLine.h"

namespace octostore::program
{

int completionCommand(const Words& arguments);

} // namespace octostore::program
