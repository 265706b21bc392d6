// SPDX-License-Identifier: MIT
/// @file
/// The descendants of a process.
#pragma once

#include <vector>

#include <sys/types.h>

namespace octostore::program
{

/// All that descend from `root` right now, without itself, zombies left out, and without `spared`
/// and what descends from that. Those that are born while it looks may be missing: who wants all
/// asks again until there are none.
std::vector<pid_t> descendantsOf(pid_t root, pid_t spared = 0);

/// Sends a signal to each of them. A process is named by a descriptor, so that a number used again
/// does not hit a stranger.
void signalDescendants(pid_t root, int signal, pid_t spared = 0);

} // namespace octostore::program
