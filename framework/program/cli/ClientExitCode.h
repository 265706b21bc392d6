// SPDX-License-Identifier: MIT
/// @file
/// How the client commands end, beside the codes that all commands have.
#pragma once

#include "ExitCode.h"

namespace octostore::program
{

constexpr int exitFree = 1;             ///< status: nobody leads or holds
constexpr int exitAcquireTimedOut = 11; ///< it was not to be had in time
constexpr int exitAuthorityEnded = 20;  ///< authority that was held is lost or uncertain
constexpr int exitNotExecutable = 126;  ///< run: the command cannot be executed
constexpr int exitNotFound = 127;       ///< run: there is no such command

/// As shells have it.
constexpr int exitOfSignal(int number) noexcept
{
    return 128 + number;
}

} // namespace octostore::program
