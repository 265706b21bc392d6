// SPDX-License-Identifier: MIT
/// @file
/// Where static tokens come from: the configuration and the files it names.
#pragma once

#include "TokenTable.h"

#include <octostore/base/Log.h>
#include <octostore/base/Result.h>
#include <octostore/config/Config.h>

namespace octostore::auth
{

/// Reads every source anew; warns about files that others may read. Errors: Configuration, a line
/// without any secret for each mistake; nothing is to be used then.
Result<TokenTable> readTokens(const config::View& configuration, const Logger& logger);

} // namespace octostore::auth
