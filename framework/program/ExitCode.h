// SPDX-License-Identifier: MIT
/// @file
/// How the program ends, for scripts and supervisors.
#pragma once

namespace octostore::program
{

enum ExitCode : int
{
    ExitOk = 0,
    ExitFree = 1,             ///< status: nobody leads or holds
    ExitAcquireTimedOut = 11, ///< it was not to be had in time
    ExitAuthorityEnded = 20,  ///< authority that was held is lost or uncertain
    ExitUsage = 64,           ///< the command line is wrong
    ExitFailure = 70,         ///< anything that has no code of its own
    ExitConfiguration = 78,   ///< the server's configuration is wrong; starting again does not help
    ExitNotExecutable = 126,  ///< run: the command cannot be executed
    ExitNotFound = 127,       ///< run: there is no such command
};

/// As shells have it.
constexpr int exitOfSignal(int number) noexcept
{
    return 128 + number;
}

} // namespace octostore::program
