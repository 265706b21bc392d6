// SPDX-License-Identifier: MIT
/// @file
/// Where the configuration comes from.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Result.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace octostore::config
{

/// Everything the configuration depends on, so that tests need no environment of their own.
struct Sources
{
    std::map<std::string, std::string> environment;
    /// `--config`; then it must be there. Otherwise OCTOSTORE_CONFIG must, otherwise
    /// octostore.properties in `directory` or `systemFile` may.
    std::optional<std::string> file;
    std::vector<std::string> settings; ///< `--set`, each `key=value`; the last one wins
    std::string directory = ".";
    std::string systemFile = "/etc/octostore/octostore.properties";
};

/// Moves `--config FILE`, `-c FILE` and `--set key=value` (also as `--config=FILE` and
/// `--set=key=value`) out of `arguments`, up to `--`.
/// Errors: InvalidInput; a usage error.
OCTOSTORE_API Result<void> takeOptions(std::vector<std::string>& arguments, Sources& sources);

/// `variables`: as `environ`, ends with null.
OCTOSTORE_API std::map<std::string, std::string> readEnvironment(const char* const* variables);

} // namespace octostore::config
