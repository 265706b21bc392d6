// SPDX-License-Identifier: MIT
/// @file
/// When anybody may register an account.
#pragma once

#include <octostore/base/Result.h>
#include <octostore/config/Config.h>

namespace octostore::accounts
{

/// Whether auth.local_registration is on. Then only this machine may reach the server, and no
/// account comes from the configuration. Errors: Configuration, when that is not so.
Result<bool> registrationOf(const config::View& configuration);

} // namespace octostore::accounts
