// SPDX-License-Identifier: MIT
/// @file
/// Starts the guardian in the strongest containment that this machine allows.
#pragma once

#include "Containment.h"
#include "Guardian.h"

#include <octostore/base/Result.h>

#include <sys/types.h>

namespace octostore::program
{

/// A guardian that is ready for its first order.
struct LaunchedGuardian
{
    pid_t pid = -1;
    int socket =
        -1; ///< packets of Order out and Notice in; its end means that the guardian has died
    Containment containment = Containment::Group;
};

/// Makes this process a child subreaper too, so that what the guardian leaves behind comes to us.
/// Call it before the first thread: the guardian must be single-threaded. Fills in the cgroup of
/// `orders`. Errors: Unavailable, not possible here in the way that was asked for.
Result<LaunchedGuardian> launchGuardian(GuardianOrders& orders, ContainmentChoice choice);

} // namespace octostore::program
