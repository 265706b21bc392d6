// SPDX-License-Identifier: MIT
/// @file
/// What is done to names of files where a crash or another process must not do harm.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Result.h>

#include <string>

namespace octostore
{

/// Gives the file `from` the name `to`, unless something has that name. Both in one folder.
/// Errors: Unavailable; `from` still has its name. The message is the reason only.
OCTOSTORE_API Result<void> renameToFree(const std::string& from, const std::string& to);

/// Only then what was named or renamed in the folder of `file` survives a power cut.
/// Errors: Unavailable; the message names the folder.
OCTOSTORE_API Result<void> syncFolderOf(const std::string& file);

} // namespace octostore
