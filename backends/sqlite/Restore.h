// SPDX-License-Identifier: MIT
/// @file
/// A store made from a snapshot.
#pragma once

#include "Options.h"

#include <octostore/backend/Backend.h>
#include <octostore/base/Result.h>

namespace octostore::sqlite
{

/// Makes the database `options.path`. All is done in a file beside it, which gets the name last.
/// Errors: those of backend::BackendFactory::restore().
Result<backend::RestoreReport> restoreDatabase(const Options& options,
                                               const backend::RestoreOrder& order);

} // namespace octostore::sqlite
