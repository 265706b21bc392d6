// SPDX-License-Identifier: MIT
/// @file
/// How the program ends, for scripts and supervisors.
#pragma once

namespace octostore::program
{

enum ExitCode : int
{
    ExitOk = 0,
    ExitUsage = 64,         ///< the command line is wrong
    ExitFailure = 70,       ///< anything that has no code of its own
    ExitConfiguration = 78, ///< the server's configuration is wrong; starting again does not help
};

} // namespace octostore::program
