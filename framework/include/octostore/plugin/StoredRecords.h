// SPDX-License-Identifier: MIT
/// @file
/// What a plugin finds in the store when it starts.
#pragma once

#include <octostore/backend/Record.h>
#include <octostore/base/Api.h>
#include <octostore/base/Result.h>
#include <octostore/base/Time.h>
#include <octostore/coordination/Coordinator.h>

#include <string_view>
#include <vector>

namespace octostore::plugin
{

/// All records of `collection`, as the engine tells them. Blocks until then, at most a minute: not
/// for threads that serve. `what` names them in the error.
/// Errors: Unavailable; the plugin cannot start.
OCTOSTORE_API Result<std::vector<backend::Record>>
storedRecords(coordination::Coordinator& coordinator, const Clock& clock,
              backend::Collection collection, std::string_view what);

} // namespace octostore::plugin
