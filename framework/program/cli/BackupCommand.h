// SPDX-License-Identifier: MIT
/// @file
/// `octostore backup`: a copy of the store of a running server.
#pragma once

#include "CommandLine.h"
#include "Options.h"

#include <vector>

namespace octostore::program
{

/// Every option that it takes.
std::vector<Option> backupOptions();
/// Exits 0 only when the file is whole, proven by its digest, and on disk.
int backupCommand(const Words& arguments);

} // namespace octostore::program
