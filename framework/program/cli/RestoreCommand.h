// SPDX-License-Identifier: MIT
/// @file
/// `octostore restore`: a store made from a backup.
#pragma once

#include "CommandLine.h"
#include "Options.h"

#include <vector>

namespace octostore::program
{

/// Every option that it takes.
std::vector<Option> restoreOptions();
/// Works on files of this machine; no server may be using the store.
int restoreCommand(const Words& arguments);

} // namespace octostore::program
