// SPDX-License-Identifier: MIT
/// @file
/// `octostore backup`: a copy of the store of a running server.
#pragma once

#include "CommandLine.h"

namespace octostore::program
{

/// Exits 0 only when the file is whole, proven by its digest, and on disk.
int backupCommand(const Words& arguments);

} // namespace octostore::program
