// SPDX-License-Identifier: MIT
/// @file
/// Reads the small files a configuration consists of.
#pragma once

#include <octostore/base/Result.h>

#include <string>

namespace octostore::config
{

/// Errors: Configuration when it cannot be read, is a directory or longer than 1 MiB; the message
/// has no path.
Result<std::string> readFileText(const std::string& path);

/// Whether somebody other than the owner may read it.
bool isReadableByOthers(const std::string& path) noexcept;

} // namespace octostore::config
