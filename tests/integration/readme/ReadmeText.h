// SPDX-License-Identifier: MIT
/// @file
/// The commands of the README and what it says they print.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace octostore::test
{

struct ReadmeBlock
{
    std::string commands;
    std::vector<std::string> expected; ///< the texts behind `#> `, in order
};

/// The `sh` blocks with the line `<!-- test -->` before them.
std::vector<ReadmeBlock> testedBlocks(std::string_view readme);
/// The value of `NAME=value` in front of the command that starts the server; empty: none.
std::string startVariable(std::string_view readme, std::string_view name);

} // namespace octostore::test
