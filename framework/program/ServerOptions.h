// SPDX-License-Identifier: MIT
/// @file
/// The options of commands that read the server's configuration.
#pragma once

#include "CommandLine.h"
#include "Options.h"

#include <octostore/base/Result.h>
#include <octostore/config/Sources.h>

namespace octostore::program
{

struct ServerOptions
{
    config::Sources sources; ///< with `--config` and `--set`, and this process's environment
    Options options;         ///< the others
};

/// `known` are the command's own options. Errors: InvalidInput, a usage error.
Result<ServerOptions> readServerOptions(const Words& arguments, const std::vector<Option>& known);
/// `known` and the two that every such command has, for the help.
std::vector<Option> withServerOptions(std::vector<Option> known);

} // namespace octostore::program
