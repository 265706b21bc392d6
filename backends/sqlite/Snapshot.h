// SPDX-License-Identifier: MIT
/// @file
/// A copy of the store while it is in use.
#pragma once

#include "Options.h"
#include "StoreFiles.h"

#include <octostore/base/Result.h>

#include <functional>
#include <string>

namespace octostore::sqlite
{

/// Copies the database to the new file `target`, as of one instant not before the call. It reads on
/// a connection of its own: commits go on, only the write-ahead log cannot start anew meanwhile.
/// Errors: those of backend::Backend::snapshot(); `target` is not there then.
Result<void> takeSnapshot(const Options& options, const StoreFiles& files,
                          const std::string& target, const std::function<bool()>& cancelled);

} // namespace octostore::sqlite
