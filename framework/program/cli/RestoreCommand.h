// SPDX-License-Identifier: MIT
/// @file
/// `octostore restore`: a store made from a backup.
#pragma once

#include "CommandLine.h"

namespace octostore::program
{

/// Works on files of this machine; no server may be using the store.
int restoreCommand(const Words& arguments);

} // namespace octostore::program
